// Tests of the translator: which headers it translates, the text that it writes for them and into #include
// directives, and what it keeps.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "checks.hpp"

namespace {

namespace fs = std::filesystem;

void equal(const char* what, const std::string& got, const std::string& want) {
    check(got == want, what, "got:      " + got + "\nexpected: " + want);
}

const fs::path root =
    fs::canonical(fs::temp_directory_path()) / ("kit_headers_test." + std::to_string(getpid()));

void write(const std::string& name, const std::string& text) {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
}

kit::translate::Result translated(const std::string& source) {
    kit::translate::Options options;
    options.folders = {(root / "include").string()};
    options.kept = {(root / "kit").string()};
    options.copies = "/copies";
    return kit::translate::translate(source, (root / "program" / "main.cu").string(), options);
}

std::string body_of(const std::string& text) {
    const std::size_t line = text.find("#line 1");
    return line == std::string::npos ? text : text.substr(text.find('\n', line) + 1);
}

std::string copied(const std::string& name) {
    return "\"/copies" + (root / name).string() + "\"";
}

std::string read_files(const kit::translate::Result& result) {
    std::string text;
    for (const std::string& path : result.read)
        text += fs::path(path).lexically_relative(root).string() + " ";
    return text;
}

void which_headers() {
    const kit::translate::Result result = translated(
        "#include <vector>\n#include \"kernel.cuh\"  // beside\n#include <searched.cuh>\n#include "
        "\"plain.hpp\"\n"
        "#  include \"../kit/kit.cuh\"\n#include NAME\n#include \"absent.cuh\"\n");
    equal("the includes of the file", body_of(result.text),
          "#include <vector>\n#include " + copied("program/kernel.cuh") + "  // beside\n#include " +
              copied("include/searched.cuh") +
              "\n#include \"plain.hpp\"\n#  include \"../kit/kit.cuh\"\n#include NAME\n"
              "#include \"absent.cuh\"\n");
    equal("what was read", read_files(result),
          "program/kernel.cuh include/searched.cuh program/plain.hpp program/deep/nested.cuh "
          "include/types.hpp ");
    equal("the number of copies", std::to_string(result.copies.size()), "3");
    if (result.copies.size() != 3) return;
    const std::string line = "#line 1 \"" + (root / "include" / "searched.cuh").string() + "\"\n";
    // One header has no CUDA code, and one only includes a header with CUDA code.
    equal("a header with includes", result.copies[1].text,
          line + "#include \"" + (root / "include" / "types.hpp").string() + "\"\n#include " +
              copied("program/deep/nested.cuh") + "\n");
}

void what_files_know_of_each_other() {
    const kit::translate::Result result = translated(
        "#include \"kernel.cuh\"\nKERNEL own(int* p) { s[0] = 1; }\nvoid f() { k<<<1, 1>>>(p); later<<<1, "
        "1>>>(p); }\n");
    const std::string lambda =
        "[&](auto&&... kit_argument) -> decltype(kit_kernel_k(kit_argument...)) { return {}; }";
    const std::size_t at = result.text.find(lambda);
    equal("a template of a header is deduced", at == std::string::npos ? result.text : "found", "found");
    equal("a shared variable of a header",
          result.text.find("auto& s = ::kit::cpu::shared<::kit_shared_1>(\"s\").s;") == std::string::npos
              ? result.text
              : "found",
          "found");
    const std::string resolver =
        "template <class T> ::kit::cpu::KernelConstant<void (*)(T* p), &k<T>> kit_kernel_k(T* p);";
    equal("and its resolver is in the header",
          result.copies.empty() || result.copies[0].text.find(resolver) == std::string::npos ? "absent"
                                                                                             : "found",
          "found");
}

void errors_in_headers() {
    const kit::translate::Result result = translated("#include \"wrong.cuh\"\n");
    equal("an error in a header", result.errors.empty() ? "" : result.errors[0],
          (root / "program" / "wrong.cuh").string() + ":2: error: '<<<' without its '>>>'");
    equal("nothing is written", result.text + std::to_string(result.copies.size()), "0");
}

}  // namespace

int main() {
    write("program/kernel.cuh",
          "#include \"deep/nested.cuh\"\n#define KERNEL __global__ void\n__shared__ int s[2];\n"
          "template <class T> __global__ void k(T* p) {}\n");
    write("program/deep/nested.cuh", "#pragma once\n#include \"../kernel.cuh\"\n__global__ void n() {}\n");
    write("program/plain.hpp", "struct Plain {};\n");
    write("program/wrong.cuh", "\nvoid f() { k<<<1; }\n");
    write("include/searched.cuh", "#include \"types.hpp\"\n#include \"../program/deep/nested.cuh\"\n");
    write("include/types.hpp", "");
    write("kit/kit.cuh", "__global__ void of_the_kit() {}\n");
    which_headers();
    what_files_know_of_each_other();
    errors_in_headers();
    fs::remove_all(root);
    return finish();
}
