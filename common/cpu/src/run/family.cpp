// Decides the order in which a launch and its descendants run.
#include "family.hpp"

#include <cstdio>
#include <utility>

#include "counters.hpp"
#include "device/cache_lines.hpp"
#include "device/constants.hpp"
#include "device/device.hpp"
#include "device/devices.hpp"
#include "grid.hpp"
#include "watchdog.hpp"

namespace kit::cpu {
namespace {

Family* running_family = nullptr;

}  // namespace

Family* family_now() {
    return running_family;
}

Family* exchange_running_family(Family* family) {
    return std::exchange(running_family, family);
}

Family::Family(const Launch& launch, Childless childless)
    : schedule_(current_schedule()), dice_(schedule_.seed), childless_(childless) {
    root_.launch = launch;
    root_.notes = observer().family_begins();
}

DeviceHandle* Family::make(std::set<DeviceHandle*>& kind) {
    handles_.push_back(std::make_unique<DeviceHandle>());
    DeviceHandle* const handle = handles_.back().get();
    handle->owner = running_;
    handle->number = ++last_stream_;
    kind.insert(handle);
    return handle;
}

DeviceHandle* Family::find_stream(cudaStream_t handle, std::uint64_t key) {
    if (handle == nullptr || handle == cudaStreamLegacy) {
        DeviceHandle& stream = running_->streams[key];
        if (!stream.number) stream.number = ++last_stream_;
        return &stream;
    }
    auto* const stream = reinterpret_cast<DeviceHandle*>(handle);
    return streams.count(stream) ? stream : nullptr;
}

bool Family::add(Launch launch, std::function<cudaError_t()> copy, cudaStream_t handle,
                 DeviceHandle* stream) {
    if (pending_ >= device_limit(cudaLimitDevRuntimePendingLaunchCount)) return false;
    ++pending_;
    members_.push_back(std::make_unique<Member>());
    Member& member = *members_.back();
    member.launch = std::move(launch);
    member.launch.device = root_.launch.device;
    member.copy = std::move(copy);
    member.parent = running_;
    member.number = ++last_number_;
    member.pending = true;
    member.tail = handle == cudaStreamTailLaunch;
    WorkClock before;
    if (member.tail) {
        running_->tails.push_back(&member);
    } else {
        ++running_->open;
        running_->children.push_back(&member);
    }
    if (stream) {
        before = stream->point.clock;
        for (Member* earlier : stream->point.last) {
            earlier->followers.push_back(&member);
            ++member.waits_for;
        }
        stream->point.last = {&member};
        stream->point.clock[stream->number] = member.number;
    }
    const std::uint64_t row = stream ? stream->number : ++last_stream_;
    member.notes = observer().child_launched({running_->notes, member.tail, row, member.number, before});
    return true;
}

/// Removes one member that can start from the list, and returns it.
Member& Family::take() {
    const std::size_t waiting = ready_.size() - first_ready_;
    if (schedule_.order == Order::random)
        std::swap(ready_[first_ready_ + dice_.roll() % waiting], ready_[first_ready_]);
    if (schedule_.order == Order::reverse) {
        Member& last = *ready_.back();
        ready_.pop_back();
        return last;
    }
    return *ready_[first_ready_++];
}

cudaError_t Family::run_member(Member& member) {
    running_ = &member;
    if (&member != &root_ && !member.copy) {
        Counters one;
        one.child_kernels = 1;
        for (const Member* up = member.parent; up; up = up->parent) ++one.child_depth;
        add_counters(one);
    }
    const cudaError_t error = member.copy ? member.copy() : run_grid(member.launch);
    running_ = nullptr;
    if (error != cudaSuccess) return error;
    member.launch.body.reset();  // the arguments can be large
    member.copy = nullptr;
    member.streams.clear();
    member.errors.clear();
    for (Member* child : member.children)
        if (!child->waits_for) ready_.push_back(child);
    member.children.clear();
    close(&member);
    return cudaSuccess;
}

/// Called when something for which the member waits has finished: its blocks, a child, or a tail launch.
void Family::close(Member* member) {
    for (; member && --member->open == 0; member = member->parent) {
        if (std::exchange(member->pending, false)) --pending_;
        if (member->next_tail < member->tails.size()) {
            ready_.push_back(member->tails[member->next_tail++]);
            member->open = 1;
            return;
        }
        member->complete = true;
        for (Member* follower : member->followers)
            if (--follower->waits_for == 0) ready_.push_back(follower);
        member->followers.clear();
    }
}

cudaError_t Family::run() {
    Family* const outer = std::exchange(running_family, this);
    KernelTime time;
    kernel_runs_on(root_.launch.device);
    restore_constants(root_.launch.name, root_.launch.place);
    const Launch& launch = root_.launch;
    if (observed() && launch.window.num_bytes) kernel_ran_under(launch.window, launch.name, launch.place);
    cudaError_t error = run_member(root_);
    while (error == cudaSuccess && first_ready_ < ready_.size()) {
        error = run_member(take());
        if (error == cudaSuccess && time.is_over(kernel_time_limit())) error = give_up();
    }
    running_family = outer;
    observer().family_ended();
    return error;
}

cudaError_t Family::give_up() {
    add_finding(finding_about(facts::Rule::endless_family, root_.launch.place)
                    .in(root_.launch.name)
                    .with("others", members_.size())
                    .with("seconds", kernel_time_limit())
                    .with("checked", observed()));
    return cudaErrorLaunchTimeout;
}

}  // namespace kit::cpu
