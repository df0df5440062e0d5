// Reports of findings for programs in which no grader collects them: programs of kitcc, demos, the playground.
#pragma once

#include <facts/finding.hpp>
#include <string>
#include <vector>

namespace kit::words {

/// Returns what happened, the lines of source with the action of each thread there, the missing order, what to do, and the page about it,
/// if one is given. The lines have at most `width` columns, and only the first one begins with "kit: ".
std::string report_of(const facts::Finding& finding, const std::string& page, int width);

/// Returns the summary at the end of the program: each report, and how many times it occurred.
std::string summary_of(const std::vector<facts::Finding>& reports, int width);

/// Reports that KIT_CHECK_BLOCKS left blocks unchecked.
std::string partly_checked(std::uint64_t blocks);

}  // namespace kit::words
