// Markdown without what is not prose: a copy of the text, of the same length, in which code, comments, tags and the targets
// of links are covered. So a place in the copy is the same place in the text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace course {

constexpr char covered_hidden = 1;  ///< as if it were not there: comments, tags, targets of links
constexpr char covered_opaque = 2;  ///< something that is no prose: `code`, images
constexpr char covered_block = 3;   ///< code blocks, and the settings at the top of a deck

struct Comment {
    std::size_t begin = 0, end = 0;
    std::string content;  ///< between <!-- and -->
};

struct Fence {
    std::size_t begin = 0;              ///< of the line that opens it
    std::size_t first = 0, closer = 0;  ///< of its first line, and of the line that closes it
};

struct Masked {
    std::string text;
    std::vector<Comment> comments;
    std::vector<Fence> fences;
    std::vector<std::size_t> unclosed;  ///< comments and code blocks that do not end
};

Masked mask_markdown(const std::string& text);

}  // namespace course
