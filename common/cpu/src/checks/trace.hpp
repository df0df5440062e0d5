// The accesses of one thread, in order: for tests that ask how a kernel goes about its work.
#pragma once

#include <cstdint>
#include <kit_cpu/executor.hpp>
#include <vector>

namespace kit::cpu {

struct Trace {
    bool on = false;
    std::uint64_t block = 0;
    unsigned rank = 0;
    std::vector<TracedAccess> seen;
};
Trace& trace();

}  // namespace kit::cpu
