// Prints findings on standard error. Only this part of the executor and the profile use the sentences of
// common/words.
#include <unistd.h>

#include <cstdio>
#include <diagnoses.hpp>
#include <set>
#include <text_layout.hpp>
#include <words/report.hpp>

#include "findings.hpp"

namespace kit::cpu {
namespace {

int width() {
    constexpr int of_most_terminals = 80;
    return width_of(STDERR_FILENO, of_most_terminals);
}

/// Prints the text with one call, so that no other output appears between its lines.
void print(const std::string& text) {
    std::fputs(text.c_str(), stderr);
}

}  // namespace

void print_finding(const Finding& finding) {
    static auto& explained = *new std::set<std::string>;
    const bool is_news = explained.insert(finding.kind).second;
    print(words::report_of(finding, is_news ? page_of(finding.kind) : "", width()));
}

void print_summary(const std::vector<Finding>& reports) {
    print(words::summary_of(reports, width()));
}

void print_partly_checked(std::uint64_t blocks) {
    print(words::partly_checked(blocks));
}

}  // namespace kit::cpu
