// Markdown as this course writes it, made into Markdown that Doxygen reads: see filter().
#pragma once

#include <string>

#include "course.hpp"

namespace site {

/// The page `file` of the course, for Doxygen:
/// - headings get the anchors that GitHub gives them, made unique by the page's name;
/// - links to pages and headings become references, links to decks lead to the slides, links to files become "source:FILE", which finish() resolves;
/// - **bold** becomes <b>, because Doxygen wants a letter behind the asterisks;
/// - comments vanish; `<!-- code: FILE REGION -->` leaves a link to the lines behind the block of code;
/// - pictures and collapsed parts are written as HTML, because Doxygen loses their text and their contents.
std::string filter(const Course& course, const std::string& file);

}  // namespace site
