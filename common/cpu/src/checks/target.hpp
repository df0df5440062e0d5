// The memory that an access reads or writes, and whether the access is allowed.
#pragma once

#include <facts/finding.hpp>

namespace kit::cpu {

class Block;
class ShadowRegion;

struct Target {
    enum class Memory { unchecked, shared, device, variable, constant, host } memory = Memory::unchecked;
    ShadowRegion* region = nullptr;         ///< null if the memory is not checked
    Block* holder = nullptr;                ///< block that owns the shared memory
    facts::Rule fault = facts::Rule::none;  ///< what is wrong with the access
    const char* near = nullptr;             ///< address that the report about a fault describes

    bool is_shared() const { return memory == Memory::shared; }
    /// Returns whether the checks know which bytes of this memory have been written.
    bool has_history() const { return memory == Memory::shared || memory == Memory::device; }
};

}  // namespace kit::cpu
