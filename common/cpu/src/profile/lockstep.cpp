#include "lockstep.hpp"

#include <algorithm>
#include <tuple>

namespace kit::cpu {
namespace {

Loops::Spot spot_of(const Lockstep::Step& step) {
    return {step.depth, step.instruction};
}

}  // namespace

/// Which of two lanes that have a step goes first: the deepest in calls, then by place; lanes that meet wait for all others.
int Lockstep::compare(unsigned a, unsigned b) const {
    const Step &one = *step_of(a), &other = *step_of(b);
    const auto rough = [](const Step& step) { return std::tuple(step.meeting, ~step.depth); };
    if (rough(one) != rough(other)) return rough(one) < rough(other) ? -1 : 1;
    if (!one.meeting)
        if (const int places = Whereabouts::compare(loops_, where_[a], where_[b])) return places;
    const auto fine = [](const Step& step) { return std::tuple(step.instruction, step.kind, step.bytes); };
    return fine(one) == fine(other) ? 0 : fine(one) < fine(other) ? -1 : 1;
}

void Lockstep::find_loops() {
    loops_.clear();
    const auto each_access = [this](unsigned lane, auto what) {
        for (const Step& step : steps_[lane])
            if (!step.meeting) what(spot_of(step));
    };
    for (unsigned lane = 0; lane < 32; ++lane) {
        Loops::Spot before{};
        each_access(lane, [&](Loops::Spot spot) {
            if (before.second) loops_.note(before, spot);
            before = spot;
        });
    }
    loops_.close();
    for (unsigned lane = 0; lane < 32; ++lane) {
        const auto is_access = [](const Step& step) { return !step.meeting; };
        const auto first = std::find_if(steps_[lane].begin(), steps_[lane].end(), is_access);
        if (first != steps_[lane].end()) where_[lane].start(loops_, spot_of(*first));
    }
}

void Lockstep::meet(std::uint32_t lanes, const void* call) {
    for (; lanes; lanes &= lanes - 1)
        steps_[static_cast<unsigned>(__builtin_ctz(lanes))].push_back({call, 0, 0, 0, 0, true});
}

/// These lanes take a step together: where do they go from there?
void Lockstep::go_on(std::uint32_t lanes) {
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const bool was_access = !step_of(lane)->meeting;
        ++next_[lane];
        // Where the next access is, also if a meeting comes before it.
        const auto& steps = steps_[lane];
        std::size_t at = next_[lane];
        while (at < steps.size() && steps[at].meeting) ++at;
        if (was_access && at < steps.size()) where_[lane].go(loops_, spot_of(steps[at]));
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
            if (!step) continue;
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
