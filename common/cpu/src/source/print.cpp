// Findings on standard error. Nothing else in the executor uses the words of common/words.
#include <cstdio>
#include <diagnoses.hpp>
#include <set>
#include <words/finding.hpp>
#include <words/names.hpp>

#include "findings.hpp"

namespace kit::cpu {

void print_finding(const Finding& finding) {
    static auto& explained = *new std::set<std::string>;
    std::fprintf(stderr, "kit: %s\n", words::text_of(finding).c_str());
    if (explained.insert(finding.kind).second)
        std::fprintf(stderr, "kit: more: %s\n", page_of(finding.kind).c_str());
}

void print_repetition(const Finding& finding, std::uint64_t again) {
    std::fprintf(stderr, "kit: %s at %s: seen %llu more time%s\n", finding.kind.c_str(),
                 words::text_of(finding.place).c_str(), static_cast<unsigned long long>(again),
                 again == 1 ? "" : "s");
}

}  // namespace kit::cpu
