// Numbers for the places in a program that access memory. The numbers are small enough for a Record.
#pragma once

#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "record.hpp"

namespace kit::cpu {

class Sites {
  public:
    std::uint32_t number(const void* instruction) {
        const Slot& slot = recent_[reinterpret_cast<std::uintptr_t>(instruction) % slots];
        return slot.instruction == instruction ? slot.number : find(instruction);
    }
    std::uint32_t number(Place call);
    Place place(std::uint32_t number);
    const void* instruction(std::uint32_t number) const { return sites_[number].instruction; }

    /// Records that this site makes an atomic access of this size. The size of a site never changes, because
    /// each size is a separate function.
    void note_atomic(std::uint32_t number, unsigned bytes) {
        atomic_bytes_[number] = static_cast<std::uint8_t>(number ? bytes : 0);
    }
    /// Records that this site starts an asynchronous copy.
    void note_copy(std::uint32_t number) { copies_[number] = number != 0; }
    bool is_copy(std::uint32_t number) const { return copies_[number]; }
    /// Records that this site starts a put to another PE, or sends a signal.
    void note_put(std::uint32_t number) { puts_[number] = number != 0; }
    bool is_put(std::uint32_t number) const { return puts_[number]; }
    unsigned atomic_bytes(std::uint32_t number) const { return atomic_bytes_[number]; }

    /// Records that this site writes unknown values (cuda::discard_memory).
    void note_discard(std::uint32_t number) {
        if (number) discards_.insert(number);
    }
    bool discards(std::uint32_t number) const { return discards_.count(number) != 0; }

    /// Returns whether atomics at two sites have the same size. Atomics of different sizes are not atomic
    /// with respect to each other.
    bool of_one_size(std::uint32_t a, std::uint32_t b) const {
        return a == b || atomic_bytes_[a] == atomic_bytes_[b] || !atomic_bytes_[a] || !atomic_bytes_[b];
    }

  private:
    struct Site {
        const void* instruction = nullptr;
        Place place;
        bool known = false;  ///< whether the source line has been looked up
    };
    std::uint32_t find(const void* instruction);
    std::uint32_t add(const Site& site);

    static constexpr std::size_t slots = 4096;  // number of slots in the cache of recent addresses
    struct Slot {
        const void* instruction = nullptr;
        std::uint32_t number = 0;
    };
    Slot recent_[slots];
    std::unordered_map<const void*, std::uint32_t> numbers_;
    std::map<std::pair<std::string, int>, std::uint32_t> calls_;
    std::uint8_t atomic_bytes_[most_sites] = {};  ///< 0 if the site is not an atomic
    std::set<std::uint32_t> discards_;
    bool copies_[most_sites] = {};
    bool puts_[most_sites] = {};
    std::vector<Site> sites_{Site{}};  ///< site 0 stands for all sites after the maximum
};

}  // namespace kit::cpu
