// Code in lectures and on the pages of diagnoses is never typed twice: the tool writes it from a region of compiled code.
//
//     <!-- code: solutions/07_reduction/tree.cu kernel -->        the lines between // [kernel] and // [/kernel]
//     ```cpp
//     ```
#pragma once

#include "rules.hpp"

namespace course {

/// A page with its blocks of code as they should be. Everything else in it is byte for byte what it was.
struct Quoted {
    std::string text;
    Complaints complaints;  ///< what keeps a block from being written: no such region, no comment above it
    Complaints outdated;    ///< blocks that were not what they should be
};
Quoted quote(const Course& course, const fs::path& page);

/// The pages that show code: lectures and diagnoses.
std::vector<fs::path> quoting_pages(const Course& course);

}  // namespace course
