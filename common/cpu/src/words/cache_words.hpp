// The sentences about hints to the L2 cache.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>

#include "finding.hpp"

namespace kit::cpu {

/// `function` is given shared memory.
std::string hint_for_shared_memory(const std::string& thread, const char* function, const Spot& at);

/// cuda::apply_access_property is given `bytes`, not all of which are one piece of memory. `where`: the first that is not.
std::string hint_out_of_bounds(const std::string& thread, std::size_t bytes, const std::string& where,
                               const Spot& at);

/// A stream still has a window that makes lines persist, set at `place`.
Finding window_left(std::size_t bytes, const std::string& memory, Place place);

/// Lines that nobody has reset. `window`: the launch of the kernel at `place` made them persist, else an access of it there.
Finding lines_left(std::size_t bytes, const std::string& kernel, bool window, Place place);

}  // namespace kit::cpu
