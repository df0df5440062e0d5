// What a block says when its threads cannot go on: who waits where, and who never came.
#include <cstring>
#include <map>

#include "block.hpp"
#include "grid.hpp"
#include "words/wait_words.hpp"
#include "words/who_words.hpp"
#include "worker.hpp"

namespace kit::cpu {

std::string Block::thread_name(unsigned rank) const {
    return name_thread(rank, grid_->launch.block);
}

std::string Block::block_name() const {
    return name_block(index_);
}

std::string Block::whole_name(unsigned rank) const {
    return of_kernel(thread_name(rank), block_name(), grid_->launch.name);
}

namespace {

Spot spot(Place place, const void* call, const std::string& kernel) {
    return {place, static_cast<const char*>(call) - 1, kernel};
}

}  // namespace

/// The running thread came to another barrier than the one where others wait.
void Block::report_divergence(Place place, const char* what) {
    const Waiting others{at_barrier_, thread_name(barrier_first_), barrier_what_,
                         spot(barrier_place_, barrier_call_, grid_->launch.name)};
    stop_kernel(cudaErrorLaunchFailure, "barrier",
                divergence_in_words({block_name(), grid_->launch.name, {others}}, thread_name(rank_), what,
                                    running_spot(place))
                    .c_str(),
                place);
}

namespace {

/// Threads that wait in the same way at the same place.
struct Group {
    unsigned count = 0, first = 0;
    const ThreadState* state = nullptr;  ///< of the first
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
        if (!group.count++) group = {1, rank, &state};
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
        states_[rank].call = barrier_call_;
    }
}

/// Who waits where, which lanes are missed, and how many threads have returned.
Finding Block::who_waits(const std::string& kind, Place place) const {
    Stuck stuck{block_name(), grid_->launch.name, {}, done_, ""};
    for (const Group& group : groups_of(warps_, states_, threads_)) {
        const ThreadState& state = *group.state;
        Waiting waiting{group.count, thread_name(group.first), state.what,
                        spot(state.place, state.call, grid_->launch.name)};
        if (state.wait == Wait::warp_meeting) {
            waiting.lanes = state.mask, waiting.absent = absent_lanes(group.first);
        } else if (state.wait == Wait::barrier_object) {
            const auto& barrier = *static_cast<const BarrierState*>(state.in);
            waiting.missing = static_cast<unsigned>(barrier.missing);
            waiting.expected = static_cast<unsigned>(barrier.expected);
            if (!barrier.missing) waiting.bytes_expected = static_cast<std::size_t>(barrier.bytes);
            waiting.bytes_copied = copies_.bulk_bytes(barrier);
        }
        stuck.waiting.push_back(waiting);
    }
    unsigned first = 0;
    while (done_ && !(warps_[first / 32].done >> first % 32 & 1u)) ++first;
    stuck.first_returned = thread_name(first);
    return in_words(kind, stuck, place);
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
    const Wait only = groups.size() == 1 ? groups[0].state->wait : Wait::nothing;
    const std::string kind = only == Wait::block_barrier  ? "barrier"
                             : only == Wait::warp_meeting ? "warp"
                                                          : "deadlock";
    grid_->stop(cudaErrorLaunchFailure, who_waits(kind, groups[0].state->place));
}

}  // namespace kit::cpu
