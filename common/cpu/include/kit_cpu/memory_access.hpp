// Loads and stores with a cache hint, clocks, and __trap() of CUDA's language. Hints have no effect on the
// executor, and the access is checked like any other.
#pragma once

#include <host_defines.h>
#include <stdio.h>
#include <time.h>

#include <kit_cpu/thread.hpp>

namespace kit::cpu {

template <class T>
struct Same {
    using Type = T;
};

/// The types for which loads and stores with a cache hint exist.
template <class T>
constexpr bool loads_at_once = sizeof(T) <= 32 && __is_trivially_copyable(T) && !__is_empty(T);

}  // namespace kit::cpu

#define KIT_CPU_LOAD(name)                                                                          \
    template <class T>                                                                              \
    inline T name(const T* address) {                                                               \
        static_assert(kit::cpu::loads_at_once<T>, #name "() loads an arithmetic or a vector type"); \
        return *address;                                                                            \
    }
#define KIT_CPU_STORE(name)                                                                          \
    template <class T>                                                                               \
    inline void name(T* address, typename kit::cpu::Same<T>::Type value) {                           \
        static_assert(kit::cpu::loads_at_once<T>, #name "() stores an arithmetic or a vector type"); \
        *address = value;                                                                            \
    }

KIT_CPU_LOAD(__ldg)
KIT_CPU_LOAD(__ldca)
KIT_CPU_LOAD(__ldcg)
KIT_CPU_LOAD(__ldcs)
KIT_CPU_LOAD(__ldlu)
KIT_CPU_LOAD(__ldcv)
KIT_CPU_STORE(__stwb)
KIT_CPU_STORE(__stcg)
KIT_CPU_STORE(__stcs)
KIT_CPU_STORE(__stwt)
#undef KIT_CPU_LOAD
#undef KIT_CPU_STORE

/// Returns a counter of nanoseconds, and lets other threads run, so that polling the clock is not expensive.
inline long long clock64() {
    if (kit::cpu::in_kernel()) kit::cpu::yield();
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

inline void __nanosleep(unsigned) {
    kit::cpu::yield();
}

/// Ends the kernel with cudaErrorLaunchFailure, as on a GPU.
[[noreturn]] inline void __trap(kit::cpu::Place place = KIT_CPU_HERE) {
    kit::cpu::trap(place);
}

inline void __brkpt() {}
