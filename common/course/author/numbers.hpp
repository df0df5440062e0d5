// Quotes from records in lectures and slides: numbers, conditions, tables and output are compared and written again.
// lectures/results.md explains to authors how to write them.
#pragma once

#include "records.hpp"

namespace course {

struct NumbersReport {
    int pages = 0, numbers = 0, conditions = 0, tables = 0, outputs = 0;
    Lines written;          ///< one line for each page that was changed
    Complaints complaints;  ///< FILE:LINE: what is wrong
};

/// Looks at every page of lectures/NN_*/ and at slides/NN_*.md. Text that differs from the records is written again, or
/// reported.
NumbersReport check_numbers(const fs::path& root, bool write);

}  // namespace course
