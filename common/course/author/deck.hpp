// Converts a deck, slides/TOPIC.md, to the form that Marp reads: inserts code, output and figures, turns
// columns into elements, and removes comments about numbers, which Marp would show as speaker notes. Every
// mistake in the text is reported with its line. slides/README.md has the rules.
#pragma once

#include "text.hpp"

namespace course {

struct Deck {
    std::string text;
    Lines complaints;             ///< sentences such as "slides/TOPIC.md:7: what is wrong", sorted by line
    std::vector<fs::path> files;  ///< the files from which the deck was made, the deck itself first, relative
                                  ///< to the root
};

/// Reads a deck. `file` is relative to the root. Throws Error only if the file cannot be read.
Deck read_deck(const fs::path& root, const fs::path& file);

/// Returns the complaints about the number and the order of the slides, their headlines and their notes.
Lines complaints_about_shape(const fs::path& root, const fs::path& file, const Deck& deck);
/// Returns the complaints about the text of a deck or, if there are none, those about its shape.
Lines complaints_about_deck(const fs::path& root, const fs::path& file, const Deck& deck);

}  // namespace course
