// Numbers, masks and places in a grid, as all reports write them.
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace kit::cpu {

/// "1 byte", "12 bytes"
std::string count_bytes(std::size_t bytes);

/// "1 thread", "32 threads"
std::string count_threads(unsigned threads);

/// "0x0000ffff"
std::string hexadecimal(std::uint32_t mask);

/// "0x7f12a000"
std::string hexadecimal(const void* address);

/// "(5,0,0)": the place with this number in a block or a grid of that size.
std::string coordinates(std::uint64_t number, const dim3& size);
std::string coordinates(const uint3& place);

}  // namespace kit::cpu
