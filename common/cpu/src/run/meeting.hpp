// Meetings: operations that several streams perform together, such as a collective of NCCL. No party's part
// ends before the parts of all parties have started. Called with the API lock held.
#pragma once

#include "stream.hpp"

namespace kit::cpu {

/// One meeting. Each party queues two operations into its stream: the start and the end of its part.
struct Meeting {
    explicit Meeting(std::size_t parties) : begun(parties), ended(parties) {}
    virtual ~Meeting() = default;
    Meeting(const Meeting&) = delete;
    Meeting& operator=(const Meeting&) = delete;

    /// Returns whether every party has arrived.
    bool complete() const;
    /// Reports why the meeting never ends: a party has not arrived, or a party waits for another party that
    /// waits for this meeting.
    virtual void tell_stuck() const = 0;

    std::vector<OperationPtr> begun, ended;  ///< first and last operation of each part, by party; null if the
                                             ///< party has not arrived
};
using MeetingPtr = std::shared_ptr<Meeting>;

/// Assigns parties to meetings. If a party acts for several meetings in one call, its parts start together and end together.
struct Attendance {
    MeetingPtr meeting;
    std::size_t party;
};

struct Part {
    std::function<cudaError_t()> begin, end;
    std::vector<Attendance> meetings;
};

/// Queues a party's part and returns the operation that ends it.
OperationPtr enqueue_part(CUstream_st& stream, const WorkLabel& label, Part part);
OperationPtr enqueue_part_of_graph(std::uint64_t row, const WorkLabel& label, Part part,
                                   const std::vector<OperationPtr>& after);

/// Returns whether a meeting that the operations wait for lacks a party. A different host thread may have to
/// call first.
bool lacks_party(const std::vector<OperationPtr>& operations);

/// Returns whether this process has had a meeting.
bool meetings_happen();

/// Records that host threads stand for the parties, as processes do on GPUs. A party that polls its stream then never sees that
/// another party has ended: its part stays unfinished until it is abandoned.
void parties_are_threads();
bool is_pending_forever(
    const OperationPtr& operation);  ///< whether a poll must leave the operation unfinished
/// Makes the end of a part do nothing and wait for no further party.
void abandon(const OperationPtr& end);

}  // namespace kit::cpu
