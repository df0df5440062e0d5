// A deck of slides as Marp reads it, made of slides/TOPIC.md: code, output and figures are put in, columns become elements, and
// comments about numbers vanish, as Marp would take them for speaker notes. Everything that an author can get wrong in the text
// is found here and named with its line; slides/README.md has the rules.
#pragma once

#include "text.hpp"

namespace course {

struct Deck {
    std::string text;
    Lines complaints;             ///< "slides/TOPIC.md:7: what is wrong", in the order of the lines
    std::vector<fs::path> files;  ///< what it was made from, the deck first; relative to the root
};

/// `file` is relative to the root. Throws Error only if it cannot be read.
Deck read_deck(const fs::path& root, const fs::path& file);

/// What is wrong with number, order, headlines and notes of its slides.
Lines complaints_about_shape(const fs::path& root, const fs::path& file, const Deck& deck);
/// The complaints about its text or, if there are none, those about its shape.
Lines complaints_about_deck(const fs::path& root, const fs::path& file, const Deck& deck);

}  // namespace course
