#include "work_words.hpp"

namespace kit::cpu {

std::string stream_in_words(const WorkLabel& label) {
    if (label.stream == WorkLabel::of_graph) return "a graph";
    return label.stream ? "stream " + std::to_string(label.stream) : "the default stream";
}

std::string name_in_words(const WorkLabel& label) {
    switch (label.kind) {
        case WorkKind::copy_in:
            return "copy in";
        case WorkKind::copy_out:
            return "copy out";
        case WorkKind::copy:
            return "copy";
        case WorkKind::fill:
            return "fill";
        case WorkKind::host_function:
            return "host fn";
        default:
            return label.what;
    }
}

std::string reason_in_words(const CameAfter& after) {
    switch (after.because) {
        case CameAfter::Because::event: {
            const std::string line = line_in_words(after.place);
            return "an event" + (line.empty() ? "" : ", " + line);
        }
        case CameAfter::Because::default_stream:
            return "the default stream";
        case CameAfter::Because::host:
            return "the host waited";
        case CameAfter::Because::graph:
            return "the graph";
    }
    return "";
}

std::string work_in_words(const WorkLabel& label) {
    const std::string line = line_in_words(label.place), at = line.empty() ? "" : " at " + line,
                      into = " into " + stream_in_words(label);
    if (label.kind == WorkKind::kernel) return "`" + label.what + "`, launched" + at + into;
    if (label.kind == WorkKind::host_function) return host_function_in_words() + ", queued" + at + into;
    return label.what + ", queued" + at + into;
}

std::string work_in_words(const WorkLabel& first, const WorkLabel& second) {
    return work_in_words(first) + "; " + work_in_words(second);
}

std::string host_function_in_words() {
    return "a host function";
}

}  // namespace kit::cpu
