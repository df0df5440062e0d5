// The facts that name the thread, the block or the host function that acts.
#pragma once

#include <vector_types.h>

#include <cstdint>
#include <facts/finding.hpp>
#include <string>

namespace kit::cpu {

/// Returns the three-dimensional index of the thread or block with this linear number.
facts::Index index_of(std::uint64_t number, const dim3& size);
facts::Index index_of(const uint3& place);

/// Returns a thread as a fact; its block and its kernel are optional.
facts::Who thread_of(const facts::Index& thread, const facts::Index& block = {},
                     const std::string& kernel = "");
facts::Who name_block(const facts::Index& block);

facts::Who host_code();
/// Returns a host function as a fact.
facts::Who caller_of(const std::string& function);

}  // namespace kit::cpu
