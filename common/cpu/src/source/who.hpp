// The facts about who acts: threads, blocks, host code.
#pragma once

#include <vector_types.h>

#include <cstdint>
#include <facts/finding.hpp>
#include <string>

namespace kit::cpu {

/// Returns the place with this number in a block or a grid of that size.
facts::Index index_of(std::uint64_t number, const dim3& size);
facts::Index index_of(const uint3& place);

/// Returns a thread, of a block and a kernel that may be left out.
facts::Who thread_of(const facts::Index& thread, const facts::Index& block = {},
                     const std::string& kernel = "");
facts::Who name_block(const facts::Index& block);

facts::Who host_code();
/// Returns a caller with the name of a function.
facts::Who caller_of(const std::string& function);

}  // namespace kit::cpu
