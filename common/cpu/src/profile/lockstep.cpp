#include "lockstep.hpp"

#include <algorithm>
#include <tuple>

namespace kit::cpu {
namespace {

/// Which goes first: the deepest in calls, then the lowest instruction; lanes that meet wait for all others.
auto order(const Lockstep::Step& step) {
    return std::tuple(step.meeting, ~step.depth, step.instruction, step.kind, step.bytes);
}

}  // namespace

void Lockstep::meet(std::uint32_t lanes, const void* call) {
    for (; lanes; lanes &= lanes - 1)
        steps_[static_cast<unsigned>(__builtin_ctz(lanes))].push_back({call, 0, 0, 0, 0, true});
}

/// These lanes take a step together: where do they go from there?
void Lockstep::go_on(std::uint32_t lanes) {
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1)
        ++next_[static_cast<unsigned>(__builtin_ctz(rest))];
    look_whether_parted(lanes);
}

void Lockstep::look_whether_parted(std::uint32_t lanes) {
    const Step* ways[32];
    unsigned count = 0;
    bool some_end = false;
    for (; lanes; lanes &= lanes - 1) {
        const Step* const step = step_of(static_cast<unsigned>(__builtin_ctz(lanes)));
        some_end |= !step;
        const auto same = [step](const Step* way) { return order(*way) == order(*step); };
        if (step && std::none_of(ways, ways + count, same)) ways[count++] = step;
    }
    if (count + some_end < 2) return;
    std::sort(ways, ways + count, [](const Step* a, const Step* b) { return order(*a) < order(*b); });
    if (!some_end) --count;
    for (unsigned i = 0; i < count; ++i) parted_.push_back(ways[i]->instruction);
}

/// The steps that the warp takes next, as one access; null when no lane has any left.
const Lockstep::Step* Lockstep::next(WarpAccess& access) {
    while (true) {
        const Step* best = nullptr;
        access.lanes = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const Step* const step = step_of(lane);
            if (!step || (best && order(*best) < order(*step))) continue;
            if (!best || order(*step) < order(*best)) {
                best = step;
                access.lanes = 0;
            }
            access.lanes |= 1u << lane;
            access.address[lane] = step->address;
        }
        if (!best) return nullptr;
        go_on(access.lanes);
        if (best->meeting) continue;
        access.bytes = best->bytes;
        return best;
    }
}

void Lockstep::forget() {
    for (auto& steps : steps_) steps.clear();
    next_.fill(0);
}

}  // namespace kit::cpu
