// Numbers, masks and places in a grid, as all reports write them.
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace kit::cpu {

/// "1 byte", "12 bytes"
std::string count_bytes(std::size_t bytes);

/// Where an address lies: "byte 4 of `in`", "4 bytes after the end of `in`" ("right after" it), "8 bytes before the start of `in`"
std::string byte_of(std::size_t offset, const std::string& piece);
std::string after_end_of(std::size_t past, const std::string& piece);
std::string before_start_of(std::size_t ahead, const std::string& piece);

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
