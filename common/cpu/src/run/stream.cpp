// Queued work. Nothing runs before somebody waits for it, so a missing synchronisation shows as missing
// results.
#include "stream.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "device/error.hpp"
#include "device/lock.hpp"
#include "host_watch.hpp"
#include "memory/memory.hpp"
#include "schedule.hpp"
#include "words/finding.hpp"
#include "worker.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t longest_queue = 1
                                      << 16;  // beyond, the oldest work runs early, as on a full device queue

// Never destroyed: work may still be queued when the program ends.
auto& pending = *new std::map<std::uint64_t, OperationPtr>;  // by id
auto& streams = *new std::set<CUstream_st*>;                 // alive, the legacy stream excluded
auto& orphans = *new std::vector<OperationPtr>;              // last operations of destroyed blocking streams
auto& legacy = *new CUstream_st;
thread_local CUstream_st* per_thread = nullptr;
std::uint64_t last_id = 0, last_visit = 0, last_stream = 2;
const Operation* running = nullptr;

bool unfinished(const OperationPtr& operation) {
    return operation && !operation->done;
}

/// An unfinished operation and all that it waits for, in order of submission.
std::vector<OperationPtr> needed(const OperationPtr& target) {
    std::vector<OperationPtr> found, stack = {target};
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

/// What work queued in this stream now comes after, done or not.
std::vector<OperationPtr> queued_before(const CUstream_st& stream) {
    std::vector<OperationPtr> before;
    auto wait_for = [&](const OperationPtr& operation) {
        if (operation) before.push_back(operation);
    };
    wait_for(stream.last);
    if (&stream == &legacy) {  // waits for every blocking stream ...
        for (const CUstream_st* other : streams)
            if (!(other->flags & cudaStreamNonBlocking)) wait_for(other->last);
        for (const OperationPtr& orphan : orphans) wait_for(orphan);
    } else if (!(stream.flags & cudaStreamNonBlocking)) {  // ... and each of them waits for it
        wait_for(legacy.last);
    }
    return before;
}

/// Notes what the operation comes after, and waits for what of that is not done.
void put_behind(Operation& operation, const std::vector<OperationPtr>& before) {
    for (const OperationPtr& earlier : before) {
        work_order().follow(operation.stamp, earlier->stamp);
        if (!earlier->done) operation.after.push_back(earlier);
    }
}

/// The host has waited for the operation.
void host_waited(const OperationPtr& operation) {
    if (operation) work_order().host_waited(operation->stamp);
    if (pending.empty()) work_order().all_done(last_id);
    watch_host(Watch::pending_work, !pending.empty());
}

void drop_all() {
    for (auto& [id, operation] : pending) {
        operation->done = true;
        operation->finished = std::chrono::steady_clock::now();
        operation->run = nullptr;
        operation->after.clear();
    }
    pending.clear();
    orphans.clear();
    host_waited(nullptr);
}

cudaError_t run_one(Operation& operation, std::optional<DeviceAccess>& access) {
    cudaError_t error = cudaSuccess;
    running = &operation;
    if (operation.work == Work::host_function) {
        access.reset();
        in_host_function() = true;
        error = operation.run();
        in_host_function() = false;
    } else if (operation.run) {
        if (operation.work == Work::kernel && !access) access.emplace();
        error = operation.run();
    }
    running = nullptr;
    operation.finished = std::chrono::steady_clock::now();
    operation.done = true;
    operation.run = nullptr;
    operation.after.clear();
    pending.erase(operation.id);
    if (error != cudaSuccess) {
        set_sticky_error(error);
        drop_all();
    }
    return error;
}

/// Runs all of `work` (sorted, closed under "waits for") in a legal order that the schedule chooses.
cudaError_t run_all(const std::vector<OperationPtr>& work) {
    const Schedule schedule = current_schedule();
    std::optional<DeviceAccess> access;
    if (schedule.order == Order::forward) {
        for (const OperationPtr& operation : work)
            if (const cudaError_t error = run_one(*operation, access)) return error;
        return cudaSuccess;
    }
    std::vector<std::size_t> waits_for(work.size());
    std::vector<std::vector<std::size_t>> frees(work.size());
    std::set<std::size_t> ready;
    for (std::size_t i = 0; i < work.size(); ++i) {
        work[i]->slot = i;
        for (const OperationPtr& before : work[i]->after)
            if (!before->done) {
                ++waits_for[i];
                frees[before->slot].push_back(i);
            }
        if (!waits_for[i]) ready.insert(i);
    }
    Dice dice(schedule.seed + last_id);
    while (!ready.empty()) {
        auto next = std::prev(ready.end());
        if (schedule.order == Order::random)
            next = std::next(ready.begin(), static_cast<std::ptrdiff_t>(dice.roll() % ready.size()));
        const std::size_t i = *next;
        ready.erase(next);
        if (const cudaError_t error = run_one(*work[i], access)) return error;
        for (const std::size_t freed : frees[i])
            if (--waits_for[freed] == 0) ready.insert(freed);
    }
    return cudaSuccess;
}

/// A full device queue: the oldest work runs early.
void make_room() {
    if (pending.size() >= longest_queue) run_all(needed(pending.begin()->second));
}

OperationPtr add(std::uint64_t row, Work work, std::function<cudaError_t()> run,
                 const std::vector<OperationPtr>& before) {
    auto operation = std::make_shared<Operation>();
    operation->id = ++last_id;
    operation->run = std::move(run);
    operation->work = work;
    operation->stamp = work_order().submit(row, operation->id);
    put_behind(*operation, before);
    operation->stamp.before[row] = operation->id;
    pending[operation->id] = operation;
    watch_host(Watch::pending_work, true);
    return operation;
}

OperationPtr stream_goes_on(CUstream_st& stream, OperationPtr operation) {
    if (&stream == &legacy) orphans.clear();  // whatever waits for the legacy stream now waits for them, too
    stream.last = operation;
    return operation;
}

}  // namespace

