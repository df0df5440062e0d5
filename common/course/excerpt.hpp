// A piece of a recorded file that pages show. Behind "<!-- output: " stands one of
//     FILE            all of it
//     FILE 3-12       these lines
//     FILE "words"    the paragraph (lines without an empty one between them) that holds these words
#pragma once

#include "text.hpp"

namespace course {

struct Excerpt {
    std::string file;
    int first = 0, last = 0;  ///< 0: not said
    std::string words;

    /// The lines as they stand there; `folder` is what `file` is relative to. Throws Error, without a place, where they are not.
    std::vector<std::string> lines(const fs::path& folder) const;
};

/// Throws Error, without a place, if `asked` is none of the three.
Excerpt excerpt_of(const std::string& asked);

}  // namespace course
