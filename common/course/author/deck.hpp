// Reads a deck from slides/TOPIC.md and produces the form that Marp reads: it inserts code, output and figures, turns columns into
// elements, and removes comments about numbers, which Marp would treat as speaker notes. It reports every mistake in the text with its
// line; slides/README.md has the rules.
#pragma once

#include "text.hpp"

namespace course {

struct Deck {
    std::string text;
    Lines complaints;             ///< "slides/TOPIC.md:7: what is wrong", in the order of the lines
    std::vector<fs::path> files;  ///< the files that it was made from, the deck first, relative to the root
};

/// Reads a deck. `file` is relative to the root. Throws Error only if the file cannot be read.
Deck read_deck(const fs::path& root, const fs::path& file);

/// Returns the complaints about number, order, headlines and notes of its slides.
Lines complaints_about_shape(const fs::path& root, const fs::path& file, const Deck& deck);
/// Returns the complaints about its text or, if there are none, those about its shape.
Lines complaints_about_deck(const fs::path& root, const fs::path& file, const Deck& deck);

}  // namespace course
