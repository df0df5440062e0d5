// The streams that exist, and the earlier work for which new work in each stream waits.
#include "stream.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "device/devices.hpp"
#include "memory/leaks.hpp"
#include "source/source_lines.hpp"

namespace kit::cpu {
namespace {

// Never destroyed, because work may still be queued when the program ends.
auto& streams = *new std::set<CUstream_st*>;  // all streams except the legacy default stream
auto* const orphans =
    new std::vector<OperationPtr>[most_devices];  // the last operations of destroyed blocking streams
auto* const legacies = new CUstream_st[most_devices];
thread_local CUstream_st* per_thread[most_devices] = {};
std::uint64_t last_stream = 2;

/// Returns the operations, including finished ones, after which new work in this stream is ordered.
std::vector<OperationPtr> queued_before(const CUstream_st& stream) {
    std::vector<OperationPtr> before;
    auto wait_for = [&](const OperationPtr& operation) {
        if (operation) before.push_back(operation);
    };
    wait_for(stream.last);
    if (stream.legacy) {  // the legacy stream waits for every blocking stream of its device
        for (const CUstream_st* other : streams)
            if (other->device == stream.device && !(other->flags & cudaStreamNonBlocking))
                wait_for(other->last);
        for (const OperationPtr& orphan : orphans[stream.device]) wait_for(orphan);
    } else if (!(stream.flags & cudaStreamNonBlocking)) {  // a blocking stream waits for the legacy stream
        wait_for(legacies[stream.device].last);
    }
    return before;
}

CUstream_st& legacy_stream_of(int device) {
    CUstream_st& stream = legacies[device];
    if (!stream.legacy) {
        stream.legacy = true;
        stream.device = device;
        if (device > 0) stream.id = ++last_stream;
    }
    return stream;
}

OperationPtr stream_goes_on(CUstream_st& stream, OperationPtr operation) {
    operation->device = stream.device;
    if (stream.legacy)  // work that waits for the legacy stream now also waits for the destroyed streams
        orphans[stream.device].clear();
    stream.last = operation;
    return operation;
}

}  // namespace

CUstream_st& legacy_stream() {
    return legacy_stream_of(current_device());
}

CUstream_st* create_stream(unsigned flags, int priority) {
    auto* stream = new CUstream_st;
    stream->flags = flags;
    stream->priority = priority;
    stream->device = current_device();
    stream->id = ++last_stream;
    stream->born = next_birth();
    std::set<int> numbers;
    for (const CUstream_st* other : streams) numbers.insert(other->number);
    for (stream->number = 1; numbers.count(stream->number);) ++stream->number;
    streams.insert(stream);
    return stream;
}

CUstream_st* find_stream(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return &legacy_stream();
    if (handle == cudaStreamPerThread) {
        CUstream_st*& mine = per_thread[current_device()];
        if (!mine || !streams.count(mine)) mine = create_stream(cudaStreamDefault, 0);
        return mine;
    }
    return streams.count(handle) ? handle : nullptr;
}

void destroy_stream(CUstream_st* stream) {
    std::vector<OperationPtr>& left = orphans[stream->device];
    left.erase(std::remove_if(left.begin(), left.end(), [](auto& last) { return last->done; }), left.end());
    if (!(stream->flags & cudaStreamNonBlocking) && stream->last && !stream->last->done)
        left.push_back(stream->last);
    streams.erase(stream);
    delete stream;
}

OperationPtr enqueue(CUstream_st& stream, WorkLabel label, std::function<cudaError_t()> run,
                     OperationPtr also_after) {
    std::vector<OperationPtr> before = queued_before(stream);
    if (also_after) before.push_back(std::move(also_after));
    label.stream = stream.number;
    if (!label.calls && label.place.line) label.calls = host_calls();
    return stream_goes_on(stream, add_work(stream.id, std::move(label), std::move(run), before));
}

OperationPtr enqueue_join(CUstream_st& stream, const std::vector<OperationPtr>& after) {
    std::vector<OperationPtr> before = queued_before(stream);
    before.insert(before.end(), after.begin(), after.end());
    WorkLabel label;
    label.stream = stream.number;
    return stream_goes_on(stream, add_work(stream.id, std::move(label), nullptr, before));
}

std::vector<CUstream_st*> all_streams() {
    return {streams.begin(), streams.end()};
}

OperationPtr enqueue_marker(CUstream_st& stream) {
    return enqueue(stream, {}, nullptr);
}

OperationPtr enqueue_wait(CUstream_st& stream, OperationPtr also_after, Place place) {
    WorkLabel label;
    label.kind = WorkKind::wait;
    label.place = place;
    return enqueue(stream, std::move(label), nullptr, std::move(also_after));
}

cudaError_t finish_device(int device) {
    if (device_count() == 1) return finish_all();
    std::vector<OperationPtr> ends;
    for (const CUstream_st* stream : streams)
        if (stream->device == device && stream->last) ends.push_back(stream->last);
    if (legacies[device].last) ends.push_back(legacies[device].last);
    return finish_work_of_device(device, ends);
}

OperationPtr enqueue_between(const std::vector<int>& devices, CUstream_st& stream, WorkLabel label,
                             std::function<cudaError_t()> run) {
    std::vector<CUstream_st*> others;
    for (const int device : devices) others.push_back(&legacy_stream_of(device));
    std::vector<OperationPtr> before = queued_before(stream);
    for (CUstream_st* other : others)
        for (const OperationPtr& operation : queued_before(*other)) before.push_back(operation);
    label.stream = stream.number;
    const OperationPtr operation =
        stream_goes_on(stream, add_work(stream.id, std::move(label), std::move(run), before));
    for (CUstream_st* other : others)
        if (other != &stream) enqueue(*other, {}, nullptr, operation);
    return operation;
}

OperationPtr stream_end(const CUstream_st& stream) {
    if (!stream.legacy) return stream.last;
    return end_of(queued_before(stream));
}

void reset_streams(int device) {
    drop_all_work();
    for (int each = 0; each < most_devices; ++each) orphans[each].clear();
    for (auto next = streams.begin(); next != streams.end();) {
        CUstream_st* const stream = *next;
        next = stream->device == device ? streams.erase(next) : std::next(next);
        if (stream->device == device) delete stream;
    }
    legacies[device].last = nullptr;
}

}  // namespace kit::cpu
