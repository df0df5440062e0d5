// Splits CUDA source into tokens without losing anything: each token knows its place in the text, so that a
// rewrite is a handful of local edits and every other byte, and every line number, stays as it was.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kit::translate {

enum class Kind { identifier, number, string, character, punctuation, directive };

/// `<<<` and `<<` are one token; `>` is always a token of its own, because `>>` may close two template lists.
struct Token {
    Kind kind;
    std::string_view text;
    std::size_t offset;  ///< of the first character in the source
    int line;            ///< counted from 1, or from the number of a #line directive
    int match = -1;      ///< index of the other bracket of a pair of (), [] or {}; -1 when there is none

    bool is(std::string_view wanted) const { return kind != Kind::string && text == wanted; }
    std::size_t end() const { return offset + text.size(); }
};

/// The file itself, or the body of one #define. A bracket never finds its partner in another stream.
struct Stream {
    std::vector<Token> tokens;
    bool macro = false;
    std::string_view name;                     ///< the macro's name
    std::vector<std::string_view> parameters;  ///< the macro's parameters, as written; "..." is __VA_ARGS__

    int size() const { return static_cast<int>(tokens.size()); }
    const Token& operator[](int index) const { return tokens[index]; }
    /// The token's text, or nothing outside the stream.
    std::string_view text(int index) const { return index >= 0 && index < size() ? tokens[index].text : ""; }
    bool is(int index, std::string_view wanted) const {
        return index >= 0 && index < size() && tokens[index].is(wanted);
    }
    bool is_identifier(int index) const {
        return index >= 0 && index < size() && tokens[index].kind == Kind::identifier;
    }
    bool is_parameter(int index) const;
};

/// Editors write a launch as `k << <1, 2 >> > (p)`, which nvcc takes, too: the blank is moved after the chevrons. Everything else stays where it is.
std::string with_whole_chevrons(std::string source);

/// streams[0] is the file; comments are not tokens; text under `#if 0` is left out.
std::vector<Stream> tokenize(std::string_view source);

}  // namespace kit::translate
