// What a program prints about findings if no grader collects them: programs of kitcc, demos, the playground.
#pragma once

#include <facts/finding.hpp>
#include <string>
#include <vector>

namespace kit::words {

/// What happened, the lines of source with who did what there, what is missing, what to do now, and the page about it, if one is given.
/// In lines of at most `width` columns, of which only the first one begins with "kit: ".
std::string report_of(const facts::Finding& finding, const std::string& page, int width);

/// At the end of the program: each report, and how often it was made in all.
std::string summary_of(const std::vector<facts::Finding>& reports, int width);

/// That KIT_CHECK_BLOCKS leaves blocks unchecked.
std::string partly_checked(std::uint64_t blocks);

}  // namespace kit::words