CUstream_st& legacy_stream() {
    return legacy;
}

CUstream_st* create_stream(unsigned flags, int priority) {
    auto* stream = new CUstream_st;
    stream->flags = flags;
    stream->priority = priority;
    stream->id = ++last_stream;
    streams.insert(stream);
    return stream;
}

CUstream_st* find_stream(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return &legacy;
    if (handle == cudaStreamPerThread) {
        if (!per_thread || !streams.count(per_thread)) per_thread = create_stream(cudaStreamDefault, 0);
        return per_thread;
    }
    return streams.count(handle) ? handle : nullptr;
}

void destroy_stream(CUstream_st* stream) {
    orphans.erase(std::remove_if(orphans.begin(), orphans.end(), [](auto& last) { return last->done; }),
                  orphans.end());
    if (!(stream->flags & cudaStreamNonBlocking) && unfinished(stream->last)) orphans.push_back(stream->last);
    streams.erase(stream);
    delete stream;
}

OperationPtr enqueue(CUstream_st& stream, Work work, std::function<cudaError_t()> run,
                     OperationPtr also_after) {
    make_room();
    std::vector<OperationPtr> before = queued_before(stream);
    if (also_after) before.push_back(std::move(also_after));
    return stream_goes_on(stream, add(stream.id, work, std::move(run), before));
}

OperationPtr enqueue_join(CUstream_st& stream, const std::vector<OperationPtr>& after) {
    make_room();
    std::vector<OperationPtr> before = queued_before(stream);
    before.insert(before.end(), after.begin(), after.end());
    return stream_goes_on(stream, add(stream.id, Work::copy, nullptr, before));
}

OperationPtr enqueue_node(std::uint64_t row, Work work, std::function<cudaError_t()> run,
                          const std::vector<OperationPtr>& after) {
    make_room();
    OperationPtr operation = add(row, work, std::move(run), after);
    operation->stamp.in_graph = true;
    return operation;
}

std::vector<CUstream_st*> all_streams() {
    return {streams.begin(), streams.end()};
}

OperationPtr enqueue_marker(CUstream_st& stream, OperationPtr also_after) {
    return enqueue(stream, Work::copy, nullptr, std::move(also_after));
}

cudaError_t finish(const OperationPtr& operation) {
    if (unfinished(operation)) run_all(needed(operation));
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

cudaError_t query(const OperationPtr& operation) {
    if (!unfinished(operation)) {
        host_waited(operation);
        return sticky_error();
    }
    std::optional<DeviceAccess> access;
    run_one(*needed(operation).front(), access);
    return sticky_error() != cudaSuccess ? sticky_error() : cudaErrorNotReady;
}

OperationPtr stream_end(const CUstream_st& stream) {
    if (&stream != &legacy) return stream.last;
    auto end = std::make_shared<Operation>();  // never queued: only waited for
    end->id = last_id + 1;
    put_behind(*end, queued_before(stream));
    end->done = end->after.empty();
    return end;
}

bool work_is_pending() {
    return !pending.empty();
}

void run_for_polling_host() {
    const std::unique_lock lock(api_mutex(), std::try_to_lock);
    if (!lock || in_host_function() || running || pending.empty()) return;
    const OperationPtr oldest = pending.begin()->second;
    std::optional<DeviceAccess> access;
    run_one(*oldest, access);
    host_waited(oldest);
}

WorkStamp work_now() {
    return running ? running->stamp : work_order().host_now(last_id);
}

void reset_streams() {
    drop_all();
    while (!streams.empty()) {
        delete *streams.begin();
        streams.erase(streams.begin());
    }
    legacy.last = nullptr;
}

}  // namespace kit::cpu
