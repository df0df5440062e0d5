// Splits CUDA source into tokens. Each token knows its position in the text, so a rewrite consists of a few
// local edits, and all other bytes and the line numbers stay unchanged.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kit::translate {

enum class Kind { identifier, number, string, character, punctuation, directive };

/// One token. `<<<` and `<<` are single tokens, but each `>` is a token, because `>>` can close two template
/// lists.
struct Token {
    Kind kind;
    std::string_view text;
    std::size_t offset;  ///< position of its first character in the source
    int line;            ///< line number, counted from 1 or from the number in a #line directive
    int match = -1;      ///< index of the matching bracket for (), [] and {}; -1 if there is none

    bool is(std::string_view wanted) const { return kind != Kind::string && text == wanted; }
    std::size_t end() const { return offset + text.size(); }
};

/// The tokens of a file, or of the text of one #define. Matching brackets are always in the same stream.
struct Stream {
    std::vector<Token> tokens;
    bool macro = false;
    std::string_view name;                     ///< name of the macro; empty for the file
    std::vector<std::string_view> parameters;  ///< parameters of the macro as they are written; "..." stands
                                               ///< for __VA_ARGS__

    int size() const { return static_cast<int>(tokens.size()); }
    const Token& operator[](int index) const { return tokens[index]; }
    /// Returns the text of a token; empty for an index outside of the stream.
    std::string_view text(int index) const { return index >= 0 && index < size() ? tokens[index].text : ""; }
    bool is(int index, std::string_view wanted) const {
        return index >= 0 && index < size() && tokens[index].is(wanted);
    }
    bool is_identifier(int index) const {
        return index >= 0 && index < size() && tokens[index].kind == Kind::identifier;
    }
    bool is_parameter(int index) const;
};

/// Returns the source with every launch written as `<<<1, 2>>>`. Some editors write `k << <1, 2 >> > (p)`,
/// which nvcc accepts. All other text stays where it is.
std::string with_whole_chevrons(std::string source);

/// Returns the streams: first the file, then each macro. Comments and text under `#if 0` are not tokens.
std::vector<Stream> tokenize(std::string_view source);

}  // namespace kit::translate
