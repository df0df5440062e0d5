// Tests that all texts of reports are in common/words. No file of the executor may contain prose, which is a
// string with a letter and a blank, and only files that print may include the words. Exceptions are: names of
// C++ ("unsigned int"), messages of static_assert, messages of fprintf about a wrong setting before the
// process ends, and six files with other languages.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const std::map<std::string, std::string> other_languages = {
    {"api/error.cpp", "CUDA's own answer to an unknown error"},
    {"api/graph_ask.cpp", "the language of dot"},
    {"device/device.cpp", "names of devices"},
    {"ranks/nccl.cpp", "NCCL's own answers"},
    {"blas/handle.cpp", "cuBLAS's own answers"},
    {"source/source_lines.cpp", "the command addr2line"},
    {"source/symbols.cpp", "names of C++"},
};

/// Returns whether the file prints, so that it may include common/words.
bool prints(const std::string& file) {
    return file == "source/print.cpp" || file.rfind("profile/", 0) == 0;
}

std::string read(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool is_prose(const std::string& code) {
    static const std::regex escape(R"(\\.)"),
        of_the_language("(?:(?:signed|unsigned|void|char|short|int|long|extern|__shared__) ?)+");
    const std::string text = std::regex_replace(code, escape, "");
    const bool has_letter =
        std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isalpha(c); });
    return has_letter && text.find(' ') != std::string::npos && !std::regex_match(text, of_the_language);
}

/// Returns the strings in a file that are prose, with their lines.
std::vector<std::string> prose_of(const std::string& code) {
    static const std::regex token(
        R"re(//[^\n]*|/\*[\s\S]*?\*/|#include[^\n]*|'(?:\\.|[^'\\\n])'|"((?:\\.|[^"\\\n])*)"|[;{}])re"),
        aside(R"(\b(fprintf|static_assert)\()");
    std::vector<std::string> found;
    std::string statement;  // the statement so far, without its strings
    auto last = code.begin();
    std::size_t line = 1;
    for (std::sregex_iterator match(code.begin(), code.end(), token), end; match != end; ++match) {
        const auto begin = code.begin() + match->position();
        statement.append(last, begin);
        line += static_cast<std::size_t>(std::count(last, begin, '\n'));
        last = begin + match->length();
        const std::string text = match->str();
        if (text.size() == 1) statement.clear();
        if (text[0] == '"' && is_prose((*match)[1]) && !std::regex_search(statement, aside))
            found.push_back(std::to_string(line) + ": " + text);
        line += static_cast<std::size_t>(std::count(begin, last, '\n'));
    }
    return found;
}

struct Walk {
    std::size_t files = 0;
    std::vector<std::string> wrong;
};

Walk walk(const fs::path& src) {
    Walk walk;
    auto unheard = other_languages;
    for (const auto& entry : fs::recursive_directory_iterator(src)) {
        const std::string kind = entry.path().extension();
        if (kind != ".hpp" && kind != ".cpp") continue;
        ++walk.files;
        const std::string file = entry.path().lexically_relative(src);
        const std::string code = read(entry.path());
        const std::vector<std::string> prose = prose_of(code);
        if (other_languages.count(file)) {
            if (!prose.empty()) unheard.erase(file);
        } else {
            for (const std::string& text : prose)
                walk.wrong.push_back(file + ":" + text + " belongs in common/words");
        }
        if (!prints(file) && code.find("#include <words/") != std::string::npos)
            walk.wrong.push_back(file + " includes common/words, and does not print");
    }
    for (const auto& [file, language] : unheard)
        walk.wrong.push_back(file + " is said to hold " + language + ", and does not");
    return walk;
}

/// Tests the test itself: it must find prose, and must not find anything else.
bool sees_mistakes() {
    const fs::path src = fs::temp_directory_path() / ("kit_words_" + std::to_string(std::random_device()()));
    const auto write = [&](const char* file, const char* text) {
        fs::create_directories((src / file).parent_path());
        std::ofstream(src / file) << text;
    };
    for (const auto& [file, language] : other_languages) write(file.c_str(), "f(\"a b\");\n");
    write("source/print.cpp", "#include <words/finding.hpp>\n");
    write("run/right.cpp",
          "#include \"no file.hpp\"\n"
          "// says \"one thing\" and another\n"
          "const char quote = '\"', name[] = \"unsigned int\", kind[] = \"race\", list[] = \", \";\n"
          "static_assert(true, \"a letter; a blank\");\n"
          "std::fprintf(stderr, \"KIT_X=%s is no number; use one.\\n\",\n    \"or so\");\n");
    write("run/wrong.cpp",
          "#include <words/finding.hpp>\n"
          "void tell() {\n"
          "    std::fprintf(stderr, \"a setting\");\n"
          "    add_finding({\"race\", who + \" writes it\", place});\n"
          "    text += \" of \";\n"
          "    refuse(\"the \\\"end\\\"\");\n"
          "}\n");
    Walk found = walk(src);
    fs::remove(src / "api/error.cpp");
    const Walk without_one = walk(src);
    fs::remove_all(src);
    std::sort(found.wrong.begin(), found.wrong.end());
    return found.files == 3 + other_languages.size() && found.wrong.size() == 4 &&
           found.wrong[0].rfind("run/wrong.cpp includes common/words", 0) == 0 &&
           found.wrong[1].rfind("run/wrong.cpp:4: \" writes it\"", 0) == 0 &&
           found.wrong[2].rfind("run/wrong.cpp:5: \" of \"", 0) == 0 &&
           found.wrong[3].rfind("run/wrong.cpp:6: ", 0) == 0 && without_one.wrong.size() == 5;
}

/// Returns the number of strings in the folder that are prose.
std::size_t sentences_in(const fs::path& words) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(words))
        if (entry.path().extension() == ".cpp") count += prose_of(read(entry.path())).size();
    return count;
}

}  // namespace

int main() {
    Walk found = walk(fs::path(KIT_ROOT) / "common/cpu/src");
    const std::size_t sentences = sentences_in(fs::path(KIT_ROOT) / "common/words");
    if (!sees_mistakes()) found.wrong.push_back("the walk does not see planted mistakes");
    for (const std::string& problem : found.wrong) std::printf("FAIL  %s\n", problem.c_str());
    std::printf("%zu files, %zu strings of prose in common/words: %zu problems\n", found.files, sentences,
                found.wrong.size());
    return found.wrong.empty() && found.files > 100 && sentences > 200 ? 0 : 1;
}
