// Findings: kept for the grader, or printed as they are made.
#include "finding.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <diagnoses.hpp>
#include <fstream>
#include <mutex>
#include <set>

#include "symbols.hpp"

namespace kit::cpu {
namespace {

std::mutex mutex;
std::vector<Finding> kept;
bool collecting = false;

}  // namespace

void add_finding(Finding finding) {
    if (!finding_row(finding.kind.c_str())) {  // for whoever adds a check: every kind has a row and a page
        std::fprintf(stderr, "kit: no kind \"%s\" in common/diagnoses.hpp: %s\n", finding.kind.c_str(),
                     finding.message.c_str());
        std::abort();
    }
    finding.place = look_up(finding.place);
    std::lock_guard lock(mutex);
    if (!collecting) {
        std::fflush(stdout);
        print_finding(finding);
        return;
    }
    for (const Finding& known : kept)  // the same mistake in another block is no news
        if (known.kind == finding.kind && known.place.line == finding.place.line &&
            !std::strcmp(known.place.file, finding.place.file))
            return;
    kept.push_back(std::move(finding));
}

void print_finding(const Finding& finding) {
    static auto& explained = *new std::set<std::string>;
    std::fprintf(stderr, "kit: %s\n", finding.message.c_str());
    if (explained.insert(finding.kind).second)
        std::fprintf(stderr, "kit: more: %s\n", page_of(finding.kind).c_str());
}

std::vector<Finding> take_findings() {
    std::lock_guard lock(mutex);
    return std::move(kept);
}

void collect_findings(bool collect) {
    std::lock_guard lock(mutex);
    collecting = collect;
}

std::string describe(Place place) {
    place = look_up(place);
    if (!place.line) return "an unknown line";
    const char* slash = std::strrchr(place.file, '/');
    std::string text = "line " + std::to_string(place.line) + " of " + (slash ? slash + 1 : place.file);
    std::ifstream file(place.file);
    std::string line;
    for (int i = 0; i < place.line && std::getline(file, line); ++i) {
    }
    const auto first = line.find_first_not_of(" \t");
    if (!file || first == std::string::npos) return text;
    const auto last = line.find_last_not_of(" \t\r");
    return text + ": `" + line.substr(first, std::min<std::size_t>(last - first + 1, 80)) + "`";
}

}  // namespace kit::cpu
