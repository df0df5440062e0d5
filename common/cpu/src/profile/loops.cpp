#include "loops.hpp"

#include <algorithm>

namespace kit::cpu {

void Loops::clear() {
    loops_.clear();
    around_.clear();
}

void Loops::note(Spot from, Spot to) {
    if (from.first != to.first || from.second < to.second) return;
    const Loop loop{to.first, to.second, from.second};
    const auto same = [&](const Loop& known) { return known.has(loop) && loop.has(known); };
    if (std::none_of(loops_.begin(), loops_.end(), same)) loops_.push_back(loop);
}

void Loops::close() {
    while (merge_some()) {
    }
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
