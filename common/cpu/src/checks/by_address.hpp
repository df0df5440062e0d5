// A map from addresses to values. This map is faster than std::unordered_map, which matters because every
// atomic looks up its address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kit::cpu {

template <class T>
class ByAddress {
  public:
    /// Returns the value for the address. The first look-up creates the value.
    T& operator[](const char* address) {
        if (2 * used_ >= slots_.size()) grow();
        Slot& slot = find(address);
        if (slot.round == round_) return slot.value;
        slot = {address, round_, {}};
        ++used_;
        return slot.value;
    }

    /// Removes all values. Slots with an older round number count as free.
    void clear() {
        ++round_;
        used_ = 0;
    }

  private:
    struct Slot {
        const char* address = nullptr;
        std::uint64_t round = 0;
        T value{};
    };

    /// Returns the slot of the address, or the free slot that the address would get.
    Slot& find(const char* address) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = reinterpret_cast<std::uintptr_t>(address) * 0x9E3779B97F4A7C15u >> 20 & mask;
        while (slots_[i].round == round_ && slots_[i].address != address) i = (i + 1) & mask;
        return slots_[i];
    }

    void grow() {
        std::vector<Slot> before =
            std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
        for (Slot& slot : before)
            if (slot.round == round_) find(slot.address) = std::move(slot);
    }

    std::vector<Slot> slots_;  ///< hash table; its size is a power of two
    std::uint64_t round_ = 1;
    std::size_t used_ = 0;
};

}  // namespace kit::cpu
