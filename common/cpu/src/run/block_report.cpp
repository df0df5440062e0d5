// The findings about a block whose threads cannot continue: which threads wait where, and which threads never
// arrive.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "block.hpp"
#include "grid.hpp"
#include "source/who.hpp"
#include "worker.hpp"

namespace kit::cpu {

facts::Who Block::thread(unsigned rank) const {
    return thread_of(index_of(rank, grid_->launch.block));
}

facts::Who Block::who(unsigned rank) const {
    return thread_of(index_of(rank, grid_->launch.block), index_of(index_), grid_->launch.name);
}

namespace {

Spot spot(Place place, const void* call, const std::string& kernel) {
    return {place, static_cast<const char*>(call) - 1, kernel};
}

}  // namespace

/// Reports that the running thread reached a different barrier than the one at which other threads wait.
void Block::report_divergence(Place place, const char* what) {
    facts::Waiting others;
    others.count = at_barrier_;
    others.first = who(barrier_first_);
    others.in = barrier_what_;
    others.at = where_of(spot(barrier_place_, barrier_call_, grid_->launch.name));
    Finding finding = kit::cpu::finding(facts::Rule::two_barriers, running_spot(place), place)
                          .by(thread(rank_))
                          .with("function", what);
    finding.waiting.push_back(std::move(others));
    stop_kernel(cudaErrorLaunchFailure, std::move(finding));
}

namespace {

/// Threads that wait for the same reason at the same place.
struct Group {
    unsigned count = 0, first = 0;
    const ThreadState* state = nullptr;  ///< state of the first thread of the group
};

/// Returns the groups of waiting threads, sorted by the line where they wait.
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

/// Records that threads wait in __syncthreads(), which does not record this itself.
void Block::note_barrier() {
    for (unsigned rank = 0; rank < threads_; ++rank) {
        if (!(warps_[rank / 32].at_barrier >> rank % 32 & 1u)) continue;
        states_[rank].wait = Wait::block_barrier;
        states_[rank].what = barrier_what_;
        states_[rank].place = barrier_place_;
        states_[rank].call = barrier_call_;
    }
}

/// Returns a finding with the threads that wait, their places, the lanes that are missing and the number of
/// threads that have returned.
Finding Block::who_waits(const char* kind, Place place) const {
    Finding stuck = finding_about(facts::Rule::threads_missing, place);
    stuck.kind = kind;
    bool misses_returned = false;
    for (const Group& group : groups_of(warps_, states_, threads_)) {
        const ThreadState& state = *group.state;
        facts::Waiting waiting;
        waiting.count = group.count;
        waiting.first = who(group.first);
        waiting.in = state.what;
        waiting.at = where_of(spot(state.place, state.call, grid_->launch.name));
        misses_returned |= state.wait != Wait::warp_meeting || state.returned == Returned::are_missed;
        if (state.wait == Wait::warp_meeting) {
            waiting.lanes = state.mask, waiting.absent = absent_lanes(group.first);
        } else if (state.wait == Wait::barrier_object) {
            const auto& barrier = *static_cast<const BarrierState*>(state.in);
            waiting.missing = static_cast<unsigned>(std::max(barrier.missing, 0LL));
            waiting.expected = static_cast<unsigned>(barrier.expected);
            if (!barrier.missing) waiting.bytes_expected = static_cast<std::uint64_t>(barrier.bytes);
            waiting.bytes_copied = copies_.bulk_bytes(barrier);
        }
        stuck.waiting.push_back(std::move(waiting));
    }
    if (!done_ || !misses_returned) return stuck;
    unsigned first = 0;
    while (!(warps_[first / 32].done >> first % 32 & 1u)) ++first;
    stuck.other = thread(first);
    return stuck.with("returned", done_);
}

/// Returns the lanes that are in the mask of a waiting thread but do not wait in the same operation.
std::uint32_t Block::absent_lanes(unsigned rank) const {
    const ThreadState& state = states_[rank];
    std::uint32_t absent = 0;
    for (std::uint32_t rest = awaited(warps_[rank / 32], state); rest; rest &= rest - 1) {
        if (!all_meet(rank / 32, rest & -rest, state)) absent |= rest & -rest;
    }
    return absent;
}

void Block::add_state(Finding& finding) {
    if (alone_) return;
    note_barrier();
    finding.waiting = who_waits("", {}).waiting;
    unsigned unstarted = 0, waiting = 0;
    for (const Warp& warp : warps_) {
        unstarted += static_cast<unsigned>(__builtin_popcount(warp.unstarted));
        waiting += static_cast<unsigned>(__builtin_popcount(warp.waiting | warp.at_barrier));
    }
    std::uint64_t ended = 0;
    {
        std::lock_guard lock(grid_->mutex);
        ended = grid_->finished;
    }
    const unsigned known = waiting + unstarted + done_ + 1, others = threads_ > known ? threads_ - known : 0;
    finding.with("others", others).with("returned", done_).with("unstarted", unstarted);
    finding.with("ended", ended).with("blocks", grid_->blocks);
}

/// Called when no thread of the block can run and some wait.
void Block::report_deadlock() {
    const std::vector<Group> groups = groups_of(warps_, states_, threads_);
    const Wait only = groups.size() == 1 ? groups[0].state->wait : Wait::nothing;
    const char* const kind = only == Wait::block_barrier  ? "barrier"
                             : only == Wait::warp_meeting ? "warp"
                                                          : "deadlock";
    grid_->stop(cudaErrorLaunchFailure, who_waits(kind, groups[0].state->place));
}

}  // namespace kit::cpu
