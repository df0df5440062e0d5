// What a failure says, and which lines of source it names: of a finding common/words has the sentence, other failures have their own.
#pragma once

#include <fstream>
#include <grader/case.hpp>
#include <source_path.hpp>
#include <words/sentence.hpp>

#ifdef KIT_CPU
#include <facts/json.hpp>
#include <words/finding.hpp>
#endif

namespace kit::detail {

inline std::string without_folder(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

inline bool is_source_file(const std::string& name) {
    for (const char* end : {".cu", ".cuh", ".hpp", ".h", ".cpp"}) {
        const std::string ending = end;
        if (name.size() > ending.size() &&
            name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
            return true;
    }
    return false;
}

/// The text of a line, without its indentation; empty if the file cannot be read.
inline std::string line_of_file(const std::string& path, int number) {
    std::ifstream file(source_path(path));
    std::string line;
    for (int i = 0; i < number && std::getline(file, line); ++i) {
    }
    const std::size_t first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t\r");
    return file && first != std::string::npos ? line.substr(first, last + 1 - first) : "";
}

/// The headline of a failure, in one line.
inline std::string headline_of(const Outcome& outcome) {
#ifdef KIT_CPU
    if (outcome.finding) return words::text_of(*outcome.finding);
#endif
    return outcome.headline;
}

/// The line to look at first, if it is known.
inline facts::Line first_line_of(const Outcome& outcome) {
    if (outcome.finding) return outcome.finding->place;
    return {outcome.file, outcome.line, ""};
}

/// The lines that the failure names, or else the one to look at first.
inline std::vector<facts::Where> lines_of(const Outcome& outcome) {
    std::vector<facts::Where> lines;
#ifdef KIT_CPU
    if (outcome.finding) lines = facts::lines_of(*outcome.finding);
#endif
    if (const facts::Line first = first_line_of(outcome); lines.empty() && first.line > 0)
        lines.emplace_back(first);
    return lines;
}

/// The failure as a listing of source lines.
inline words::Told told_of(const Outcome& outcome) {
    words::Told told;
    told.what = outcome.headline;
#ifdef KIT_CPU
    if (outcome.finding) told = words::told(*outcome.finding);
#endif
    if (facts::Line first = first_line_of(outcome); told.lines.empty() && first.line > 0) {
        if (first.text.empty()) first.text = line_of_file(first.file, first.line);
        told.lines.push_back({first, ""});
    }
    return told;
}

/// The facts that tell two findings apart: all but the numbers.
inline std::string key_of([[maybe_unused]] facts::Finding finding) {
    std::string key;
#ifdef KIT_CPU
    finding.times = 1;
    for (facts::Value& value : finding.values) value.number = 0;
    for (facts::Call& call : finding.calls) call.rank = 1;
    finding.memory.bytes = 1;
    finding.launched = {};  // one kernel may be launched at several lines
    for (facts::Access& access : finding.accesses) access.queued = {};
    for (const char c : facts::to_json(finding))
        if (c < '0' || c > '9') key += c;
#endif
    return key;
}

}  // namespace kit::detail
