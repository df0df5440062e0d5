// The sentence about a stream or an event that is never destroyed.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>

namespace kit::cpu {

/// `thing`: "stream" or "event". `function`: the one that destroys it.
Finding never_destroyed(const std::string& thing, const std::string& function, Place made_at);

}  // namespace kit::cpu
