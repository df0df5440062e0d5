// Collects the lines that a finding names.
#include <facts/finding.hpp>

namespace kit::facts {

std::vector<Where> lines_of(const Finding& finding) {
    std::vector<Where> lines;
    const auto add = [&](const Where& where) {
        if (where.line > 0) lines.push_back(where);
    };
    for (const Access& access : finding.accesses) add(access.at);
    // After a time-out the thread that ran is at fault, and not those that wait for it.
    for (const Waiting& group : finding.waiting)
        if (finding.rule != Rule::endless_kernel) add(group.at);
    add(finding.at);
    add(finding.other_at);
    for (const Call& call : finding.calls) add(call.at);
    for (const Value& value : finding.values) add(value.line);
    return lines;
}

}  // namespace kit::facts
