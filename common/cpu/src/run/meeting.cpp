// Orders the parts of a meeting: the end of each part waits for the starts of all parts, including those that
// are queued later.
#include "meeting.hpp"

#include <algorithm>

namespace kit::cpu {
namespace {

bool happened = false, by_threads = false;

void wait_for(const OperationPtr& end, const OperationPtr& begin) {
    if (!end || end->done || !begin || begin->done) return;
    end->after.push_back(begin);
}

/// Returns the function that ends the part. The function returns an error if a party has not arrived.
std::function<cudaError_t()> end_of(const Part& part) {
    return [meetings = part.meetings, end = part.end] {
        for (const Attendance& one : meetings) {
            if (one.meeting->complete()) continue;
            one.meeting->tell_stuck();
            return cudaErrorLaunchFailure;
        }
        return end();
    };
}

/// Returns the label of the mark that starts a part. The part itself is one piece of work.
WorkLabel mark_of(WorkLabel label) {
    label.kind = WorkKind::mark;
    return label;
}

OperationPtr connect(const OperationPtr& begin, const OperationPtr& end, const Part& part) {
    happened = true;
    for (const Attendance& one : part.meetings) {
        Meeting& meeting = *one.meeting;
        meeting.begun[one.party] = begin;
        meeting.ended[one.party] = end;
        end->meetings.push_back(one.meeting);
        for (std::size_t other = 0; other < meeting.begun.size(); ++other) {
            if (meeting.begun[other] == begin) continue;
            wait_for(end, meeting.begun[other]);
            wait_for(meeting.ended[other], begin);
        }
    }
    return end;
}

}  // namespace

bool Meeting::complete() const {
    return std::all_of(begun.begin(), begun.end(), [](const OperationPtr& one) { return one != nullptr; });
}

OperationPtr enqueue_part(CUstream_st& stream, const WorkLabel& label, Part part) {
    const OperationPtr begin = enqueue(stream, mark_of(label), part.begin);
    return connect(begin, enqueue(stream, label, end_of(part)), part);
}

OperationPtr enqueue_part_of_graph(std::uint64_t row, const WorkLabel& label, Part part,
                                   const std::vector<OperationPtr>& after) {
    const OperationPtr begin = enqueue_node(row, mark_of(label), part.begin, after);
    return connect(begin, enqueue_node(row, label, end_of(part), {begin}), part);
}

bool lacks_party(const std::vector<OperationPtr>& operations) {
    for (const OperationPtr& operation : operations)
        for (const MeetingPtr& meeting : operation->meetings)
            if (!meeting->complete()) return true;
    return false;
}

bool meetings_happen() {
    return happened;
}

void parties_are_threads() {
    by_threads = true;
}

bool is_pending_forever(const OperationPtr& operation) {
    return by_threads && lacks_party({operation});
}

void abandon(const OperationPtr& end) {
    if (!end || end->begun) return;
    end->meetings.clear();
    end->run = nullptr;
}

}  // namespace kit::cpu
