// A map from numbers (of blocks or threads) to clocks. It is a sorted array, because vector clocks are copied
// and joined more often than elements are added.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace kit::cpu {

class ClockMap {
    using Entry = std::pair<std::uint32_t, std::uint32_t>;  // key and clock

    template <class Entries>
    static auto lower_bound(Entries& entries, std::uint32_t key) {
        return std::lower_bound(
            entries.begin(), entries.end(), key,
            [](const Entry& entry, std::uint32_t wanted) { return entry.first < wanted; });
    }

  public:
    auto begin() const { return entries_.begin(); }
    auto end() const { return entries_.end(); }
    bool empty() const { return entries_.empty(); }

    /// Returns the clock of the key; end() if there is none.
    auto find(std::uint32_t key) const {
        const auto found = lower_bound(entries_, key);
        return found != end() && found->first == key ? found : end();
    }
    /// Returns the clock of the key, which is initially 0.
    std::uint32_t& operator[](std::uint32_t key) {
        auto found = lower_bound(entries_, key);
        if (found == entries_.end() || found->first != key) found = entries_.insert(found, {key, 0});
        return found->second;
    }
    void raise(std::uint32_t key, std::uint32_t clock) {
        std::uint32_t& known = (*this)[key];
        known = std::max(known, clock);
    }
    /// Joins another map: each key gets the later one of its two clocks.
    void join(const ClockMap& other) {
        if (other.empty()) return;
        if (empty()) {
            entries_ = other.entries_;
            return;
        }
        std::vector<Entry> joined;
        joined.reserve(entries_.size() + other.entries_.size());
        auto mine = entries_.begin();
        for (const Entry& more : other.entries_) {
            while (mine != entries_.end() && mine->first < more.first) joined.push_back(*mine++);
            joined.push_back(more);
            if (mine == entries_.end() || mine->first != more.first) continue;
            joined.back().second = std::max(joined.back().second, mine->second);
            ++mine;
        }
        joined.insert(joined.end(), mine, entries_.end());
        entries_ = std::move(joined);
    }

  private:
    std::vector<Entry> entries_;  ///< sorted by their keys
};

}  // namespace kit::cpu
