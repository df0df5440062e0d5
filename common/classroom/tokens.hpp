// A program as a sequence of words in which names, comments, braces and line breaks make no difference: what is left when somebody
// renames and reformats a text.
#pragma once

#include <string>
#include <vector>

namespace classroom {

struct Token {
    std::string text;  ///< "i" for a name that the author chose, "s" for a literal text
    int line = 0;      ///< from 1
};

std::vector<Token> tokens_of(const std::string& source);

}  // namespace classroom
