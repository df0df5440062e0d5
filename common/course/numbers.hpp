// What lectures and slides quote from records: numbers, conditions, tables and output, compared and written anew.
//
//     1.87<!--=v3_gain-->x                           a number; the block at the end says what v3_gain is
//     <!-- table: claims --> ... <!-- /table -->     a table, made from its template in results/tables.md
//     <!-- output: results/h200.txt 3-20 -->         the code block below holds these lines of that file, or
//     <!-- output: results/h200.txt "equal calls" -->    the paragraph of it that contains these words
//     <!-- numbers                                   the block at the end of the page:
//     v3_gain = ladder:v2:us / ladder:v3:us              what its numbers are,
//     holds h200: ladder:v2:us > ladder:v3:us            and what its sentences rest on
//     -->
//
// lectures/results.md tells all of it to authors.
#pragma once

#include "records.hpp"

namespace course {

struct NumbersReport {
    int pages = 0, numbers = 0, conditions = 0, tables = 0, outputs = 0;
    Lines written;          ///< one line for each page that was changed
    Complaints complaints;  ///< FILE:LINE: what is wrong
};

/// Looks at lectures/*/README.md and slides/NN_*.md. What differs from the records is written anew, or complained about.
NumbersReport check_numbers(const fs::path& root, bool write);

}  // namespace course
