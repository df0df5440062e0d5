// Numbers, conditions, tables and output in lectures and slides that come from records. Compares pages and
// decks with the records, and can rewrite the pages and decks. lectures/results.md explains the syntax to
// authors.
#pragma once

#include "records.hpp"

namespace course {

struct NumbersReport {
    int pages = 0, numbers = 0, conditions = 0, tables = 0, outputs = 0;
    Lines written;          ///< one line for each page that was changed
    Complaints complaints;  ///< sentences such as FILE:LINE: what is wrong
};

/// Checks every page in lectures/NN_*/ and slides/NN_*.md. If text differs from the records, rewrites the
/// text (`write`) or adds a complaint.
NumbersReport check_numbers(const fs::path& root, bool write);

}  // namespace course
