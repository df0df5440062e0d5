// Where an access goes, and whether it may.
#pragma once

#include <facts/finding.hpp>

namespace kit::cpu {

class Block;
class ShadowRegion;

struct Target {
    enum class Memory { unchecked, shared, device, variable, constant, host } memory = Memory::unchecked;
    ShadowRegion* region = nullptr;         ///< null: unchecked
    Block* holder = nullptr;                ///< whose shared memory
    facts::Rule fault = facts::Rule::none;  ///< what is wrong with the access
    const char* near = nullptr;             ///< of a fault: the address to describe

    bool is_shared() const { return memory == Memory::shared; }
    /// Is it known which bytes have been written?
    bool has_history() const { return memory == Memory::shared || memory == Memory::device; }
};

}  // namespace kit::cpu
