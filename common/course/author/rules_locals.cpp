// The rule about `const`: local values of solutions have none, and values that the kernels of a demo never change have it.
#include <regex>

#include "rules.hpp"

namespace course {

namespace {

/// The types of values. References and pointers are not concerned.
#define KIT_VALUE                                                                                 \
    "(unsigned( int| char| long long)?|int|long long|float|double|bool|char|auto|(std::)?size_t|" \
    "(std::)?u?int[0-9]+_t|(float|u?int)[24]|dim3)"

/// Returns the line without its comment, and with empty texts instead of those in quotes.
std::string code_of(const std::string& line) {
    static const std::regex text("\"(\\\\.|[^\"\\\\])*\""), comment("//.*");
    return std::regex_replace(std::regex_replace(line, text, "\"\""), comment, "");
}

bool has(const std::string& text, const std::string& pattern) {
    return std::regex_search(text, std::regex(pattern));
}

/// Returns the code after a declaration until its block ends.
std::string scope_of(const Lines& code, std::size_t line) {
    std::string scope;
    int depth = 0;
    for (std::size_t i = line; i < code.size(); ++i) {
        for (const char c : code[i]) {
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth < 0) return scope;
            scope += c;
        }
        scope += '\n';
    }
    return scope;
}

/// Returns whether code below the declaration of this name can change its value.
bool is_changed(const std::string& scope, const std::string& name) {
    const std::string after = scope.substr(scope.find(name + " = ") + name.size() + 3);
    const std::string word = "(^|[^A-Za-z0-9_])" + name;
    return has(after, word + "(\\.[a-z]+|\\[[^\\]]*\\])*[ ]*([-+*/%&|^]|<<|>>)?=([^=]|$)") ||
           has(after, word + "(\\.[a-z]+)*(\\+\\+|--)") ||
           has(after, "(\\+\\+|--)" + name + "([^A-Za-z0-9_]|$)") ||
           has(after, "(^|[^&])&" + name + "([^A-Za-z0-9_]|$)") || has(after, word + "\\.(sync|wait|arrive)");
}

void check_kernels(const fs::path& path, const Lines& lines, Complainer& complain) {
    static const std::regex declaration("^ +" KIT_VALUE " ([a-z][a-z0-9_]*) = .*");
    Lines code;
    for (const std::string& line : lines) code.push_back(code_of(line));
    bool in_kernel = false;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (contains(code[i], "__global__") || contains(code[i], "__device__")) in_kernel = true;
        if (begins_with(code[i], "}")) in_kernel = false;
        std::smatch found;
        if (!in_kernel || !std::regex_match(code[i], found, declaration)) continue;
        const std::string name = found[found.size() - 1], scope = scope_of(code, i);
        const std::string statement = scope.substr(0, scope.find(';'));
        bool changed = is_changed(scope, name);
        // Names that the same statement declares: "int row = ..., column = ...;".
        static const std::regex more(", ([a-z][a-z0-9_]*) = ");
        for (std::sregex_iterator other(statement.begin(), statement.end(), more), end; other != end; ++other)
            changed = changed || is_changed(scope, (*other)[1]);
        if (!changed)
            complain(path, ":", i + 1, ": `", name,
                     "` never changes, so declare it const (common/README.md)");
    }
}

}  // namespace

void check_locals(const Course& course, Complainer& complain) {
    static const std::regex value(
        "^ +(for \\(|if \\()?const [A-Za-z_:]+(<[^>]*>)?( int| long long)? [\\[a-z][^&*]*");
    for (const Exercise& exercise : course.exercises) {
        const Lines lines = lines_of(read_text_if_there(course.root / exercise.solution()));
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::string code = code_of(lines[i]), declared = code.substr(0, code.find_first_of("=;:{"));
            if (std::regex_match(declared, value))
                complain(exercise.solution(), ":", i + 1,
                         ": a local value of a solution has no `const` (common/README.md)");
        }
    }
    for (const fs::path& path : course.files("lectures", {".cu", ".cuh", ".hpp"}))
        check_kernels(path, lines_of(read_text_if_there(course.root / path)), complain);
}

}  // namespace course
