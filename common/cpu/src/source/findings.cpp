// Stores findings for the grader, or prints them immediately.
#include "findings.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <diagnoses.hpp>
#include <fstream>
#include <mutex>
#include <set>

#include "source_lines.hpp"

namespace kit::cpu {
namespace {

std::mutex mutex;
std::vector<Finding> kept, remarks;
bool collecting = false;

bool same_mistake(const Finding& a, const Finding& b) {
    return a.kind == b.kind && a.place == b.place;
}

// The findings that were printed, each with how many times it occurred. Never destroyed, because the summary
// is printed when the process ends.
auto& printed = *new std::vector<Finding>;
bool seen_again = false;

void summarize() {
    if (seen_again) print_summary(printed);
}

/// Returns whether two findings are about the same variable. Two variables of one line can both be wrong.
bool same_variable(const facts::Memory& a, const facts::Memory& b) {
    return a.kind == b.kind && a.name == b.name && a.made_at == b.made_at && a.number == b.number;
}

/// Returns the printed finding with the same content; null if there is none. A line that uses memory
/// allocated in a loop often repeats a finding.
Finding* known(const Finding& finding) {
    constexpr unsigned most_variables = 4;
    Finding* last = nullptr;
    unsigned variables = 0;
    for (Finding& one : printed) {
        if (!same_mistake(one, finding) || lines_of(one) != lines_of(finding)) continue;
        if (same_variable(one.memory, finding.memory)) return &one;
        last = &one;
        ++variables;
    }
    return variables < most_variables ? nullptr : last;
}

/// Prints a finding when it occurs for the first time, because the program may hang or crash afterwards. When
/// the finding occurs again, only counts it.
void tell(Finding finding) {
    if (Finding* const same = known(finding)) {
        same->times += finding.times;
        seen_again = true;
        return;
    }
    if (printed.empty()) std::atexit(summarize);
    std::fflush(stdout);
    print_finding(finding);
    printed.push_back(std::move(finding));
}

}  // namespace

void add_finding(Finding finding) {
    if (!finding_row(
            finding.kind
                .c_str())) {  // reminds the author of a new check that its kind needs a row in the tables and
                              // a page
        std::fprintf(stderr, "kit: no kind \"%s\" in common/diagnoses.hpp\n", finding.kind.c_str());
        std::abort();
    }
    std::lock_guard lock(mutex);
    if (!collecting) return tell(std::move(finding));
    for (const Finding& known : kept)  // ignores the same mistake in a different block
        if (same_mistake(known, finding)) return;
    kept.push_back(std::move(finding));
}

bool collects_findings() {
    const std::lock_guard lock(mutex);
    return collecting;
}

void add_remark(Finding remark) {
    std::lock_guard lock(mutex);
    if (!collecting) return;
    for (const Finding& known : remarks)
        if (same_mistake(known, remark)) return;
    remarks.push_back(std::move(remark));
}

std::vector<Finding> take_remarks() {
    std::lock_guard lock(mutex);
    return std::move(remarks);
}

std::vector<Finding> take_findings() {
    std::lock_guard lock(mutex);
    return std::move(kept);
}

void collect_findings(bool collect) {
    std::lock_guard lock(mutex);
    collecting = collect;
}

namespace {

std::string read_line(const Place& place) {
    std::ifstream file(place.line ? place.file : "");
    std::string line;
    for (int i = 0; i < place.line && std::getline(file, line); ++i) {
    }
    const auto first = line.find_first_not_of(" \t");
    if (!file || first == std::string::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

/// The line that was read last is cached: a copy of memory with gaps describes each gap, and names the line
/// that allocated it.
std::string source_text(Place place) {
    struct Line {
        std::string file;
        int line = 0;
        std::string text;
    };
    thread_local Line& last = *new Line;  // never destroyed, because a report reads it when the process ends
    place = look_up(place);
    if (last.line != place.line || last.file != place.file) last = {place.file, place.line, read_line(place)};
    return last.text;
}

facts::Line line_of(Place place) {
    place = look_up(place);
    if (!place.line) return {};
    return {place.file, place.line, source_text(place)};
}

Spot::Spot(Place place, const void* instruction, const std::string& kernel)
    : place(place), caller(instruction ? line_of_caller(instruction, kernel, false) : Place{}) {}

facts::Where where_of(const Spot& spot) {
    return {line_of(spot.place), line_of(spot.caller)};
}

facts::Where where_queued(const Place& place, const HostCalls& calls) {
    if (!look_up(place).line) return {line_of(first_line(calls)), {}};
    return {line_of(place), line_of(caller_in(calls, place))};
}

Finding finding(facts::Rule rule, const Spot& spot, Place first) {
    Finding finding(rule);
    finding.at = where_of(spot);
    finding.place = line_of(first);
    return finding;
}

Finding finding_about(facts::Rule rule, Place place) {
    Finding finding(rule);
    finding.place = line_of(place);
    return finding;
}

Finding finding(facts::Rule rule, const Spot& spot) {
    Finding finding(rule);
    finding.at = where_of(spot);
    finding.place = finding.at;
    return finding;
}

}  // namespace kit::cpu
