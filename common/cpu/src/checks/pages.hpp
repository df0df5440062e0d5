// Reserved memory: the system provides its pages when they are first accessed; until then they read as zero.
#pragma once

#include <cstddef>

namespace kit::cpu {

constexpr std::size_t page_bytes = 4096;

/// Reserves memory. Ends the program with an explanation if the system refuses.
void* reserve_pages(std::size_t bytes);
void release_pages(void* memory, std::size_t bytes);

/// Returns the pages to the system, so that they read as zero again.
void forget_pages(void* memory, std::size_t bytes);

/// Returns the bytes of the pages that exist, of those that hold these bytes.
std::size_t resident_pages(const void* memory, std::size_t bytes);

}  // namespace kit::cpu
