// Tables of topics and exercises are generated from the manifest. They are between two comments of a page:
//
//     <!-- topics -->        README.md: all topics                <!-- /topics -->
//     <!-- exercises -->     tasks, decks: all exercises          <!-- /exercises -->
//     <!-- exercises: tree fast -->     a deck with several such slides: these exercises
#pragma once

#include "quotes.hpp"

namespace course {

/// Returns the page with its tables as they should be. Complains if an exercise of the page's topic is in no table.
Revision list(const Course& course, const fs::path& page);

/// Returns the pages that have such tables: README.md, the tasks and the decks.
std::vector<fs::path> listing_pages(const Course& course);

}  // namespace course
