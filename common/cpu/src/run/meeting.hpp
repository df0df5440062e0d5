// What several streams do together: no party's part ends before the parts of all have begun. A collective of a library for
// several devices is one. Called with the API lock held.
#pragma once

#include "stream.hpp"

namespace kit::cpu {

/// One such occasion. A party's part is two operations of its stream: the first one is where it begins.
struct Meeting {
    explicit Meeting(std::size_t parties) : begun(parties), ended(parties) {}
    virtual ~Meeting() = default;
    Meeting(const Meeting&) = delete;
    Meeting& operator=(const Meeting&) = delete;

    /// Have all come?
    bool complete() const;
    /// Says why it never ends: somebody has not come, or waits for somebody who waits for this one.
    virtual void tell_stuck() const = 0;

    std::vector<OperationPtr> begun, ended;  ///< by party; null: has not come
};
using MeetingPtr = std::shared_ptr<Meeting>;

/// Who comes to which meeting. What a party does at once for several meetings begins, and ends, together.
struct Attendance {
    MeetingPtr meeting;
    std::size_t party;
};

struct Part {
    std::function<cudaError_t()> begin, end;
    std::vector<Attendance> meetings;
};

/// Queues a party's part; the operation is its end.
OperationPtr enqueue_part(CUstream_st& stream, const WorkLabel& label, Part part);
OperationPtr enqueue_part_of_graph(std::uint64_t row, const WorkLabel& label, Part part,
                                   const std::vector<OperationPtr>& after);

/// Does any of what the operations wait for lack a party, so that another host thread may have to come first?
bool lacks_party(const std::vector<OperationPtr>& operations);

/// Has there been any meeting in this process?
bool meetings_happen();

}  // namespace kit::cpu
