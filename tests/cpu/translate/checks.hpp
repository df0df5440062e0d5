// For tests of the translator: checks that a text becomes a given text, stays unchanged, or is refused.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "translate.hpp"

inline int failures = 0;
inline int checks = 0;

inline void check(bool holds, const std::string& what, const std::string& details) {
    ++checks;
    if (holds) return;
    ++failures;
    std::printf("FAIL  %s\n%s\n", what.c_str(), details.c_str());
}

/// Returns the translation without the lines at its top.
inline std::string body(const std::string& text) {
    const std::string header =
        "#include <cuda_runtime.h>\n#include <kit_cpu/nvcc.hpp>\n#line 1 \"/course/file.cu\"\n";
    return text.compare(0, header.size(), header) == 0 ? text.substr(header.size()) : "no header:\n" + text;
}

inline std::string join(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

inline void becomes(const char* what, const std::string& input, const std::string& want) {
    const kit::translate::Result result = kit::translate::translate(input, "/course/file.cu");
    const std::string got = result.errors.empty() ? body(result.text) : join(result.errors);
    check(got == want, what, "input:    " + input + "\ngot:      " + got + "\nexpected: " + want);
    check(std::count(got.begin(), got.end(), '\n') == std::count(input.begin(), input.end(), '\n'), what,
          "the number of lines differs");
}

inline void unchanged(const char* what, const std::string& input) {
    becomes(what, input, input);
}

inline void refused(const char* what, const std::string& input, const std::string& want) {
    const kit::translate::Result result = kit::translate::translate(input, "/course/file.cu");
    check(join(result.errors) == want + "\n", what, "got:      " + join(result.errors) + "expected: " + want);
    check(result.text.empty(), what, "an error, and text all the same");
}

/// Puts the text into a kernel.
inline std::string in_function(const std::string& text) {
    return "__global__ void f() { " + text + " }\n";
}

inline std::string shared(const std::string& number, const std::string& member, const std::string& name) {
    return "struct kit_shared_" + number + " { " + member + "; }; [[maybe_unused]] auto& " + name +
           " = ::kit::cpu::shared<kit_shared_" + number + ">(\"" + name + "\")." + name;
}

inline std::string dynamic(const std::string& before, const std::string& name, const std::string& after) {
    return "[[maybe_unused]] " + before + "(&" + name + ")" + after +
           " = ::kit::cpu::dynamic_shared<std::remove_reference_t<decltype(" + name + ")>>(\"" + name + "\")";
}

inline int finish() {
    std::printf("%d of %d checks failed\n", failures, checks);
    return failures == 0 && checks > 0 ? 0 : 1;
}
