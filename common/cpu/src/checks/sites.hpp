// Numbers for the places in the program that touch memory, small enough for a Record.
#pragma once

#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kit::cpu {

class Sites {
  public:
    std::uint32_t number(const void* instruction);
    std::uint32_t number(Place call);
    Place place(std::uint32_t number);

  private:
    struct Site {
        const void* instruction = nullptr;
        Place place;
        bool known = false;  ///< the place was looked up
    };
    std::uint32_t add(const Site& site);

    static constexpr std::size_t slots = 4096;  // recently seen ones, by address
    struct Slot {
        const void* instruction = nullptr;
        std::uint32_t number = 0;
    };
    Slot recent_[slots];
    std::unordered_map<const void*, std::uint32_t> numbers_;
    std::map<std::pair<std::string, int>, std::uint32_t> calls_;
    std::vector<Site> sites_{Site{}};  ///< number 0: more places than can be told apart
};

}  // namespace kit::cpu
