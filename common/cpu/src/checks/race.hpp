// Where a race is decided: may this access and an earlier one touch the same bytes unordered?
#pragma once

#include "happens_before.hpp"
#include "record.hpp"

namespace kit::cpu {

/// The access that the running thread makes.
struct Access {
    const char* address = nullptr;
    unsigned bytes = 0;
    bool write = false;
    bool read = true;     ///< of an atomic: false for a mere store
    bool natural = true;  ///< must be aligned to its size
    bool whole = false;   ///< may be a struct with padding
    bool atomic = false;
    bool is_volatile = false;  ///< how host and kernels talk through memory that both may touch
    Scope scope = Scope::device;
    const void* instruction = nullptr;
};

/// Compares with the records of a cell and adds this access to them. Returns the record with which it races, or one
/// that is not valid.
Record check_race(Cell& cell, const Record& now, const BlockClocks& clocks);

}  // namespace kit::cpu
