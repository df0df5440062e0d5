// Splits CUDA source into tokens without losing anything. Each token knows its position in the text, so a rewrite is a few local edits, and
// all other bytes and line numbers stay unchanged.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kit::translate {

enum class Kind { identifier, number, string, character, punctuation, directive };

/// A token. `<<<` and `<<` are one token, but each `>` is a separate token, because `>>` may close two template lists.
struct Token {
    Kind kind;
    std::string_view text;
    std::size_t offset;  ///< position of its first character in the source
    int line;            ///< counted from 1, or from the number of a #line directive
    int match = -1;      ///< index of the matching bracket of (), [] or {}; -1 if there is none

    bool is(std::string_view wanted) const { return kind != Kind::string && text == wanted; }
    std::size_t end() const { return offset + text.size(); }
};

/// The tokens of the file itself, or of the body of one #define. Matching brackets are always in the same stream.
struct Stream {
    std::vector<Token> tokens;
    bool macro = false;
    std::string_view name;                     ///< the macro's name
    std::vector<std::string_view> parameters;  ///< the macro's parameters, as written; "..." is __VA_ARGS__

    int size() const { return static_cast<int>(tokens.size()); }
    const Token& operator[](int index) const { return tokens[index]; }
    /// Returns the token's text; empty outside the stream.
    std::string_view text(int index) const { return index >= 0 && index < size() ? tokens[index].text : ""; }
    bool is(int index, std::string_view wanted) const {
        return index >= 0 && index < size() && tokens[index].is(wanted);
    }
    bool is_identifier(int index) const {
        return index >= 0 && index < size() && tokens[index].kind == Kind::identifier;
    }
    bool is_parameter(int index) const;
};

/// Returns the source with every launch as `<<<1, 2>>>`. Some editors write `k << <1, 2 >> > (p)`, which nvcc accepts, too. Moves only
/// these blanks.
std::string with_whole_chevrons(std::string source);

/// Returns the streams: the first is the file, the others are macros. Comments and text under `#if 0` are not tokens.
std::vector<Stream> tokenize(std::string_view source);

}  // namespace kit::translate
