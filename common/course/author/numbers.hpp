// Quotes from records in lectures and slides: compares numbers, conditions, tables and output with the records, and can rewrite them.
// lectures/results.md explains the syntax to authors.
#pragma once

#include "records.hpp"

namespace course {

struct NumbersReport {
    int pages = 0, numbers = 0, conditions = 0, tables = 0, outputs = 0;
    Lines written;          ///< one line for each page that was changed
    Complaints complaints;  ///< FILE:LINE: what is wrong
};

/// Checks every page of lectures/NN_*/ and slides/NN_*.md. Rewrites text that differs from the records, or reports it.
NumbersReport check_numbers(const fs::path& root, bool write);

}  // namespace course
