// What the checkers have seen in one kernel: each kind of mistake once per pair of lines, counted, then told in words.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "../finding.hpp"
#include "race.hpp"

namespace kit::cpu {

class Block;

/// Numbers for instructions, small enough for a Record.
class Sites {
  public:
    std::uint32_t number(const void* instruction);
    const void* instruction(std::uint32_t number) const { return instructions_[number]; }

  private:
    static constexpr std::size_t slots = 4096;  // recently seen ones, by address
    struct Slot {
        const void* instruction = nullptr;
        std::uint32_t number = 0;
    };
    Slot recent_[slots];
    std::unordered_map<const void*, std::uint32_t> numbers_;
    std::vector<const void*> instructions_{nullptr};  ///< number 0: more instructions than can be told apart
};

class Mistakes {
  public:
    explicit Mistakes(Sites& sites) : sites_(sites) {}

    void race(const Block& block, const Access& access, const Record& now, const Record& earlier);
    void uninitialised(const Block& block, const Access& access);

    /// Hands the findings in, the most telling first, at most five.
    void report();

  private:
    struct Seen {
        std::uint64_t count = 0;
        unsigned order = 0;
        Finding finding;
        Place other;  ///< of a race
    };
    Seen* note(std::uint32_t site, std::uint32_t other_site, char kind);

    Sites& sites_;
    std::unordered_map<std::uint64_t, Seen> seen_;
};

/// "`tile` (shared memory), byte 512" or "byte 4 of `in`" or "byte 8 of the 64 bytes allocated by cudaMalloc #1".
std::string name_address(const Block& block, const char* address);

}  // namespace kit::cpu
