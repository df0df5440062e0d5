// Makes CUDA code call the executor instead of memset, memcpy and memmove. The executor checks the bytes and
// calls the C library. Calls by the executor's own files are not changed, although some of these files
// include this header.
#pragma once

#include <cstddef>

#ifndef KIT_EXECUTOR
extern "C" {
void* memset(void* to, int value, std::size_t bytes) noexcept __asm__("kit_cpu_memset");
void* memcpy(void* __restrict to, const void* __restrict from, std::size_t bytes) noexcept
    __asm__("kit_cpu_memcpy");
void* memmove(void* to, const void* from, std::size_t bytes) noexcept __asm__("kit_cpu_memmove");
}
#endif
