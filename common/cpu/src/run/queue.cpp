// Runs queued work only when the host waits for it, so a missing synchronization shows as missing results.
#include "queue.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "device/devices.hpp"
#include "device/error.hpp"
#include "device/lock.hpp"
#include "host_watch.hpp"
#include "meeting.hpp"
#include "memory/managed_pages.hpp"
#include "memory/memory.hpp"
#include "pause.hpp"
#include "schedule.hpp"
#include "timeline.hpp"
#include "worker.hpp"

namespace kit::cpu {
namespace {

/// The longest queue. With more operations than this, the oldest work runs early, as on a device whose queue
/// is full.
constexpr std::size_t longest_queue = 1 << 16;

// Never destroyed, because work may still be queued when the program ends.
auto& pending = *new std::map<std::uint64_t, OperationPtr>;  // operations by their id
std::uint64_t last_id = 0, last_visit = 0;
const Operation* running = nullptr;
bool is_polled = false;  // whether the host has seen a flag of a kernel for which it has not waited

bool unfinished(const OperationPtr& operation) {
    return operation && !operation->done;
}

/// Returns the unfinished operations in `stack` and all work for which they wait, in order of submission.
std::vector<OperationPtr> needed(std::vector<OperationPtr> stack) {
    std::vector<OperationPtr> found;
    const std::uint64_t visit = ++last_visit;
    while (!stack.empty()) {
        OperationPtr operation = std::move(stack.back());
        stack.pop_back();
        if (operation->done || operation->visit == visit) continue;
        operation->visit = visit;
        for (const OperationPtr& before : operation->after) stack.push_back(before);
        found.push_back(std::move(operation));
    }
    std::sort(found.begin(), found.end(), [](auto& a, auto& b) { return a->id < b->id; });
    return found;
}

/// Records the earlier work after which the operation is ordered, and makes it wait for the unfinished part
/// of that work.
void put_behind(Operation& operation, const std::vector<OperationPtr>& before) {
    for (const OperationPtr& earlier : before) {
        work_order().follow(operation.stamp, earlier->stamp);
        if (!earlier->done) operation.after.push_back(earlier);
    }
}

bool kernels_are_pending() {
    return std::any_of(pending.begin(), pending.end(),
                       [](const auto& queued) { return queued.second->work == Work::kernel; });
}

/// Records that the host has waited for the operation.
void host_waited(const OperationPtr& operation) {
    if (operation) work_order().host_waited(operation->stamp);
    if (pending.empty()) work_order().all_done(last_id);
    if (pending.empty()) is_polled = false;
    if (!concurrent_managed_access() && !kernels_are_pending()) give_to_host();
    watch_host(Watch::pending_work, !pending.empty());
}

cudaError_t run_one(Operation& operation, std::optional<DeviceAccess>& access) {
    if (operation.begun && !operation.done)  // a different host thread is running the operation
        wait_for_others([&] { return operation.done; });
    if (operation.done) return sticky_error();
    operation.begun = true;
    const std::function<cudaError_t()> run = std::exchange(operation.run, nullptr);
    cudaError_t error = cudaSuccess;
    running = &operation;
    if (operation.work == Work::host_function) {
        access.reset();
        in_host_function() = true;
        error = run();
        in_host_function() = false;
    } else if (run) {
        std::optional<ManagedView> pages;  // for kernels of libraries, which do not run as grids
        if (operation.work == Work::kernel)
            pages.emplace("", std::max(operation.device, 0), std::set<std::uint64_t>{});
        if (operation.work == Work::kernel && !access) access.emplace();
        error = run();
    }
    running = nullptr;
    note_change();
    operation.finished = std::chrono::steady_clock::now();
    operation.done = true;
    operation.after.clear();
    operation.meetings.clear();
    pending.erase(operation.id);
    if (error != cudaSuccess) {
        set_sticky_error(error);
        drop_all_work();
    }
    return error;
}

/// Returns the error for work that cannot run because meetings wait for each other.
cudaError_t stuck(const std::vector<OperationPtr>& work) {
    for (const OperationPtr& operation : work)
        if (!operation->done && !operation->meetings.empty()) {
            operation->meetings.front()->tell_stuck();
            break;
        }
    set_sticky_error(cudaErrorLaunchFailure);
    drop_all_work();
    return cudaErrorLaunchFailure;
}

/// Returns the first operation that waits for no other, or null. A rank that has not called yet may call later.
OperationPtr first_ready(const std::vector<OperationPtr>& work) {
    const auto is_ready = [](const OperationPtr& operation) {
        return !operation->begun && !is_pending_forever(operation) &&
               std::all_of(operation->after.begin(), operation->after.end(),
                           [](const OperationPtr& before) { return before->done; });
    };
    const auto found = std::find_if(work.begin(), work.end(), is_ready);
    return found == work.end() ? nullptr : *found;
}

/// Runs all of `work` in a legal order that the schedule chooses. `work` is sorted, and includes everything
/// that its operations wait for.
cudaError_t run_all(const std::vector<OperationPtr>& work) {
    const Schedule schedule = current_schedule();
    std::optional<DeviceAccess> access;
    if (schedule.order == Order::forward && !meetings_happen()) {
        for (const OperationPtr& operation : work)
            if (const cudaError_t error = run_one(*operation, access)) return error;
        return cudaSuccess;
    }
    std::vector<std::size_t> waits_for(work.size());
    std::vector<std::vector<std::size_t>> frees(work.size());
    std::set<std::size_t> ready;
    for (std::size_t i = 0; i < work.size(); ++i) work[i]->slot = i;
    for (std::size_t i = 0; i < work.size(); ++i) {
        for (const OperationPtr& before : work[i]->after)
            if (!before->done) {
                ++waits_for[i];
                frees[before->slot].push_back(i);
            }
        if (!waits_for[i]) ready.insert(i);
    }
    Dice dice(schedule.seed + last_id);
    std::size_t done = 0;
    while (!ready.empty()) {
        auto next = schedule.order == Order::forward ? ready.begin() : std::prev(ready.end());
        if (schedule.order == Order::random)
            next = std::next(ready.begin(), static_cast<std::ptrdiff_t>(dice.roll() % ready.size()));
        const std::size_t i = *next;
        ready.erase(next);
        if (const cudaError_t error = run_one(*work[i], access)) return error;
        ++done;
        for (const std::size_t freed : frees[i])
            if (--waits_for[freed] == 0) ready.insert(freed);
    }
    return done == work.size() ? cudaSuccess : stuck(work);
}

OperationPtr could_begin() {
    std::vector<OperationPtr> work;
    for (const auto& [id, operation] : pending) work.push_back(operation);
    return first_ready(work);
}

/// Runs the oldest work early if the device queue is full.
void make_room() {
    if (pending.size() >= longest_queue) run_all(needed({pending.begin()->second}));
}

Work work_of(WorkKind kind) {
    if (kind == WorkKind::kernel) return Work::kernel;
    return kind == WorkKind::host_function ? Work::host_function : Work::copy;
}

}  // namespace

void drop_all_work() {
    for (auto& [id, operation] : pending) {
        operation->done = true;
        operation->finished = std::chrono::steady_clock::now();
        operation->run = nullptr;
        operation->after.clear();
    }
    for (auto& [id, operation] : pending) operation->meetings.clear();
    pending.clear();
    host_waited(nullptr);
}

OperationPtr add_work(std::uint64_t row, WorkLabel label, std::function<cudaError_t()> run,
                      const std::vector<OperationPtr>& before) {
    make_room();
    auto operation = std::make_shared<Operation>();
    operation->id = ++last_id;
    operation->run = std::move(run);
    operation->work = work_of(label.kind);
    if (operation->work == Work::kernel) give_to_device(label.what, label.place);
    operation->stamp = work_order().submit(row, operation->id);
    operation->stamp.in_graph = label.stream == WorkLabel::of_graph;
    operation->stamp.label = std::make_shared<WorkLabel>(std::move(label));
    put_behind(*operation, before);
    operation->stamp.before[row] = operation->id;
    note_queued(operation->stamp, work_order().host(), work_order().done_up_to());
    pending[operation->id] = operation;
    watch_host(Watch::pending_work, true);
    return operation;
}

OperationPtr enqueue_node(std::uint64_t row, WorkLabel label, std::function<cudaError_t()> run,
                          const std::vector<OperationPtr>& after) {
    label.stream = WorkLabel::of_graph;
    return add_work(row, std::move(label), std::move(run), after);
}

OperationPtr end_of(const std::vector<OperationPtr>& work) {
    auto end = std::make_shared<Operation>();  // never queued, because other operations only wait for it
    end->id = last_id + 1;
    put_behind(*end, work);
    end->done = end->after.empty();
    return end;
}

cudaError_t finish(const OperationPtr& operation) {
    if (unfinished(operation)) run_all(needed({operation}));
    host_waited(operation);
    return sticky_error();
}

cudaError_t finish_all() {
    std::vector<OperationPtr> work;
    for (const auto& [id, operation] : pending) work.push_back(operation);
    run_all(work);
    host_waited(nullptr);
    return sticky_error();
}

cudaError_t finish_work_of_device(int device, std::vector<OperationPtr> ends) {
    for (const auto& [id, operation] : pending)
        if (operation->device == device) ends.push_back(operation);
    run_all(work_of_device(device));
    for (const OperationPtr& operation : ends) host_waited(operation);
    return sticky_error();
}

cudaError_t query(const OperationPtr& operation) {
    if (!unfinished(operation)) {
        host_waited(operation);
        return sticky_error();
    }
    std::optional<DeviceAccess> access;
    if (const OperationPtr next = first_ready(needed({operation}))) run_one(*next, access);
    return sticky_error() != cudaSuccess ? sticky_error() : cudaErrorNotReady;
}

bool work_is_pending() {
    return !pending.empty();
}

bool host_may_race() {
    return !pending.empty() || is_polled;
}

std::vector<OperationPtr> work_before(const OperationPtr& end) {
    return unfinished(end) ? needed({end}) : std::vector<OperationPtr>{};
}

std::vector<OperationPtr> work_of_device(int device) {
    std::vector<OperationPtr> work;
    for (const auto& [id, operation] : pending)
        if (operation->device == device || device_count() == 1) work.push_back(operation);
    return needed(work);
}

void run_for_polling_host(const volatile void* address) {
    const std::unique_lock lock(api_mutex(), std::try_to_lock);
    if (!lock || in_host_function() || running || pending.empty()) return;
    std::vector<OperationPtr> work = {pending.begin()->second};
    if (meetings_happen()) {
        work.clear();
        for (const auto& [id, operation] : pending) work.push_back(operation);
    }
    const OperationPtr oldest = first_ready(work);
    if (!oldest) return;
    std::optional<DeviceAccess> access;
    run_one(*oldest, access);
    const bool by_flag = oldest->work == Work::kernel && find_allocation(const_cast<const void*>(address));
    if (by_flag)
        is_polled = true;
    else
        host_waited(oldest);
}

const Operation* exchange_running_operation(const Operation* operation) {
    return std::exchange(running, operation);
}

bool work_could_begin() {
    return could_begin() != nullptr;
}

void run_what_could_begin() {
    std::optional<DeviceAccess> access;
    while (const OperationPtr next = could_begin()) run_one(*next, access);
}

WorkStamp work_now() {
    return running ? running->stamp : work_order().host_now(last_id);
}

cudaError_t run_part(PartOfWork part, WorkStamp& stamp) {
    Operation operation;
    operation.id = ++last_id;
    operation.work = part.work;
    operation.stamp = work_order().submit(part.row, operation.id);
    operation.stamp.before =
        std::move(part.before);  // does not include work for which the host has waited since
    operation.stamp.before[part.row] = operation.id;
    operation.stamp.in_graph = true;
    operation.stamp.within = std::move(part.within);
    const Operation* const outer = std::exchange(running, &operation);
    const cudaError_t error = part.run ? part.run() : cudaSuccess;
    running = outer;
    stamp = std::move(operation.stamp);
    return error;
}

}  // namespace kit::cpu
