// Operations that several streams perform together: no party's part ends before the parts of all have started. A collective of a
// library for several devices is a meeting. Called with the API lock held.
#pragma once

#include "stream.hpp"

namespace kit::cpu {

/// One meeting. A party's part is two operations of its stream, the start and the end.
struct Meeting {
    explicit Meeting(std::size_t parties) : begun(parties), ended(parties) {}
    virtual ~Meeting() = default;
    Meeting(const Meeting&) = delete;
    Meeting& operator=(const Meeting&) = delete;

    /// Returns whether every party has arrived.
    bool complete() const;
    /// Reports why it never ends: a party has not arrived, or it waits for a party that waits for this meeting.
    virtual void tell_stuck() const = 0;

    std::vector<OperationPtr> begun, ended;  ///< operations by party; null: the party has not arrived
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

/// Returns whether any meeting for which the operations wait lacks a party, so a different host thread may have to call first.
bool lacks_party(const std::vector<OperationPtr>& operations);

/// Returns whether there has been a meeting in this process.
bool meetings_happen();

}  // namespace kit::cpu
