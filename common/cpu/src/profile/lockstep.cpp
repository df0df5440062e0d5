#include "lockstep.hpp"

#include <algorithm>
#include <tuple>

namespace kit::cpu {
namespace {

Loops::Spot spot_of(const Lockstep::Step& step) {
    return {step.depth, step.instruction};
}

}  // namespace

/// Which of two lanes that have a step goes first: the deepest in calls, then by place.
int Lockstep::compare(unsigned a, unsigned b) const {
    const Step &one = *step_of(a), &other = *step_of(b);
    if (one.depth != other.depth) return one.depth > other.depth ? -1 : 1;
    if (const int places = Whereabouts::compare(loops_, where_[a], where_[b])) return places;
    const auto fine = [](const Step& step) {
        return std::tuple(step.instruction, step.kind, step.bytes, step.meets != 0);
    };
    return fine(one) == fine(other) ? 0 : fine(one) < fine(other) ? -1 : 1;
}

void Lockstep::find_loops() {
    loops_.clear();
    for (const auto& steps : steps_)
        for (std::size_t i = 1; i < steps.size(); ++i) loops_.note(spot_of(steps[i - 1]), spot_of(steps[i]));
    loops_.close();
    for (unsigned lane = 0; lane < 32; ++lane)
        if (!steps_[lane].empty()) where_[lane].start(loops_, spot_of(steps_[lane].front()));
}

bool Lockstep::meet(std::uint32_t lanes, const void* call, std::uint32_t depth) {
    if (lanes == lanes_) return true;
    ++meetings_;
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1)
        steps_[static_cast<unsigned>(__builtin_ctz(rest))].push_back({call, meetings_, depth, 0, 0, lanes});
    return false;
}

/// Does the lane meet others that are not there yet?
bool Lockstep::is_waiting(unsigned lane) const {
    const Step& step = *step_of(lane);
    for (std::uint32_t rest = step.meets; rest; rest &= rest - 1) {
        const Step* const other = step_of(static_cast<unsigned>(__builtin_ctz(rest)));
        if (!other || !other->meets || other->address != step.address) return true;
    }
    return false;
}

/// These lanes take a step together: where do they go from there?
void Lockstep::go_on(std::uint32_t lanes) {
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        ++next_[lane];
        if (const Step* const step = step_of(lane)) where_[lane].go(loops_, spot_of(*step));
    }
    look_whether_parted(lanes);
}

void Lockstep::look_whether_parted(std::uint32_t lanes) {
    unsigned ways[32];  // one lane of each
    unsigned count = 0;
    bool some_end = false;
    for (; lanes; lanes &= lanes - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
        some_end |= !step_of(lane);
        const auto same = [&](unsigned way) { return compare(way, lane) == 0; };
        if (step_of(lane) && std::none_of(ways, ways + count, same)) ways[count++] = lane;
    }
    if (count + some_end < 2) return;
    std::sort(ways, ways + count, [this](unsigned a, unsigned b) { return compare(a, b) < 0; });
    if (!some_end) --count;
    for (unsigned i = 0; i < count; ++i) parted_.push_back(step_of(ways[i])->instruction);
}

/// The steps that the warp takes next, as one access; null when no lane has any left.
const Lockstep::Step* Lockstep::next(WarpAccess& access) {
    while (true) {
        const Step* best = nullptr;
        unsigned best_lane = 0;
        access.lanes = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const Step* const step = step_of(lane);
            if (!step || is_waiting(lane)) continue;
            const int order = best ? compare(lane, best_lane) : -1;
            if (order > 0) continue;
            if (order < 0) {
                best = step;
                best_lane = lane;
                access.lanes = 0;
            }
            access.lanes |= 1u << lane;
            access.address[lane] = step->address;
        }
        if (!best) return nullptr;
        if (best->meets) access.lanes |= best->meets;  // whatever way they have come
        go_on(access.lanes);
        if (best->meets) continue;
        access.bytes = best->bytes;
        return best;
    }
}

void Lockstep::forget() {
    for (auto& steps : steps_) steps.clear();
    next_.fill(0);
}

}  // namespace kit::cpu
