// The program kit_translate [-I FOLDER] [--keep FOLDER] [--library FOLDER] [--root FOLDER] [--arch 900]
// [--depfile FILE] INPUT.cu OUTPUT.cpp. The program translates CUDA C++ before the C++ compiler compiles it.
// Translated headers are in the folder OUTPUT.cpp.headers. Names of files are relative to the root.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "translate.hpp"

namespace {

namespace fs = std::filesystem;

int usage() {
    std::fprintf(stderr,
                 "usage: kit_translate [-I FOLDER] [--keep FOLDER] [--library FOLDER] [--root FOLDER] "
                 "[--arch 900] [--depfile FILE] "
                 "INPUT.cu OUTPUT.cpp\n");
    return 2;
}

/// Writes a temporary file and renames it to `output`, so that an interrupted build does not leave an
/// incomplete file.
bool write(const fs::path& output, const std::string& text) {
    std::error_code failed;
    if (output.has_parent_path()) fs::create_directories(output.parent_path(), failed);
    const fs::path unfinished = output.string() + ".tmp";
    std::ofstream(unfinished, std::ios::binary).write(text.data(), std::streamsize(text.size()));
    if (fs::file_size(unfinished, failed) == text.size()) fs::rename(unfinished, output, failed);
    if (!failed && fs::exists(output)) return true;
    std::fprintf(stderr, "%s:1: error: cannot write the translation\n", output.c_str());
    return false;
}

/// Returns the rule that Ninja and make read. The rule includes the source, because CMake ignores a rule
/// without files and would always translate.
std::string rule(const std::string& output, const std::vector<std::string>& read) {
    std::string text;
    const auto add = [&](const std::string& path) {
        for (const char c : path) {
            if (c == ' ' || c == '#' || c == '\\') text += '\\';
            if (c == '$') text += '$';
            text += c;
        }
    };
    add(output);
    text += ":";
    for (const std::string& path : read) {
        text += " \\\n ";
        add(path);
    }
    return text + "\n";
}

}  // namespace

int main(int argc, char** argv) {
    kit::translate::Options options;
    std::string depfile;
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word.empty() || word[0] != '-') {
            files.push_back(word);
            continue;
        }
        if (++i == argc) return usage();
        if (word == "-I") {
            options.folders.push_back(argv[i]);
        } else if (word == "--keep") {
            options.kept.push_back(argv[i]);
        } else if (word == "--library") {
            options.libraries.push_back(argv[i]);
        } else if (word == "--root") {
            options.root = argv[i];
        } else if (word == "--arch") {
            options.architecture = std::atoi(argv[i]);
        } else if (word == "--depfile") {
            depfile = argv[i];
        } else {
            return usage();
        }
    }
    if (files.size() != 2) return usage();
    std::ifstream input(files[0], std::ios::binary);
    const std::string source{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
    if (!input || fs::is_directory(files[0])) {
        std::fprintf(stderr, "%s:1: error: cannot read this file\n", files[0].c_str());
        return 1;
    }
    const std::string path = fs::absolute(files[0]).lexically_normal().string();
    const std::string output = fs::absolute(files[1]).lexically_normal().string();
    options.copies = output + ".headers";
    kit::translate::Result result = kit::translate::translate(source, path, options);
    for (const std::string& error : result.errors) std::fprintf(stderr, "%s\n", error.c_str());
    if (!result.errors.empty()) return 1;
    for (const kit::translate::Copy& copy : result.copies)
        if (!write(copy.path, copy.text)) return 1;
    result.read.push_back(path);
    if (!depfile.empty() && !write(depfile, rule(output, result.read))) return 1;
    return write(output, result.text) ? 0 : 1;
}
