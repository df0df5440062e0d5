// The names of kitcc's options, and what each option does.
#pragma once

#include <map>
#include <string>

namespace kitcc {

/// The effects that an option can have.
enum class Kind {
    nothing,        ///< accepted, without effect
    nothing_value,  ///< accepted together with its value, without effect
    refused,        ///< refused, because it requests one of nvcc's intermediate files
    relaxed,        ///< --expt-relaxed-constexpr
    output,
    output_folder,
    folder,
    header,
    to_compiler,
    to_linker,
    value_to_compiler,
    define,
    undefine,
    standard,
    library,
    library_folder,
    compiler_list,
    linker_list,
    architecture,
    generate,
    language,
    level,
    unchecked,
    objects,
    device_link,
    static_library,
    default_stream,
    forward,
    rule,
    rule_and_compile,
    rule_file,
    rule_target,
    rule_phony,
    options_file,
    run,
    run_arguments,
    explain,
    verbose,
    dry,
    help,
    version
};

/// Returns the effect of each option, by long and short name.
const std::map<std::string, Kind>& kinds();
bool takes_value(Kind kind);

}  // namespace kitcc
