// What a block says when its threads cannot go on: who waits where, and who never came.
#include <cstring>
#include <map>

#include "block.hpp"
#include "grid.hpp"
#include "words/phrases.hpp"
#include "worker.hpp"

namespace kit::cpu {

std::string Block::thread_name(unsigned rank) const {
    return "thread " + coordinates(rank, grid_->launch.block);
}

std::string Block::block_name() const {
    return "block " + coordinates(index_);
}

/// The running thread came to another barrier than the one where others wait.
void Block::report_divergence(Place place, const char* what) {
    stop_kernel(
        cudaErrorLaunchFailure, "barrier",
        ("barrier: " + count_threads(at_barrier_) + " of " + block_name() + " of `" + grid_->launch.name +
         "` wait in " + barrier_what_ + " at " + describe(barrier_place_) + " (" +
         thread_name(barrier_first_) + " first), but " + thread_name(rank_) + " came to another one, " +
         what + " at " + describe(place) + "; all threads of a block must come to the same barrier")
            .c_str(),
        place);
}

namespace {

/// Threads that wait in the same way at the same place.
struct Group {
    unsigned count = 0, first = 0;
    Wait wait = Wait::nothing;
    const char* what = "";
    Place place;
    std::uint32_t mask = 0;
};

/// In order of their lines.
std::vector<Group> groups_of(const std::vector<Warp>& warps, const std::vector<ThreadState>& states,
                             unsigned threads) {
    std::map<std::pair<int, std::string>, Group> groups;
    for (unsigned rank = 0; rank < threads; ++rank) {
        const Warp& warp = warps[rank / 32];
        if (!((warp.waiting | warp.at_barrier) >> rank % 32 & 1u)) continue;
        const ThreadState& state = states[rank];
        Group& group = groups[{state.place.line, std::string(state.place.file) + state.what}];
        if (!group.count++) group = {1, rank, state.wait, state.what, state.place, state.mask};
    }
    std::vector<Group> result;
    for (auto& [key, group] : groups) result.push_back(group);
    return result;
}

}  // namespace

/// A thread in __syncthreads() leaves no note of its own.
void Block::note_barrier() {
    for (unsigned rank = 0; rank < threads_; ++rank) {
        if (!(warps_[rank / 32].at_barrier >> rank % 32 & 1u)) continue;
        states_[rank].wait = Wait::block_barrier;
        states_[rank].what = barrier_what_;
        states_[rank].place = barrier_place_;
    }
}

/// Who waits where, which lanes are missed, and how many threads have returned.
std::string Block::describe_waiting() const {
    std::string text;
    for (const Group& group : groups_of(warps_, states_, threads_)) {
        const bool first = text.empty();
        text += (first ? "" : "; ") + count_threads(group.count);
        if (first) text += " of " + block_name() + " of `" + grid_->launch.name + "`";
        text += (group.count == 1 ? " waits in " : " wait in ") + std::string(group.what) + " at " +
                describe(group.place) + " (" + thread_name(group.first) + " first)";
        if (group.wait == Wait::warp_meeting) {
            text += " for the lanes " + hexadecimal(group.mask) + ", of which " +
                    hexadecimal(absent_lanes(group.first)) + " never come";
        } else if (group.wait == Wait::barrier_object) {
            const auto& barrier = *static_cast<const BarrierState*>(states_[group.first].in);
            text += " for " + std::to_string(barrier.missing) + " more of " +
                    std::to_string(barrier.expected) + " arrivals";
        }
    }
    if (done_) {
        unsigned first = 0;
        while (!(warps_[first / 32].done >> first % 32 & 1u)) ++first;
        text += "; " + count_threads(done_) + (done_ == 1 ? " has" : " have") +
                " returned from the kernel without coming there (" + thread_name(first) + " first)";
    }
    return text;
}

/// Lanes that a waiting thread's mask names and that do not wait with it.
std::uint32_t Block::absent_lanes(unsigned rank) const {
    const ThreadState& state = states_[rank];
    std::uint32_t absent = 0;
    for (std::uint32_t rest = state.mask; rest; rest &= rest - 1) {
        if (!all_meet(rank / 32, rest & -rest, state)) absent |= rest & -rest;
    }
    return absent;
}

/// No thread of the block can run, and some wait.
void Block::report_deadlock() {
    const std::vector<Group> groups = groups_of(warps_, states_, threads_);
    const Wait only = groups.size() == 1 ? groups[0].wait : Wait::nothing;
    const std::string kind = only == Wait::block_barrier  ? "barrier"
                             : only == Wait::warp_meeting ? "warp"
                                                          : "deadlock";
    grid_->stop(cudaErrorLaunchFailure, {kind, kind + ": " + describe_waiting(), groups[0].place});
}

}  // namespace kit::cpu
