// The sentences about memory, a stream or an event that a graded function has left behind.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>

#include "memory_words.hpp"

namespace kit::cpu {

/// `thing`: "stream" or "event". `function`: the one that destroys it.
Finding never_destroyed(const std::string& thing, const std::string& function, Place made_at);

Finding never_freed_again(const AllocationFacts& allocation);

}  // namespace kit::cpu
