#include "lockstep.hpp"

#include <tuple>

namespace kit::cpu {

void Lockstep::meet(std::uint32_t lanes) {
    for (; lanes; lanes &= lanes - 1)
        steps_[static_cast<unsigned>(__builtin_ctz(lanes))].push_back({nullptr, 0, 0, 0, 0, true});
}

/// The steps that the warp takes next, as one access; null when no lane has any left.
const Lockstep::Step* Lockstep::next(WarpAccess& access) {
    while (true) {
        const Step* best = nullptr;
        std::uint32_t waiting = 0;
        access.lanes = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (next_[lane] == steps_[lane].size()) continue;
            const Step& step = steps_[lane][next_[lane]];
            if (step.meeting) {
                waiting |= 1u << lane;
                continue;
            }
            const bool same = best && step.instruction == best->instruction && step.depth == best->depth &&
                              step.kind == best->kind && step.bytes == best->bytes;
            const auto order = [](const Step& s) {
                return std::tuple(~s.depth, s.instruction, s.kind, s.bytes);
            };
            if (!same && best && order(*best) < order(step)) continue;
            if (!same) {
                best = &step;
                access.lanes = 0;
            }
            access.lanes |= 1u << lane;
            access.address[lane] = step.address;
        }
        if (best) {
            access.bytes = best->bytes;
            for (std::uint32_t rest = access.lanes; rest; rest &= rest - 1)
                ++next_[static_cast<unsigned>(__builtin_ctz(rest))];
            return best;
        }
        if (!waiting) return nullptr;
        for (; waiting; waiting &= waiting - 1) ++next_[static_cast<unsigned>(__builtin_ctz(waiting))];
    }
}

void Lockstep::forget() {
    for (auto& steps : steps_) steps.clear();
    next_.fill(0);
}

}  // namespace kit::cpu
