// Detects kernels that store the elements of wmma fragments by an assumed layout, `c[row * n + column] = sums.x[i]`. Which element of the matrix is
// in x[i] is unspecified.
//
// The elements of a fragment are in local memory, so their loads are events. A plain store that follows the load of x[i] counts as the store
// of this element. When the block ends, or an operation sets the fragment again, the stores of a warp are examined. The
// check does not report stores of one element of each lane (a sum over the elements), stores to the same place, and places that are a linear function of the lane and
// of i: a kernel may keep fragments in memory in this way, and load each element into the same x[i] again.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "run/block.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

/// The fragments of one block.
class FragmentStores {
  public:
    void clear() {
        lanes_.clear();
        stores_.clear();
    }

    /// An operation has set a fragment of the thread.
    template <class Report>
    void set(unsigned rank, const char* begin, unsigned bytes, unsigned element_bytes, Report report) {
        Lane& lane = lanes_[rank];
        for (std::size_t number = 0; number < lane.fragments.size(); ++number) {
            if (lane.fragments[number].begin != begin) continue;
            if (!stores_.empty()) examine({rank / 32, number}, report);
            return;
        }
        lane.fragments.push_back({begin, bytes, element_bytes});
    }

    void gone(unsigned rank, const char* begin) {
        const auto lane = lanes_.find(rank);
        if (lane == lanes_.end()) return;
        for (Fragment& fragment : lane->second.fragments)
            if (fragment.begin == begin) fragment = {};
    }

    /// The thread reads or writes local memory.
    void local(unsigned rank, const char* address, bool write) {
        const auto found = lanes_.find(rank);
        if (found == lanes_.end()) return;
        Lane& lane = found->second;
        for (std::size_t number = 0; number < lane.fragments.size(); ++number) {
            const Fragment& fragment = lane.fragments[number];
            if (address < fragment.begin || address >= fragment.begin + fragment.bytes) continue;
            lane.has_read = !write;
            lane.number = number;
            lane.index = static_cast<unsigned>(address - fragment.begin) / fragment.element_bytes;
            return;
        }
    }

    /// The thread stores a value in global or shared memory.
    template <class Report>
    void store(unsigned rank, const char* address, const void* instruction, Report report) {
        const auto found = lanes_.find(rank);
        if (found == lanes_.end() || !std::exchange(found->second.has_read, false)) return;
        const std::pair<unsigned, std::size_t> key{rank / 32, found->second.number};
        const std::pair<unsigned, unsigned> element{rank, found->second.index};
        if (stores_[key].count(element)) examine(key, report);
        stores_[key][element] = {address, instruction};
    }

    template <class Report>
    void end(Report report) {
        while (!stores_.empty()) examine(stores_.begin()->first, report);
        clear();
    }

  private:
    struct Fragment {
        const char* begin = nullptr;
        unsigned bytes = 0, element_bytes = 1;
    };
    struct Lane {
        std::vector<Fragment> fragments;
        bool has_read =
            false;  ///< whether the thread's last access to a fragment was a load, and no store has followed
        std::size_t number = 0;  ///< the fragment, and the element, of that load
        unsigned index = 0;
    };
    struct Store {
        const char* address = nullptr;
        const void* instruction = nullptr;
    };
    /// Stores by thread and index.
    using Stores = std::map<std::pair<unsigned, unsigned>, Store>;

    /// Calls report(rank, index, instruction) if the stores assume a layout, and forgets them.
    template <class Report>
    void examine(std::pair<unsigned, std::size_t> key, Report report) {
        const auto found = stores_.find(key);
        if (found == stores_.end()) return;
        const Stores stores = std::move(found->second);
        stores_.erase(found);
        if (assume_a_layout(stores)) {
            const auto& [element, store] = *stores.begin();
            report(element.first, element.second, store.instruction);
        }
    }

    static bool assume_a_layout(const Stores& stores) {
        constexpr std::size_t few = 64;
        if (stores.size() < few) return false;
        const auto [first_element, first] = *stores.begin();
        std::map<const char*, unsigned> places;
        bool has_lane = false, has_index = false;
        std::ptrdiff_t per_lane = 0, per_index = 0;
        for (const auto& [element, store] : stores) {
            if (++places[store.address] > 1) return false;
            const std::ptrdiff_t distance = store.address - first.address;
            const int lanes = static_cast<int>(element.first - first_element.first),
                      indices = static_cast<int>(element.second - first_element.second);
            if (!has_lane && lanes && !indices) has_lane = true, per_lane = distance / lanes;
            if (!has_index && indices && !lanes) has_index = true, per_index = distance / indices;
        }
        if (!has_index) return false;
        for (const auto& [element, store] : stores) {
            const int lanes = static_cast<int>(element.first - first_element.first),
                      indices = static_cast<int>(element.second - first_element.second);
            if (store.address - first.address != per_lane * lanes + per_index * indices) return true;
        }
        return false;
    }

    std::map<unsigned, Lane> lanes_;
    std::map<std::pair<unsigned, std::size_t>, Stores> stores_;  ///< by warp and fragment
};

}  // namespace kit::cpu
