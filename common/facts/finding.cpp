// Finds the lines that a finding or a failure names, and whether a failure has facts.
#include <facts/outcome.hpp>

namespace kit::facts {

std::vector<Where> lines_of(const Finding& finding) {
    std::vector<Where> lines;
    const auto add = [&](const Where& where) {
        if (where.line > 0) lines.push_back(where);
    };
    for (const Access& access : finding.accesses) add(access.at);
    // After a time-out, the thread that ran is at fault, not the threads that wait for it.
    for (const Waiting& group : finding.waiting)
        if (finding.rule != Rule::endless_kernel) add(group.at);
    add(finding.at);
    add(finding.other_at);
    for (const Call& call : finding.calls) add(call.at);
    for (const Value& value : finding.values) add(value.line);
    return lines;
}

Line first_line_of(const Failure& failure) {
    return failure.finding ? failure.finding->place : failure.at;
}

std::vector<Where> lines_of(const Failure& failure) {
    std::vector<Where> lines;
    if (failure.finding) lines = lines_of(*failure.finding);
    if (const Line first = first_line_of(failure); lines.empty() && first.line > 0) lines.emplace_back(first);
    return lines;
}

bool is_empty(const Difference& difference) {
    return difference.what.empty() && difference.elements.empty() && difference.first == 0;
}

bool is_empty(const Count& count) {
    return count.name.empty();
}

bool is_empty(const RuntimeError& error) {
    return error.name.empty() && error.text.empty();
}

bool is_empty(const End& end) {
    return end.fault == Fault::none;
}

}  // namespace kit::facts
