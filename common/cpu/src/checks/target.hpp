// The memory that an access goes to, and whether the access is allowed.
#pragma once

#include <facts/finding.hpp>

namespace kit::cpu {

class Block;
class ShadowRegion;

struct Target {
    enum class Memory { unchecked, shared, device, variable, constant, host } memory = Memory::unchecked;
    ShadowRegion* region = nullptr;         ///< null: unchecked
    Block* holder = nullptr;                ///< block that owns the shared memory
    facts::Rule fault = facts::Rule::none;  ///< what is wrong with the access
    const char* near = nullptr;             ///< address that the report of a fault describes

    bool is_shared() const { return memory == Memory::shared; }
    /// Returns whether it is known which bytes have been written.
    bool has_history() const { return memory == Memory::shared || memory == Memory::device; }
};

}  // namespace kit::cpu
