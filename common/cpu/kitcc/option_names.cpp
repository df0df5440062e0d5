// The table of kitcc's options, and the text of --help.
#include "option_names.hpp"

#include <set>
#include <sstream>
#include <utility>

#include "options.hpp"

namespace kitcc {

const char* const help =
    R"(kitcc [option...] file.cu... : compiles CUDA programs for the CPU executor, with nvcc's options

  -o FILE            name the program, or with -c the object file; -odir DIR: put object files there
  -c, -dc            make only objects. -dlink makes an empty object: device code needs no linking. -lib makes a static library
  -run               run the program afterwards; without -o it is not kept. --run-args A,B: its arguments
  -x cu, -x c++      compile every source as CUDA, or as C++
  -I DIR, -isystem DIR, -include FILE, -D NAME[=VALUE], -U NAME, -std=c++17 (older standards become this one)
  -l NAME, -L DIR, -shared
  -Xcompiler A,B     pass options to the C++ compiler; -Xlinker A,B to the linker
  -forward-unknown-to-host-compiler: pass all unknown options to the C++ compiler
  -MD, -MMD, -M, -MM, -MF FILE, -MT TARGET, -MP: write a rule for make that names the source and its headers
  -arch, -gencode    set __CUDA_ARCH__ in device code
  -unchecked         make a fast program: optimized (-O3, or the given -O), and without the executor's checks
  --explain NAME     print the page about a kind of report, such as race
  -w                 print no warnings
  -v, --dryrun       -v prints the commands; --dryrun prints them without running them
  -optf FILE         read more options from a file
  --version, --help
  -ccbin, -g, -G, -lineinfo, -rdc, -Xptxas and others that concern the GPU's code are accepted and have no effect: the
  compiler of the executor compiles the program with debug information.

Inputs are .cu, .cpp, .cc, .cxx, .c, .o, .a and .so.
)";

