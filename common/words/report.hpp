// Reports of findings in programs without the grader: programs of kitcc, demos, the playground.
#pragma once

#include <facts/finding.hpp>
#include <string>
#include <vector>

namespace kit::words {

/// Returns the report about a finding: what happened, the source lines with what each thread does there, the
/// missing order, what to do, and the page about it, if `page` is not empty. The lines have at most `width`
/// columns, and only the first one begins with "kit: ".
std::string report_of(const facts::Finding& finding, const std::string& page, int width);

/// Returns the summary at the end of a program: each report, and how many times it occurred.
std::string summary_of(const std::vector<facts::Finding>& reports, int width);

/// Returns the message that KIT_CHECK_BLOCKS left some blocks unchecked.
std::string partly_checked(std::uint64_t blocks);

}  // namespace kit::words
