// Queued work: operations, the work for which each must wait, and the loop that runs exactly the work that a synchronization
// needs. All functions are called with the API lock held.
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

/// The kind of a piece of work decides which memory it can access: kernels all device memory, copies the memory that they open
/// themselves (see DeviceWindow), host functions none.
enum class Work { kernel, copy, host_function };

struct Meeting;

/// One piece of queued work. It can run when everything in `after` is done.
struct Operation {
    std::uint64_t id =
        0;  ///< order of submission; except at a meeting, work for which it waits has smaller numbers
    WorkStamp stamp;  ///< its place in the order, for the checks
    std::vector<std::shared_ptr<Operation>> after;
    std::function<cudaError_t()> run;  ///< empty for a mark
    Work work = Work::copy;
    int device = -1;  ///< device of its stream; nodes of graphs have none, but their end has
    bool done = false;
    bool begun = false;  ///< it runs, or waits for other kernels: see pause.hpp
    std::chrono::steady_clock::time_point finished;
    std::vector<std::shared_ptr<Meeting>> meetings;  ///< meetings to which its end belongs, see meeting.hpp
    std::uint64_t visit = 0;                         ///< scratch for the search in queue.cpp
    std::size_t slot = 0;                            ///< scratch
};
using OperationPtr = std::shared_ptr<Operation>;

/// Queues work after `before`, and therefore after any earlier work of its `row` (see WorkStamp::stream).
OperationPtr add_work(std::uint64_t row, WorkLabel label, std::function<cudaError_t()> run,
                      const std::vector<OperationPtr>& before);

/// Queues a node of a graph, which waits only for `after`. Nodes of one `row` (see WorkStamp::stream) must be ordered one after
/// another.
OperationPtr enqueue_node(std::uint64_t row, WorkLabel label, std::function<cudaError_t()> run,
                          const std::vector<OperationPtr>& after);

/// Returns an operation that is done when all of these are. It is not queued, so you can only wait for it.
OperationPtr end_of(const std::vector<OperationPtr>& work);

/// Runs only the operation and the work for which it waits. An execution error becomes sticky and drops all work.
cudaError_t finish(const OperationPtr& operation);
cudaError_t finish_all();
/// Runs all work of the device's streams. The host has then waited for it, and for `ends`, some of which may already be done.
cudaError_t finish_work_of_device(int device, std::vector<OperationPtr> ends);

/// Returns success if it is done. Otherwise it runs one operation for which this one waits, and returns "not ready".
cudaError_t query(const OperationPtr& operation);

bool work_is_pending();

/// Returns the work that a wait for this operation, or for this device, would run.
std::vector<OperationPtr> work_before(const OperationPtr& end);
std::vector<OperationPtr> work_of_device(int device);

/// Called when host code waits for queued work without a CUDA call, such as by polling a flag. Runs the oldest piece, and the
/// host has then waited for it.
void run_for_polling_host();

/// Returns the operation that runs now, or the host code if none does.
WorkStamp work_now();

/// Sets the operation that runs now, and returns the previous one.
const Operation* exchange_running_operation(const Operation* operation);

/// work_could_begin() returns whether there is work that waits for nothing and that no thread runs. run_what_could_begin() runs it,
/// and the work that can start after it.
bool work_could_begin();
void run_what_could_begin();

/// A part of the running operation: a node in the body of a conditional node, or in a graph that a kernel has launched. It is
/// ordered after `before`, and finishes before the operations `within`.
struct PartOfWork {
    std::uint64_t row;
    WorkClock before;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> within;
    Work work;
    std::function<cudaError_t()> run;  ///< empty for nodes that only have a place in the order
};
/// Runs it now, within the running operation. `stamp` is its place in the order. Device memory must be accessible.
cudaError_t run_part(PartOfWork part, WorkStamp& stamp);

/// Drops all queued work without running it.
void drop_all_work();

}  // namespace kit::cpu
