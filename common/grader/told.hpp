// Finds the source lines of a failure and reads their texts.
#pragma once

#include <facts/json.hpp>
#include <fstream>
#include <grader/case.hpp>
#include <source_path.hpp>
#include <words/outcome.hpp>

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

/// Returns the text of a line without its indentation; empty if the file cannot be read.
inline std::string line_of_file(const std::string& path, int number) {
    std::ifstream file(source_path(path));
    std::string line;
    for (int i = 0; i < number && std::getline(file, line); ++i) {
    }
    const std::size_t first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t\r");
    return file && first != std::string::npos ? line.substr(first, last + 1 - first) : "";
}

/// Returns the failure as a listing of its source lines.
inline words::Told told_of(facts::Failure failure) {
    facts::Line& first = failure.finding ? failure.finding->place : failure.at;
    if (first.line > 0 && first.text.empty() && is_source_file(first.file))
        first.text = line_of_file(first.file, first.line);
    return words::told(failure);
}

/// Returns whether this diagnosis is about wrong values, so that further runs can say more about it.
inline bool about_values(Diagnosis diagnosis) {
    switch (diagnosis) {
        case Diagnosis::not_written:
        case Diagnosis::nan:
        case Diagnosis::tail:
        case Diagnosis::first_block_only:
        case Diagnosis::shifted:
        case Diagnosis::block_offset:
        case Diagnosis::transposed:
        case Diagnosis::constant_output:
        case Diagnosis::precision:
        case Diagnosis::wrong_value:
            return true;
        default:
            return false;
    }
}

/// Returns whether the author's words are about wrong values of one subject. Such failures are the same mistake, whatever the words are.
inline bool has_subject(const facts::Failure& failure) {
    const bool is_value = failure.fault == facts::Fault::one_value ||
                          (failure.fault == facts::Fault::stated && about_values(failure.diagnosis));
    return is_value && !failure.subject.empty();
}

/// Returns a key that is equal for the same mistake in other cases. It has none of the numbers that differ between cases, and no sentence:
/// the line of the test says which of the author's sentences it is.
inline std::string key_of(facts::Failure failure) {
    const facts::Difference values = failure.difference;
    const facts::Line written_at = failure.written_at;
    failure.difference = {};
    if (has_subject(failure)) {
        failure.tasks.clear();
    } else {
        failure.difference.what = values.what;
        if (failure.fault == facts::Fault::one_value) failure.difference.elements = values.elements;
        if (failure.fault != facts::Fault::stated && failure.fault != facts::Fault::late)
            failure.tasks.clear();
    }
    const std::string author =
        has_subject(failure) || failure.finding || failure.fault == facts::Fault::one_value
            ? ""
            : written_at.file + " " + std::to_string(written_at.line);
    failure.sentence.clear(), failure.because.clear(), failure.written_at = {};
    failure.lines.clear();
    failure.count.actual = failure.count.required = 0, failure.count.is_known = false;
    failure.count.bound = {}, failure.end.seconds = 0;
    if (failure.finding) {
        failure.end = {}, failure.subject.clear();
        facts::Finding& finding = *failure.finding;
        finding.times = 1;
        for (facts::Value& value : finding.values) value.number = 0;
        for (facts::Call& call : finding.calls) call.rank = 1;
        finding.memory.bytes = 1;
        finding.launched = {};  // the same kernel may be launched at several lines
        for (facts::Access& access : finding.accesses) access.queued = {};
        if (finding.rule == facts::Rule::endless_kernel) finding.waiting.clear();
    }
    std::string key;
    for (const char c : facts::to_json(failure))
        if (c < '0' || c > '9') key += c;
    for (const int task : failure.tasks) key += " task " + std::to_string(task);
    key += " " + author;
    for (const facts::Where& where : facts::lines_of(failure))
        key += " " + where.file + " " + std::to_string(where.line);
    if (failure.pattern == facts::Pattern::end) {
        key += values.first + 1 == values.of ? " one" : " many";
        key += values.unwritten == values.wrong ? " unwritten" : " written";
        key += values.block ? " block" : "";
    }
    return key;
}

}  // namespace kit::detail
