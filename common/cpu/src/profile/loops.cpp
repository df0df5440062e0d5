#include "loops.hpp"

#include <algorithm>
#include <utility>

namespace kit::cpu {

void Loops::clear() {
    loops_.clear();
    marked_.clear();
    around_.clear();
}

void Loops::begin_lane() {
    open_.clear();
    last_ = {};
}

/// Adds the step to each loop of the function that contains the lane.
void Loops::step(Spot spot) {
    // The functions of these loops have returned.
    while (!open_.empty() && open_.back().mark.first > spot.first) open_.pop_back();
    for (Open& open : open_) {
        if (open.mark.first != spot.first) continue;
        open.begin = std::min(open.begin, spot.second);
        open.end = std::max(open.end, spot.second);
    }
    last_ = spot;
}

void Loops::go(Spot spot) {
    const Spot from = last_;
    const bool back = from.first == spot.first && spot.second <= from.second;
    const bool behind_mark = last_is_mark_;
    last_is_mark_ = false;
    step(spot);
    if (!back) return;
    const bool in_marked = !open_.empty() && open_.back().mark.first == spot.first;
    if (in_marked && !std::exchange(open_.back().went_back, true)) return;
    if (!behind_mark) note({spot.first, spot.second, from.second});
}

/// Starts a round of a loop. The loops of a kernel enclose those of functions that the compiler has inlined
/// into it.
void Loops::begin_round(Spot spot, unsigned function, unsigned level) {
    step(spot);
    last_is_mark_ = true;
    const auto is_it = [&](const Open& open) { return open.mark == spot; };
    const auto it = std::find_if(open_.begin(), open_.end(), is_it);
    if (it != open_.end()) {
        open_.erase(it + 1, open_.end());
        Loop& loop = marked_.try_emplace(spot, Loop{spot.first, it->begin, it->end}).first->second;
        loop.begin = std::min(loop.begin, it->begin);
        loop.end = std::max(loop.end, it->end);
        open_.pop_back();
    }
    const auto has_ended = [&](const Open& open) {
        return open.mark.first == spot.first &&
               ((open.function == function && open.level >= level) || (open.function != 0 && function == 0));
    };
    while (!open_.empty() && has_ended(open_.back())) open_.pop_back();
    open_.push_back({spot, function, level, spot.second, spot.second, false});
}

void Loops::note(Loop loop) {
    const auto same = [&](const Loop& known) { return known.has(loop) && loop.has(known); };
    if (std::none_of(loops_.begin(), loops_.end(), same)) loops_.push_back(loop);
}

/// Joins a loop without marks with loops that have marks. A loop without marks may be detected only after the
/// end of those with marks: it contains one of them, or is the same loop.
void Loops::join_marked(Loop& loop, bool& is_known) const {
    for (const auto& [mark, marked] : marked_) {
        if (marked.depth != loop.depth || loop.end < marked.begin || marked.end < loop.begin) continue;
        if (marked.has(loop)) {
            is_known |= marked.begin == loop.begin || marked.end == loop.end;
        } else {
            loop.begin = std::min(loop.begin, marked.begin);
            loop.end = std::max(loop.end, marked.end);
        }
    }
}

void Loops::close() {
    std::vector<Loop> others;
    for (Loop loop : loops_) {
        bool is_known = false;
        join_marked(loop, is_known);
        if (!is_known) others.push_back(loop);
    }
    loops_ = std::move(others);
    while (merge_some()) {
    }
    for (const auto& [mark, loop] : marked_) loops_.push_back(loop);
    const auto outer_first = [](const Loop& a, const Loop& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    };
    std::sort(loops_.begin(), loops_.end(), outer_first);
}

bool Loops::merge_some() {
    for (std::size_t i = 0; i < loops_.size(); ++i)
        for (std::size_t j = i + 1; j < loops_.size(); ++j) {
            Loop &a = loops_[i], &b = loops_[j];
            if (a.depth != b.depth || a.end < b.begin || b.end < a.begin) continue;
            const bool inner = (a.has(b) || b.has(a)) && a.begin != b.begin && a.end != b.end;
            if (inner) continue;
            a.begin = std::min(a.begin, b.begin);
            a.end = std::max(a.end, b.end);
            loops_.erase(loops_.begin() + static_cast<std::ptrdiff_t>(j));
            return true;
        }
    return false;
}

const std::vector<unsigned>& Loops::around(Spot spot) {
    const auto [found, is_new] = around_.try_emplace(spot);
    if (is_new)
        for (unsigned i = 0; i < loops_.size(); ++i)
            if (loops_[i].has(spot)) found->second.push_back(i);
    return found->second;
}

void Whereabouts::start(Loops& loops, Loops::Spot spot) {
    spot_ = spot;
    around_ = &loops.around(spot);
    rounds_.assign(loops.count(), 0);
}

void Whereabouts::go(Loops& loops, Loops::Spot spot) {
    const auto &before = *around_, &now = loops.around(spot);
    std::size_t common = 0;
    while (common < before.size() && common < now.size() && before[common] == now[common]) ++common;
    if (common > 0 && spot.second <= spot_.second) ++rounds_[now[common - 1]];
    for (std::size_t i = common; i < now.size(); ++i) rounds_[now[i]] = 0;
    spot_ = spot;
    around_ = &now;
}

void Whereabouts::catch_up(const Whereabouts& other) {
    for (std::size_t i = 0; i < rounds_.size(); ++i) rounds_[i] = std::max(rounds_[i], other.rounds_[i]);
}

int Whereabouts::compare(const Loops& loops, const Whereabouts& a, const Whereabouts& b) {
    const auto &of_a = *a.around_, &of_b = *b.around_;
    std::size_t i = 0;
    for (; i < of_a.size() && i < of_b.size() && of_a[i] == of_b[i]; ++i) {
        const unsigned rounds = a.rounds_[of_a[i]], others = b.rounds_[of_b[i]];
        if (rounds != others) return rounds < others ? -1 : 1;
    }
    const void* const first = i < of_a.size() ? loops.begin_of(of_a[i]) : a.spot_.second;
    const void* const second = i < of_b.size() ? loops.begin_of(of_b[i]) : b.spot_.second;
    if (first != second) return first < second ? -1 : 1;
    return a.spot_.second == b.spot_.second ? 0 : a.spot_.second < b.spot_.second ? -1 : 1;
}

}  // namespace kit::cpu
