// What lectures and slides quote from records: numbers, conditions, tables and output, compared and written anew.
// lectures/results.md tells authors how that is written.
#pragma once

#include "records.hpp"

namespace course {

struct NumbersReport {
    int pages = 0, numbers = 0, conditions = 0, tables = 0, outputs = 0;
    Lines written;          ///< one line for each page that was changed
    Complaints complaints;  ///< FILE:LINE: what is wrong
};

/// Looks at every page of lectures/NN_*/ and at slides/NN_*.md. What differs from the records is written anew, or complained
/// about.
NumbersReport check_numbers(const fs::path& root, bool write);

}  // namespace course
