// Queued work: the operations, the work for which each of them must wait, and the loop that runs only the
// work that a synchronization needs. All functions are called with the API lock held.
#pragma once

#include <driver_types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <kit_cpu/thread.hpp>
#include <map>
#include <memory>
#include <vector>

#include "work_order.hpp"

namespace kit::cpu {

/// The kind of a piece of work. The kind decides which memory the work can access: a kernel all device
/// memory, a copy the ranges that it opens (see DeviceWindow), and a host function none.
enum class Work { kernel, copy, host_function };

struct Meeting;

/// One piece of queued work. An operation can run when all operations in `after` are done.
struct Operation {
    std::uint64_t id =
        0;  ///< number in the order of submission; larger than the numbers of the work that it waits for,
            ///< except at a meeting
    WorkStamp stamp;  ///< position in the order of all work, for the checks
    std::vector<std::shared_ptr<Operation>> after;
    std::function<cudaError_t()> run;  ///< empty for a mark
    Work work = Work::copy;
    int device = -1;  ///< device of the operation's stream; -1 for nodes of graphs, but the end of a graph
                      ///< launch has one
    bool done = false;
    bool begun = false;  ///< whether the operation runs, or waits for other kernels (pause.hpp)
    std::chrono::steady_clock::time_point finished;
    std::vector<std::shared_ptr<Meeting>> meetings;  ///< meetings in which this ends a part (meeting.hpp)
    std::uint64_t visit = 0;                         ///< scratch variable for the search in queue.cpp
    std::size_t slot = 0;                            ///< scratch variable for queue.cpp
};
using OperationPtr = std::shared_ptr<Operation>;

/// Queues work that runs after `before`. `before` must include the latest earlier work of this `row` (see
/// WorkStamp::stream).
OperationPtr add_work(std::uint64_t row, WorkLabel label, std::function<cudaError_t()> run,
                      const std::vector<OperationPtr>& before);

/// Queues a node of a graph, which waits only for `after`. Nodes of one `row` (see WorkStamp::stream) must be ordered one after
/// another.
OperationPtr enqueue_node(std::uint64_t row, WorkLabel label, std::function<cudaError_t()> run,
                          const std::vector<OperationPtr>& after);

/// Returns an operation that is done when all of `work` is done. The returned operation is not queued; other
/// operations can only wait for it.
OperationPtr end_of(const std::vector<OperationPtr>& work);

/// Runs only this operation and the work for which it waits. An execution error becomes sticky and drops all
/// queued work.
cudaError_t finish(const OperationPtr& operation);
cudaError_t finish_all();
/// Runs all work in the device's streams. The host counts as having waited for this work and for `ends`, some
/// of which may be done already.
cudaError_t finish_work_of_device(int device, std::vector<OperationPtr> ends);

/// Returns success if the operation is done. If it is not done, runs one operation for which it waits, and
/// returns cudaErrorNotReady.
cudaError_t query(const OperationPtr& operation);

bool work_is_pending();
/// Returns whether host code may access memory at the same time as queued work, because it has not waited for that work.
bool host_may_race();

/// Returns the work that would run if the host waited for this operation, or for this device.
std::vector<OperationPtr> work_before(const OperationPtr& end);
std::vector<OperationPtr> work_of_device(int device);

/// Runs the oldest piece of queued work. Called when host code waits without a CUDA call, for example by
/// polling a flag. The host then counts as having waited for this piece. But if the flag at `address` is in memory that kernels can
/// access, the host counts as ordered only after what the kernel releases by the flag.
void run_for_polling_host(const volatile void* address = nullptr);

/// Returns the operation that is running, or the host code if none is running.
WorkStamp work_now();

/// Sets the running operation, and returns the previous one.
const Operation* exchange_running_operation(const Operation* operation);

/// work_could_begin() returns whether there is work that waits for nothing and that no thread is running.
/// run_what_could_begin() runs that work, and the work that can start afterwards.
bool work_could_begin();
void run_what_could_begin();

/// A part of the running operation: a node in the body of a conditional node, or in a graph that a kernel has
/// launched. The part is ordered after `before`, and finishes before the operations in `within` do.
struct PartOfWork {
    std::uint64_t row;
    WorkClock before;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> within;
    Work work;
    std::function<cudaError_t()> run;  ///< empty for nodes that only mark a position in the order
};
/// Runs the part now, within the running operation. `stamp` is its position in the order. The caller has made
/// device memory accessible.
cudaError_t run_part(PartOfWork part, WorkStamp& stamp);

/// Drops all queued work without running it.
void drop_all_work();

}  // namespace kit::cpu
