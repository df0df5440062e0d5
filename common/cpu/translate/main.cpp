// kit_translate INPUT.cu OUTPUT.cpp: the CPU backend's step before the C++ compiler.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "translate.hpp"

int main(int argc, char** argv) {
    namespace fs = std::filesystem;
    if (argc != 3) {
        std::fprintf(stderr, "usage: kit_translate INPUT.cu OUTPUT.cpp\n");
        return 2;
    }
    std::ifstream input(argv[1], std::ios::binary);
    const std::string source{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
    if (!input || fs::is_directory(argv[1])) {
        std::fprintf(stderr, "%s:1: error: cannot read this file\n", argv[1]);
        return 1;
    }
    const std::string path = fs::absolute(argv[1]).lexically_normal().string();
    const kit::translate::Result result = kit::translate::translate(source, path);
    for (const std::string& error : result.errors) std::fprintf(stderr, "%s\n", error.c_str());
    if (!result.errors.empty()) return 1;

    // Written beside the output and renamed, so that a build that is interrupted leaves no half of a file.
    const fs::path output = argv[2];
    const fs::path unfinished = output.string() + ".tmp";
    std::ofstream(unfinished, std::ios::binary)
        .write(result.text.data(), std::streamsize(result.text.size()));
    std::error_code failed;
    if (fs::file_size(unfinished, failed) == result.text.size()) fs::rename(unfinished, output, failed);
    if (failed || !fs::exists(output)) {
        std::fprintf(stderr, "%s:1: error: cannot write the translation\n", argv[2]);
        return 1;
    }
    return 0;
}