const std::map<std::string, Kind>& kinds() {
    static const std::map<std::string, Kind> all = [] {
        const std::pair<Kind, const char*> table[] = {
            {Kind::output, "-o --output-file"},
            {Kind::output_folder, "-odir --output-directory"},
            {Kind::objects, "-c --compile -dc --device-c -dw --device-w"},
            {Kind::device_link, "-dlink --device-link"},
            {Kind::static_library, "-lib --lib"},
            {Kind::to_linker, "-shared --shared"},
            {Kind::folder, "-I --include-path"},
            {Kind::value_to_compiler, "-isystem --system-include"},
            {Kind::header, "-include --pre-include"},
            {Kind::define, "-D --define-macro"},
            {Kind::undefine, "-U --undefine-macro"},
            {Kind::standard, "-std --std"},
            {Kind::library, "-l --library"},
            {Kind::library_folder, "-L --library-path"},
            {Kind::compiler_list, "-Xcompiler --compiler-options"},
            {Kind::linker_list, "-Xlinker --linker-options"},
            {Kind::architecture, "-arch --gpu-architecture"},
            {Kind::generate, "-gencode --generate-code"},
            {Kind::language, "-x --x"},
            {Kind::default_stream, "-default-stream --default-stream"},
            {Kind::forward,
             "-forward-unknown-to-host-compiler --forward-unknown-to-host-compiler "
             "-forward-unknown-opts --forward-unknown-opts"},
            {Kind::rule, "-M --generate-dependencies -MM --generate-nonsystem-dependencies"},
            {Kind::rule_and_compile,
             "-MD --generate-dependencies-with-compile -MMD "
             "--generate-nonsystem-dependencies-with-compile"},
            {Kind::rule_file, "-MF --dependency-output"},
            {Kind::rule_target, "-MT --dependency-target-name"},
            {Kind::rule_phony, "-MP --generate-dependency-targets"},
            {Kind::options_file, "-optf --options-file"},
            {Kind::run, "-run --run"},
            {Kind::run_arguments, "-run-args --run-args"},
            {Kind::explain, "-explain --explain"},
            {Kind::verbose, "-v --verbose"},
            {Kind::dry, "-dryrun --dryrun"},
            {Kind::help, "-h --help"},
            {Kind::version, "-V --version"},
            {Kind::to_compiler, "-w --disable-warnings -pthread"},
            {Kind::unchecked, "-unchecked --unchecked"},
            {Kind::level, "-O --optimize"},
            {Kind::relaxed, "-expt-relaxed-constexpr --expt-relaxed-constexpr"},
            {Kind::refused,
             "-E --preprocess -cuda --cuda -ptx --ptx -cubin --cubin -fatbin --fatbin -optix-ir "
             "--optix-ir -ltoir --ltoir"},
            {Kind::nothing,
             "-g --debug -G --device-debug -lineinfo --generate-line-info -m64 --m64 -use_fast_math "
             "--use_fast_math "
             "-link --link -extended-lambda --extended-lambda -expt-extended-lambda --expt-extended-lambda "
             "-Wno-deprecated-gpu-targets --Wno-deprecated-gpu-targets -Wno-deprecated-declarations "
             "--Wno-deprecated-declarations -res-usage --resource-usage -allow-unsupported-compiler "
             "--allow-unsupported-compiler -keep --keep -save-temps --save-temps -src-in-ptx --source-in-ptx "
             "-restrict "
             "--restrict -Wreorder --Wreorder -Wdefault-stream-launch --Wdefault-stream-launch "
             "-Wmissing-launch-bounds "
             "--Wmissing-launch-bounds -Wext-lambda-captures-this --Wext-lambda-captures-this -dlto "
             "--dlink-time-opt "
             "-lto --lto -pg --profile -ewp --extensible-whole-program -no-compress --no-compress -err-no "
             "--display-error-number -no-err-no --no-display-error-number -nodlink --no-device-link -objtemp "
             "--objdir-as-tempdir -extra-device-vectorization --extra-device-vectorization "
             "-keep-device-functions "
             "--keep-device-functions -jobserver --jobserver -noprof --dont-use-profile"},
            {Kind::nothing_value,
             "-ccbin --compiler-bindir -rdc --relocatable-device-code -Xptxas --ptxas-options -Xnvlink "
             "--nvlink-options "
             "-Xarchive --archive-options -maxrregcount --maxrregcount -cudart --cudart -cudadevrt "
             "--cudadevrt -t "
             "--threads -code --gpu-code -fmad --fmad -ftz --ftz -prec-div --prec-div -prec-sqrt --prec-sqrt "
             "-m "
             "--machine -keep-dir --keep-dir -time --time -dopt --dopt -opt-info --optimization-info -Werror "
             "--Werror "
             "-diag-suppress --diag-suppress -diag-warn --diag-warn -diag-error --diag-error -split-compile "
             "--split-compile -Ofc --Ofast-compile -arbin --archiver-binary -ldir --libdevice-directory "
             "-target-dir "
             "--target-directory -e --entries -compress-mode --compress-mode -brief-diag "
             "--brief-diagnostics"}};
        std::map<std::string, Kind> result;
        for (const auto& [kind, names] : table) {
            std::istringstream words(names);
            for (std::string name; words >> name;) result[name] = kind;
        }
        return result;
    }();
    return all;
}

bool takes_value(Kind kind) {
    static const std::set<Kind> without = {Kind::nothing,     Kind::refused,     Kind::relaxed,
                                           Kind::to_compiler, Kind::to_linker,   Kind::unchecked,
                                           Kind::objects,     Kind::device_link, Kind::static_library,
                                           Kind::forward,     Kind::rule,        Kind::rule_and_compile,
                                           Kind::rule_phony,  Kind::run,         Kind::verbose,
                                           Kind::dry,         Kind::help,        Kind::version};
    return !without.count(kind);
}

}  // namespace kitcc
