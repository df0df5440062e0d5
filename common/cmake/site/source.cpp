// See source.hpp.
#include "source.hpp"

#include <cctype>
#include <cstdio>
#include <set>
#include <vector>

#include "text.hpp"

namespace site {

namespace {

const std::set<std::string>& types() {
    static const std::set<std::string> words = {"auto",   "bool",  "char",   "double",   "float", "int",
                                                "long",   "short", "signed", "unsigned", "void",  "float2",
                                                "float4", "int2",  "int4",   "uint4",    "dim3",  "size_t"};
    return words;
}

const std::set<std::string>& keywords() {
    static const std::set<std::string> words = {"alignas",
                                                "break",
                                                "case",
                                                "catch",
                                                "class",
                                                "const",
                                                "constexpr",
                                                "continue",
                                                "default",
                                                "delete",
                                                "do",
                                                "else",
                                                "enum",
                                                "explicit",
                                                "extern",
                                                "false",
                                                "for",
                                                "friend",
                                                "goto",
                                                "if",
                                                "inline",
                                                "mutable",
                                                "namespace",
                                                "new",
                                                "noexcept",
                                                "nullptr",
                                                "operator",
                                                "private",
                                                "protected",
                                                "public",
                                                "return",
                                                "sizeof",
                                                "static",
                                                "static_assert",
                                                "struct",
                                                "switch",
                                                "template",
                                                "this",
                                                "throw",
                                                "true",
                                                "try",
                                                "typedef",
                                                "typename",
                                                "union",
                                                "using",
                                                "virtual",
                                                "volatile",
                                                "while",
                                                "__global__",
                                                "__device__",
                                                "__host__",
                                                "__shared__",
                                                "__constant__",
                                                "__restrict__",
                                                "__forceinline__",
                                                "__launch_bounds__",
                                                "__managed__",
                                                "__grid_constant__"};
    return words;
}

bool word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string span(const char* kind, const std::string& text) {
    return "<span class=\"" + std::string(kind) + "\">" + escaped(text) + "</span>";
}

/// One line of C++. `in_comment` is carried from line to line.
std::string coloured(const std::string& line, bool& in_comment) {
    const std::size_t start = line.find_first_not_of(' ');
    if (!in_comment && start != std::string::npos && line[start] == '#') return span("preprocessor", line);
    std::string html;
    for (std::size_t at = 0; at < line.size();) {
        std::size_t end = at + 1;
        if (in_comment || line.compare(at, 2, "/*") == 0) {
            end = line.find("*/", in_comment ? at : at + 2);
            in_comment = end == std::string::npos;
            end = in_comment ? line.size() : end + 2;
            html += span("comment", line.substr(at, end - at));
        } else if (line.compare(at, 2, "//") == 0) {
            end = line.size();
            html += span("comment", line.substr(at));
        } else if (line[at] == '"' || (line[at] == '\'' && (at == 0 || !word_character(line[at - 1])))) {
            while (end < line.size() && line[end] != line[at]) end += line[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, line.size());
            html += span("stringliteral", line.substr(at, end - at));
        } else if (word_character(line[at])) {
            while (end < line.size() && word_character(line[end])) ++end;
            const std::string word = line.substr(at, end - at);
            if (types().count(word))
                html += span("keywordtype", word);
            else
                html += keywords().count(word) ? span("keyword", word) : word;
        } else {
            html += escaped(line.substr(at, 1));
        }
        at = end;
    }
    return html;
}

bool is_cpp(const std::string& file) {
    for (const char* ending : {".cu", ".cuh", ".cpp", ".hpp", ".h", "/atomic", "/barrier"}) {
        if (ends(file, ending)) return true;
    }
    return false;
}

}  // namespace

std::string line_anchor(int line) {
    char name[16];
    std::snprintf(name, sizeof name, "l%05d", line);
    return name;
}

std::string source_html(const std::string& file, const std::string& text) {
    const bool colours = is_cpp(file);
    std::string html = "<div class=\"fragment source\">";
    bool in_comment = false;
    int number = 0;
    for (const std::string& line : lines_of(text)) {
        const std::string anchor = line_anchor(++number);
        html += "<div class=\"line\" id=\"" + anchor + "\"><a class=\"lineno\" href=\"#" + anchor + "\">" +
                std::to_string(number) + "</a>" + (colours ? coloured(line, in_comment) : escaped(line)) +
                "</div>\n";
    }
    return html + "</div>\n";
}

}  // namespace site
