// What a block says when its threads cannot go on: who waits where, and who never came.
#include <cstdio>
#include <cstring>
#include <map>

#include "block.hpp"
#include "grid.hpp"
#include "worker.hpp"

namespace kit::cpu {
namespace {

std::string triple(const uint3& v) {
    return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string count_threads(unsigned n) {
    return std::to_string(n) + (n == 1 ? " thread" : " threads");
}

}  // namespace

std::string hexadecimal(std::uint32_t mask) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", mask);
    return text;
}

std::string Block::thread_name(unsigned rank) const {
    const dim3& size = grid_->launch.block;
    return "thread " + triple({rank % size.x, rank / size.x % size.y, rank / size.x / size.y});
}

std::string Block::block_name() const {
    return "block " + triple(index_);
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

/// No thread of the block can run, some wait: name the places, the counts, and those who never came.
void Block::report_deadlock() {
    struct Group {
        unsigned count = 0, first = 0;
        Wait wait = Wait::nothing;
        std::string what;
        Place place;
        std::uint32_t mask = 0;
    };
    std::map<std::pair<int, std::string>, Group> groups;
    for (unsigned rank = 0; rank < threads_; ++rank) {
        const ThreadState& state = states_[rank];
        if (!(warps_[rank / 32].waiting >> rank % 32 & 1u)) continue;
        Group& group = groups[{state.place.line, std::string(state.place.file) + state.what}];
        if (!group.count++) group = {1, rank, state.wait, state.what, state.place, state.mask};
    }
    const bool only_barrier = groups.size() == 1 && groups.begin()->second.wait == Wait::block_barrier;
    std::string text;
    for (const auto& [key, group] : groups) {
        text += text.empty() ? "" : "; ";
        text += count_threads(group.count) +
                (text.empty() ? " of " + block_name() + " of `" + grid_->launch.name + "`" : "") +
                " wait in " + group.what + " at " + describe(group.place) + " (" + thread_name(group.first) +
                " first)";
        if (group.wait != Wait::warp_meeting) continue;
        const Warp& warp = warps_[group.first / 32];
        std::uint32_t absent = group.mask & ~warp.waiting;
        for (std::uint32_t rest = group.mask & warp.waiting; rest; rest &= rest - 1) {
            const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
            const ThreadState& other = states_[group.first / 32 * 32 + lane];
            if (other.wait != Wait::warp_meeting || other.mask != group.mask || other.what != group.what)
                absent |= 1u << lane;
        }
        text +=
            " for the lanes " + hexadecimal(group.mask) + ", of which " + hexadecimal(absent) + " never come";
    }
    if (done_) {
        unsigned first = 0;
        while (!(warps_[first / 32].done >> first % 32 & 1u)) ++first;
        text += "; " + count_threads(done_) + (done_ == 1 ? " has" : " have") +
                " returned from the kernel without coming there (" + thread_name(first) + " first)";
    }
    const bool warp_only = groups.size() == 1 && groups.begin()->second.wait == Wait::warp_meeting;
    const char* kind = only_barrier ? "barrier" : warp_only ? "warp" : "deadlock";
    grid_->stop(cudaErrorLaunchFailure,
                {kind, std::string(kind) + ": " + text, groups.begin()->second.place});
}

}  // namespace kit::cpu
