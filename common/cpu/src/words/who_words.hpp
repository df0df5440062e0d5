// Who does it: threads, blocks, host code.
#pragma once

#include <vector_types.h>

#include <cstdint>
#include <string>

namespace kit::cpu {

/// "thread (5,0,0)": the one with this number in a block of that size.
std::string name_thread(std::uint64_t rank, const dim3& block);
/// "block (2,0,0)"
std::string name_block(const uint3& index);
std::string name_block(std::uint64_t number, const dim3& grid);

/// Where nobody knows which.
std::string some_thread();
std::string some_block();

std::string host_code();

/// "thread (5,0,0) of block (2,0,0)", "`tile[3]` (shared) of block (2,0,0)"
std::string of_block(const std::string& what, const std::string& block);
/// "thread (5,0,0) of block (2,0,0) of `tree`"
std::string of_kernel(const std::string& thread, const std::string& block, const std::string& kernel);

}  // namespace kit::cpu
