// NVSHMEM on the CPU executor, for PEs that are host threads of one process: puts, signals, gets, atomics and
// the symmetric heap under their own names. NVIDIA's "NVSHMEM API documentation" describes the functions.
// src/ranks/nvshmem.cpp and src/ranks/puts.cpp implement these functions.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/puts.hpp>

#define NVSHMEM_MAJOR_VERSION 1
#define NVSHMEM_MINOR_VERSION 3
#define NVSHMEM_VENDOR_MAJOR_VERSION 3
#define NVSHMEM_VENDOR_MINOR_VERSION 4
#define NVSHMEM_VENDOR_PATCH_VERSION 5

enum nvshmemi_cmp_type {
    NVSHMEM_CMP_EQ = 0,
    NVSHMEM_CMP_NE = 1,
    NVSHMEM_CMP_GT = 2,
    NVSHMEM_CMP_LE = 3,
    NVSHMEM_CMP_LT = 4,
    NVSHMEM_CMP_GE = 5
};
enum { NVSHMEM_SIGNAL_SET = 9, NVSHMEM_SIGNAL_ADD = 10 };

typedef int32_t nvshmem_team_t;
enum { NVSHMEM_TEAM_WORLD = 0, NVSHMEM_TEAM_SHARED = 1, NVSHMEMX_TEAM_NODE = 2 };

extern "C" {

void nvshmem_init();
void nvshmem_finalize();
int nvshmem_my_pe();
int nvshmem_n_pes();
int nvshmem_team_my_pe(nvshmem_team_t team);
int nvshmem_team_n_pes(nvshmem_team_t team);

void* nvshmem_malloc(size_t size);
void* nvshmem_calloc(size_t count, size_t size);
void* nvshmem_align(size_t alignment, size_t size);
void nvshmem_free(void* pointer);
void* nvshmem_ptr(const void* dest, int pe);

void nvshmem_barrier_all();
void nvshmem_sync_all();

}  // extern "C"

// The following functions report the line of their caller. Only kernels can call these functions, except
// nvshmem_quiet() and nvshmem_fence(), which the host can also call.
#define KIT_PLACE ::kit::cpu::Place place = KIT_CPU_HERE

void nvshmem_fence(KIT_PLACE);
void nvshmem_quiet(KIT_PLACE);

inline uint64_t nvshmem_signal_fetch(uint64_t* sig_addr, KIT_PLACE) {
    return ::kit::cpu::read_signal(sig_addr, "nvshmem_signal_fetch", place);
}
inline uint64_t nvshmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value, KIT_PLACE) {
    return ::kit::cpu::wait_for_signal(sig_addr, cmp, cmp_value, false, "nvshmem_signal_wait_until", place);
}
inline void nvshmem_uint64_wait_until(uint64_t* ivar, int cmp, uint64_t cmp_value, KIT_PLACE) {
    (void)::kit::cpu::wait_for_signal(ivar, cmp, cmp_value, true, "nvshmem_uint64_wait_until", place);
}

