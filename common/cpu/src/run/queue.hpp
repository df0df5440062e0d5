// Queued work: operations, what each must wait for, and the loop that runs exactly what a synchronisation
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

/// What a piece of work is decides which memory it may touch: kernels all of the device's, copies what they
/// open themselves (see DeviceWindow), host functions none.
enum class Work { kernel, copy, host_function };

struct Meeting;

/// One piece of queued work. It may run when everything in `after` is done.
struct Operation {
    std::uint64_t id = 0;  ///< order of submission; what it waits for has smaller numbers, but at a meeting
    WorkStamp stamp;       ///< what it is ordered with, for the checks
    std::vector<std::shared_ptr<Operation>> after;
    std::function<cudaError_t()> run;  ///< empty for a mere marker
    Work work = Work::copy;
    int device = -1;  ///< of its stream; nodes of graphs have none, their end has
    bool done = false;
    bool begun = false;  ///< it runs, or waits for others: see pause.hpp
    std::chrono::steady_clock::time_point finished;
    std::vector<std::shared_ptr<Meeting>> meetings;  ///< that its end belongs to, see meeting.hpp
    std::uint64_t visit = 0;                         ///< scratch for the search in queue.cpp
    std::size_t slot = 0;                            ///< scratch
};
using OperationPtr = std::shared_ptr<Operation>;

/// Queues work that comes after `before`, and so after the earlier work of its `row` (see WorkStamp::stream), if there is any.
OperationPtr add_work(std::uint64_t row, WorkLabel label, std::function<cudaError_t()> run,
                      const std::vector<OperationPtr>& before);

/// Queues a node of a graph: it comes after `after` and nothing else. Nodes of one `row` (see WorkStamp::stream)
/// must come one after another.
OperationPtr enqueue_node(std::uint64_t row, WorkLabel label, std::function<cudaError_t()> run,
                          const std::vector<OperationPtr>& after);

/// An operation that is done when all of these are. It is not queued: one may only wait for it.
OperationPtr end_of(const std::vector<OperationPtr>& work);

/// Runs the operation and what it waits for, nothing else. An execution error becomes sticky and drops all
/// work.
cudaError_t finish(const OperationPtr& operation);
cudaError_t finish_all();
/// Runs all work of the device's streams; the host has then waited for it, and for `ends`, of which some may be done already.
cudaError_t finish_work_of_device(int device, std::vector<OperationPtr> ends);

/// Success when it is done; otherwise runs one operation that it waits for and answers "not ready".
cudaError_t query(const OperationPtr& operation);

bool work_is_pending();

/// The work that a wait for this operation, or for this device, would run.
std::vector<OperationPtr> work_before(const OperationPtr& end);
std::vector<OperationPtr> work_of_device(int device);

/// Host code waits for queued work by other means than CUDA's, a flag that it looks at again and again: runs the oldest
/// piece, and the host has waited for it.
void run_for_polling_host();

/// The operation that runs now, or else the host code that does.
WorkStamp work_now();

/// Another operation runs from now on; says which one did.
const Operation* exchange_running_operation(const Operation* operation);

/// Is there work that nobody runs and that waits for nothing? Runs it, and what it lets begin.
bool work_could_begin();
void run_what_could_begin();

/// A piece of work that the running operation consists of: a node in the body of a conditional node, or in a graph that a
/// kernel has launched. It comes after `before`, and is done before the operations `within` are.
struct PartOfWork {
    std::uint64_t row;
    WorkClock before;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> within;
    Work work;
    std::function<cudaError_t()> run;  ///< empty for nodes that only stand in the order
};
/// Runs it now, within the running operation; `stamp` says where it stands. Device memory must be accessible.
cudaError_t run_part(PartOfWork part, WorkStamp& stamp);

/// Forgets all queued work: none of it runs any more.
void drop_all_work();

}  // namespace kit::cpu
