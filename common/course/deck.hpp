// A deck of slides as Marp reads it, made of slides/TOPIC.md. Everything that an author can get wrong in the text is found here
// and named with its line; slides/README.md has the rules. What becomes of the text:
//
//     <!-- code: FILE REGION [lines=1,5-9] [mark=2-3] -->    the region's lines, in a block of code; marked ones are listed behind
//                                                            its language, "cpp mark=2,3"
//     <!-- output: FILE ... -->                              the excerpt (excerpt.hpp)
//     <!-- column -->, <!-- columns end -->                  elements
//     ![what it shows](FILE.svg "caption")                   the same with the whole path of the figure
//     [text](08_scan.md)                                     a link to the page of that deck
//     comments about numbers                                 nothing: Marp would take them for speaker notes
#pragma once

#include <vector>

#include "text.hpp"

namespace course {

struct Deck {
    std::string text;
    std::vector<std::string> complaints;  ///< "slides/TOPIC.md:7: what is wrong", in the order of the lines
    std::vector<fs::path> files;          ///< what it was made from, the deck first; relative to the root
};

/// `file` is relative to the root. Throws Error only if it cannot be read.
Deck read_deck(const fs::path& root, const fs::path& file);

}  // namespace course