#define KIT_PUT(function, T, size, waits, group)                                                        \
    inline void function(T* dest, const T* source, size_t nelems, int pe, KIT_PLACE) {                  \
        ::kit::cpu::put(                                                                                \
            {dest, source, nelems * (size), pe, waits, ::kit::cpu::PutGroup::group, #function, place}); \
    }
#define KIT_PUT_SIGNAL(function, T, size, waits, group)                                                \
    inline void function(T* dest, const T* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, \
                         int sig_op, int pe, KIT_PLACE) {                                              \
        ::kit::cpu::put_signal(                                                                        \
            {dest, source, nelems * (size), pe, waits, ::kit::cpu::PutGroup::group, #function, place}, \
            {sig_addr, signal, sig_op});                                                               \
    }
#define KIT_GET(function, T, size)                                                     \
    inline void function(T* dest, const T* source, size_t nelems, int pe, KIT_PLACE) { \
        ::kit::cpu::get(dest, source, nelems*(size), pe, #function, place);            \
    }
// clang-format off
#define KIT_EACH_GROUP(kind, base, T, size)                \
    kind(nvshmem_##base, T, size, true, thread)            \
    kind(nvshmem_##base##_nbi, T, size, false, thread)     \
    kind(nvshmemx_##base##_warp, T, size, true, warp)      \
    kind(nvshmemx_##base##_nbi_warp, T, size, false, warp) \
    kind(nvshmemx_##base##_block, T, size, true, block)    \
    kind(nvshmemx_##base##_nbi_block, T, size, false, block)
// clang-format on
#define KIT_MEMORY(name, T)                                                               \
    KIT_EACH_GROUP(KIT_PUT, name##_put, T, sizeof(T))                                     \
    KIT_EACH_GROUP(KIT_PUT_SIGNAL, name##_put_signal, T, sizeof(T))                       \
    KIT_GET(nvshmem_##name##_get, T, sizeof(T))                                           \
    inline void nvshmem_##name##_p(T* dest, const T value, int pe, KIT_PLACE) {           \
        ::kit::cpu::put_value(dest, &value, sizeof(T), pe, "nvshmem_" #name "_p", place); \
    }                                                                                     \
    inline T nvshmem_##name##_g(const T* source, int pe, KIT_PLACE) {                     \
        return ::kit::cpu::get_value<T>(source, pe, "nvshmem_" #name "_g", place);        \
    }

KIT_EACH_GROUP(KIT_PUT, putmem, void, 1)
KIT_EACH_GROUP(KIT_PUT_SIGNAL, putmem_signal, void, 1)
KIT_GET(nvshmem_getmem, void, 1)
KIT_MEMORY(float, float)
KIT_MEMORY(double, double)
KIT_MEMORY(char, char)
KIT_MEMORY(schar, signed char)
KIT_MEMORY(short, short)
KIT_MEMORY(int, int)
KIT_MEMORY(long, long)
KIT_MEMORY(longlong, long long)
KIT_MEMORY(uchar, unsigned char)
KIT_MEMORY(ushort, unsigned short)
KIT_MEMORY(uint, unsigned int)
KIT_MEMORY(ulong, unsigned long)
KIT_MEMORY(ulonglong, unsigned long long)
KIT_MEMORY(int8, int8_t)
KIT_MEMORY(int16, int16_t)
KIT_MEMORY(int32, int32_t)
KIT_MEMORY(int64, int64_t)
KIT_MEMORY(uint8, uint8_t)
KIT_MEMORY(uint16, uint16_t)
KIT_MEMORY(uint32, uint32_t)
KIT_MEMORY(uint64, uint64_t)
KIT_MEMORY(size, size_t)
KIT_MEMORY(ptrdiff, ptrdiff_t)

#define KIT_UPDATE(function, T, what, value, expected, pe)                                                  \
    static_cast<T>(::kit::cpu::update_remote(::kit::cpu::RemoteUpdate::what, at, sizeof(T),                 \
                                             static_cast<uint64_t>(value), static_cast<uint64_t>(expected), \
                                             pe, function, place))
#define KIT_ATOMICS(name, T)                                                                              \
    inline T nvshmem_##name##_atomic_fetch(const T* at, int pe, KIT_PLACE) {                              \
        return KIT_UPDATE("nvshmem_" #name "_atomic_fetch", T, read, 0, 0, pe);                           \
    }                                                                                                     \
    inline void nvshmem_##name##_atomic_set(T* at, T value, int pe, KIT_PLACE) {                          \
        (void)KIT_UPDATE("nvshmem_" #name "_atomic_set", T, exchange, value, 0, pe);                      \
    }                                                                                                     \
    inline T nvshmem_##name##_atomic_swap(T* at, T value, int pe, KIT_PLACE) {                            \
        return KIT_UPDATE("nvshmem_" #name "_atomic_swap", T, exchange, value, 0, pe);                    \
    }                                                                                                     \
    inline T nvshmem_##name##_atomic_compare_swap(T* at, T cond, T value, int pe, KIT_PLACE) {            \
        return KIT_UPDATE("nvshmem_" #name "_atomic_compare_swap", T, compare_exchange, value, cond, pe); \
    }                                                                                                     \
    inline T nvshmem_##name##_atomic_fetch_add(T* at, T value, int pe, KIT_PLACE) {                       \
        return KIT_UPDATE("nvshmem_" #name "_atomic_fetch_add", T, add, value, 0, pe);                    \
    }                                                                                                     \
    inline void nvshmem_##name##_atomic_add(T* at, T value, int pe, KIT_PLACE) {                          \
        (void)KIT_UPDATE("nvshmem_" #name "_atomic_add", T, add, value, 0, pe);                           \
    }                                                                                                     \
    inline T nvshmem_##name##_atomic_fetch_inc(T* at, int pe, KIT_PLACE) {                                \
        return KIT_UPDATE("nvshmem_" #name "_atomic_fetch_inc", T, add, 1, 0, pe);                        \
    }                                                                                                     \
    inline void nvshmem_##name##_atomic_inc(T* at, int pe, KIT_PLACE) {                                   \
        (void)KIT_UPDATE("nvshmem_" #name "_atomic_inc", T, add, 1, 0, pe);                               \
    }

KIT_ATOMICS(int, int)
KIT_ATOMICS(long, long)
KIT_ATOMICS(longlong, long long)
KIT_ATOMICS(uint, unsigned int)
KIT_ATOMICS(ulong, unsigned long)
KIT_ATOMICS(ulonglong, unsigned long long)
KIT_ATOMICS(int32, int32_t)
KIT_ATOMICS(int64, int64_t)
KIT_ATOMICS(uint32, uint32_t)
KIT_ATOMICS(uint64, uint64_t)
KIT_ATOMICS(size, size_t)
KIT_ATOMICS(ptrdiff, ptrdiff_t)

inline void nvshmemx_signal_op(uint64_t* sig_addr, uint64_t signal, int sig_op, int pe, KIT_PLACE) {
    ::kit::cpu::send_signal({sig_addr, signal, sig_op}, pe, "nvshmemx_signal_op", place);
}

#undef KIT_ATOMICS
#undef KIT_UPDATE
#undef KIT_MEMORY
#undef KIT_EACH_GROUP
#undef KIT_GET
#undef KIT_PUT_SIGNAL
#undef KIT_PUT
#undef KIT_PLACE
