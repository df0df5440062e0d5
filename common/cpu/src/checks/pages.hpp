// Reserved memory. The operating system provides its pages when they are first accessed, and they contain
// zeros.
#pragma once

#include <cstddef>

namespace kit::cpu {

constexpr std::size_t page_bytes = 4096;

/// Reserves memory. If the operating system refuses, ends the program with an error message.
void* reserve_pages(std::size_t bytes);
void release_pages(void* memory, std::size_t bytes);

/// Gives the pages back to the operating system, so that they contain zeros again.
void forget_pages(void* memory, std::size_t bytes);

/// Returns the size of the existing pages in this range, in bytes.
std::size_t resident_pages(const void* memory, std::size_t bytes);

}  // namespace kit::cpu
