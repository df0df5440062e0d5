#include "lockstep.hpp"

#include <algorithm>
#include <tuple>

namespace kit::cpu {
namespace {

Loops::Spot spot_of(const Lockstep::Step& step) {
    return {step.depth, step.instruction};
}

}  // namespace

/// Compares two steps. The step that is deeper in calls comes first, and otherwise the step with the lower
/// instruction.
int Lockstep::compare(At a, At b) const {
    const Step &one = *a.step, &other = *b.step;
    if (one.depth != other.depth) return one.depth > other.depth ? -1 : 1;
    if (const int places = Whereabouts::compare(loops_, *a.where, *b.where)) return places;
    const auto fine = [](const Step& step) {
        return std::tuple(step.instruction, step.kind, step.bytes, step.meets != 0);
    };
    return fine(one) == fine(other) ? 0 : fine(one) < fine(other) ? -1 : 1;
}

void Lockstep::find_loops() {
    loops_.clear();
    for (const auto& steps : steps_) {
        loops_.begin_lane();
        for (const Step& step : steps)
            step.level ? loops_.begin_round(spot_of(step), step.function, step.level)
                       : loops_.go(spot_of(step));
    }
    loops_.close();
    for (unsigned lane = 0; lane < 32; ++lane)
        if (!steps_[lane].empty()) where_[lane].start(loops_, spot_of(steps_[lane].front()));
}

void Lockstep::meet(std::uint32_t lanes, bool exchange, const void* call, std::uint32_t depth) {
    const Step step{call, arrived_.size(), depth, 0, 0, lanes, exchange};
    arrived_.push_back(0);
    for (; lanes; lanes &= lanes - 1) steps_[static_cast<unsigned>(__builtin_ctz(lanes))].push_back(step);
}

/// Called when these lanes have reached their next step. Counts arrivals at meetings.
void Lockstep::arrive(std::uint32_t lanes) {
    for (; lanes; lanes &= lanes - 1)
        if (const Step* const step = step_of(static_cast<unsigned>(__builtin_ctz(lanes)));
            step && step->meets)
            ++arrived_[step->address];
}

/// Returns whether the step is a meeting at which not all lanes have arrived.
bool Lockstep::is_waiting(const Step& step) const {
    return step.meets && arrived_[step.address] < __builtin_popcount(step.meets);
}

/// Called when these lanes have met. From now on they are in the same round of each loop, whatever their
/// earlier rounds were.
void Lockstep::have_met(std::uint32_t lanes) {
    Whereabouts& first = where_[static_cast<unsigned>(__builtin_ctz(lanes))];
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1)
        first.catch_up(where_[static_cast<unsigned>(__builtin_ctz(rest))]);
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1)
        where_[static_cast<unsigned>(__builtin_ctz(rest))].catch_up(first);
}

/// Executes a step that these lanes take together, and finds the next step of each.
void Lockstep::go_on(std::uint32_t lanes) {
    const Step& taken = *step_of(static_cast<unsigned>(__builtin_ctz(lanes)));
    const bool exchange = taken.exchange;
    if (taken.meets) have_met(lanes);
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        ++next_[lane];
        if (const Step* const step = step_of(lane)) where_[lane].go(loops_, spot_of(*step));
    }
    arrive(lanes);
    if (!exchange) look_whether_parted(lanes);
}

void Lockstep::look_whether_parted(std::uint32_t lanes) {
    At ways[32];  // one lane of each path
    unsigned count = 0;
    bool some_end = false;
    std::array<Whereabouts, 32> behind;  // exchanges that are the next steps of other lanes
    for (; lanes; lanes &= lanes - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
        At now = at(lane);
        if (now.step && now.step->exchange) {
            const auto& steps = steps_[lane];
            std::size_t i = next_[lane];
            behind[lane] = where_[lane];
            while (++i < steps.size()) {
                behind[lane].go(loops_, spot_of(steps[i]));
                if (!steps[i].exchange) break;
            }
            now = {i < steps.size() ? &steps[i] : nullptr, &behind[lane]};
        }
        some_end |= !now.step;
        const auto is_behind = [&](const At& one) {
            return one.where >= behind.begin() && one.where < behind.end();
        };
        const auto same = [&](const At& way) {  // after the exchange, the lanes are in the same round
            if (is_behind(way) != is_behind(now)) return false;
            return is_behind(now) ? spot_of(*way.step) == spot_of(*now.step) : compare(way, now) == 0;
        };
        if (now.step && std::none_of(ways, ways + count, same)) ways[count++] = now;
    }
    if (count + some_end < 2) return;
    std::sort(ways, ways + count, [this](const At& a, const At& b) { return compare(a, b) < 0; });
    if (!some_end) --count;
    for (unsigned i = 0; i < count; ++i) divergent_.push_back(ways[i].step->instruction);
}

/// Returns the next access or meeting of the warp; null if no lane has steps left.
const Lockstep::Step* Lockstep::next(WarpAccess& access) {
    while (true) {
        const Step* best = nullptr;
        unsigned best_lane = 0;
        access.lanes = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const Step* const step = step_of(lane);
            if (!step || is_waiting(*step)) continue;
            const int order = best ? compare(at(lane), at(best_lane)) : -1;
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
        if (best->meets) access.lanes |= best->meets;  // lanes of all paths take part in the meeting
        go_on(access.lanes);
        if (best->level) continue;
        access.bytes = best->bytes;
        return best;
    }
}

void Lockstep::forget() {
    for (auto& steps : steps_) steps.clear();
    next_.fill(0);
    arrived_.clear();
}

}  // namespace kit::cpu
