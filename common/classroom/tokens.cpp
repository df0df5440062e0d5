#include "tokens.hpp"

#include <cctype>
#include <set>

#include "text.hpp"

namespace classroom {

namespace {

/// Words that nobody can rename; every other name is "i".
bool is_given(const std::string& word) {
    static const std::set<std::string> given = {"alignas",
                                                "alignof",
                                                "asm",
                                                "auto",
                                                "bool",
                                                "break",
                                                "case",
                                                "catch",
                                                "char",
                                                "class",
                                                "continue",
                                                "decltype",
                                                "default",
                                                "delete",
                                                "do",
                                                "double",
                                                "else",
                                                "enum",
                                                "extern",
                                                "false",
                                                "float",
                                                "for",
                                                "goto",
                                                "if",
                                                "int",
                                                "long",
                                                "namespace",
                                                "new",
                                                "nullptr",
                                                "operator",
                                                "private",
                                                "public",
                                                "return",
                                                "short",
                                                "signed",
                                                "sizeof",
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
                                                "unsigned",
                                                "using",
                                                "void",
                                                "volatile",
                                                "while",
                                                "threadIdx",
                                                "blockIdx",
                                                "blockDim",
                                                "gridDim",
                                                "warpSize",
                                                "dim3",
                                                "x",
                                                "y",
                                                "z",
                                                "reinterpret_cast",
                                                "static_cast"};
    return given.count(word) || course::begins_with(word, "__") || course::begins_with(word, "cuda") ||
           course::begins_with(word, "atomic") || course::begins_with(word, "CUDA_") ||
           course::begins_with(word, "KIT_");
}

/// What can be added and removed without a thought.
bool makes_no_difference(const std::string& word) {
    static const std::set<std::string> words = {"const", "constexpr", "static", "inline", "std",
                                                "kit",   "{",         "}",      "::"};
    return words.count(word) > 0;
}

bool is_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// "1.0f" and "1." are "1", "2u" is "2"; hexadecimal stays.
std::string number(std::string text) {
    const bool is_hexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
    while (!text.empty() &&
           std::string(is_hexadecimal ? "uUlL" : "uUlLfF").find(text.back()) != std::string::npos)
        text.pop_back();
    if (text.find('.') != std::string::npos && !is_hexadecimal) {
        while (text.back() == '0') text.pop_back();
        if (text.back() == '.') text.pop_back();
    }
    return text.empty() ? "0" : text;
}

}  // namespace

std::vector<Token> tokens_of(const std::string& source) {
    std::vector<Token> tokens;
    int line = 1;
    std::size_t at = 0;
    const std::size_t size = source.size();
    const auto is = [&](const char* text) {
        return source.compare(at, std::char_traits<char>::length(text), text) == 0;
    };
    const auto skip_to = [&](std::size_t end) {
        for (; at < end && at < size; ++at) line += source[at] == '\n';
    };
    const auto add = [&](const std::string& text, int on) {
        if (!makes_no_difference(text)) tokens.push_back({text, on});
    };
    bool line_begins = true;
    while (at < size) {
        const char c = source[at];
        if (c == '\n') line_begins = true;
        if (std::isspace(static_cast<unsigned char>(c))) {
            skip_to(at + 1);
        } else if (is("//") || (line_begins && is("#include"))) {
            skip_to(std::min(source.find('\n', at), size));
        } else if (is("/*")) {
            const std::size_t end = source.find("*/", at + 2);
            skip_to(end == std::string::npos ? size : end + 2);
        } else if (c == '"' || c == '\'') {
            std::size_t end = at + 1;
            while (end < size && source[end] != c && source[end] != '\n') end += source[end] == '\\' ? 2 : 1;
            add("s", line);
            skip_to(end + 1);
        } else if (std::isdigit(static_cast<unsigned char>(c)) ||
                   (c == '.' && at + 1 < size && std::isdigit(static_cast<unsigned char>(source[at + 1])))) {
            std::size_t end = at;
            while (end < size && (is_letter(source[end]) || source[end] == '.' || source[end] == '\'')) ++end;
            add(number(source.substr(at, end - at)), line);
            skip_to(end);
        } else if (is_letter(c)) {
            std::size_t end = at;
            while (end < size && is_letter(source[end])) ++end;
            const std::string word = source.substr(at, end - at);
            add(makes_no_difference(word) || is_given(word) ? word : "i", line);
            skip_to(end);
        } else {
            std::size_t length = 1;
            for (const char* sign :
                 {"<<<", ">>>", "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
                  "!=",  "&&",  "||",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "::"}) {
                if (!is(sign)) continue;
                length = std::char_traits<char>::length(sign);
                break;
            }
            add(source.substr(at, length), line);
            skip_to(at + length);
        }
        if (c != '\n' && !std::isspace(static_cast<unsigned char>(c))) line_begins = false;
    }
    return tokens;
}

}  // namespace classroom
