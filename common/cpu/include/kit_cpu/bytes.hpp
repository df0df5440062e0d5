// memset, memcpy and memmove of CUDA code go to the executor, which looks at the bytes and calls the C library. The executor's own do not:
// some of its files include what programs include.
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
