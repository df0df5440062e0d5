// Atomic functions of CUDA's language on the CPU executor. Each function also exists with the suffixes _block
// and _system.
//
// The functions are relaxed, as in CUDA, so they do not order other accesses. The three scopes run the same
// code, but the checks treat the block scope differently.
#pragma once

#include <host_defines.h>
#include <string.h>

#include <kit_cpu/math.hpp>
#include <kit_cpu/turn.hpp>

namespace kit::cpu {

/// An integer of `Bytes` bytes that may alias any object, for the compiler's atomic functions.
template <unsigned Bytes>
struct AtomicWord;
template <>
struct AtomicWord<2> {
    typedef unsigned short __attribute__((may_alias)) Type;
};
template <>
struct AtomicWord<4> {
    typedef unsigned int __attribute__((may_alias)) Type;
};
template <>
struct AtomicWord<8> {
    typedef unsigned long long __attribute__((may_alias)) Type;
};

template <class To, class From>
inline To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "same size");
    To to;
    memcpy(static_cast<void*>(&to), &from, sizeof(To));
    return to;
}

/// Adds two values. Integers wrap on overflow, as in all atomic functions.
template <class T>
inline T sum(T a, T b) {
    return static_cast<T>(static_cast<unsigned long long>(a) + static_cast<unsigned long long>(b));
}
template <class T>
inline T difference(T a, T b) {
    return static_cast<T>(static_cast<unsigned long long>(a) - static_cast<unsigned long long>(b));
}

template <class T>
inline T atomic_exchange(T* address, T value) {
    using Word = typename AtomicWord<sizeof(T)>::Type;
    note_atomic();
    return same_bits<T>(
        __atomic_exchange_n(reinterpret_cast<Word*>(address), same_bits<Word>(value), __ATOMIC_RELAXED));
}

template <class T>
inline T atomic_compare_exchange(T* address, T expected, T value) {
    note_atomic();
    __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

/// Replaces *address by update(*address) and returns the previous value.
template <class T, class Update>
inline T atomic_update(T* address, Update update) {
    using Word = typename AtomicWord<sizeof(T)>::Type;
    note_atomic();
    Word* const word = reinterpret_cast<Word*>(address);
    if (is_ours_alone(address)) {
        const T before = same_bits<T>(*word);
        *word = same_bits<Word>(static_cast<T>(update(before)));
        return before;
    }
    Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old,
                                        same_bits<Word>(static_cast<T>(update(same_bits<T>(old)))), false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return same_bits<T>(old);
}

}  // namespace kit::cpu

/// Declares NAME(T* address, T value), NAME_block and NAME_system.
#define KIT_CPU_ATOMIC(T, name, ...)              \
    inline T name(T* address, T value) {          \
        __VA_ARGS__                               \
    }                                             \
    inline T name##_block(T* address, T value) {  \
        const kit::cpu::ScopeHint block(0);       \
        return name(address, value);              \
    }                                             \
    inline T name##_system(T* address, T value) { \
        const kit::cpu::ScopeHint system(2);      \
        return name(address, value);              \
    }

/// Declares a function that stores the value of an expression of `old` and `value`.
#define KIT_CPU_ATOMIC_UPDATE(T, name, expression) \
    KIT_CPU_ATOMIC(T, name, return kit::cpu::atomic_update(address, [value](T old) { return expression; });)

/// Declares a function that one machine instruction performs.
#define KIT_CPU_ATOMIC_FETCH(T, name, expression, operation)    \
    KIT_CPU_ATOMIC(                                             \
        T, name, if (!kit::cpu::is_ours_alone(address)) {       \
            kit::cpu::note_atomic();                            \
            return operation(address, value, __ATOMIC_RELAXED); \
        } return kit::cpu::atomic_update(address, [value](T old) { return expression; });)

#define KIT_CPU_ATOMIC_BITS(T)                                            \
    KIT_CPU_ATOMIC_FETCH(T, atomicAnd, (old & value), __atomic_fetch_and) \
    KIT_CPU_ATOMIC_FETCH(T, atomicOr, old | value, __atomic_fetch_or)     \
    KIT_CPU_ATOMIC_FETCH(T, atomicXor, old ^ value, __atomic_fetch_xor)   \
    KIT_CPU_ATOMIC_UPDATE(T, atomicMin, ::min(old, value))                \
    KIT_CPU_ATOMIC_UPDATE(T, atomicMax, ::max(old, value))

#define KIT_CPU_ATOMIC_EXCHANGE(T) \
    KIT_CPU_ATOMIC(T, atomicExch, return kit::cpu::atomic_exchange(address, value);)

#define KIT_CPU_ATOMIC_COMPARE(T)                                          \
    inline T atomicCAS(T* address, T compare, T value) {                   \
        return kit::cpu::atomic_compare_exchange(address, compare, value); \
    }                                                                      \
    inline T atomicCAS_block(T* address, T compare, T value) {             \
        const kit::cpu::ScopeHint block(0);                                \
        return atomicCAS(address, compare, value);                         \
    }                                                                      \
    inline T atomicCAS_system(T* address, T compare, T value) {            \
        const kit::cpu::ScopeHint system(2);                               \
        return atomicCAS(address, compare, value);                         \
    }

KIT_CPU_ATOMIC_FETCH(int, atomicAdd, kit::cpu::sum(old, value), __atomic_fetch_add)
KIT_CPU_ATOMIC_FETCH(unsigned, atomicAdd, kit::cpu::sum(old, value), __atomic_fetch_add)
KIT_CPU_ATOMIC_FETCH(unsigned long long, atomicAdd, kit::cpu::sum(old, value), __atomic_fetch_add)
KIT_CPU_ATOMIC_UPDATE(float, atomicAdd, old + value)
KIT_CPU_ATOMIC_UPDATE(double, atomicAdd, old + value)
KIT_CPU_ATOMIC_FETCH(int, atomicSub, kit::cpu::difference(old, value), __atomic_fetch_sub)
KIT_CPU_ATOMIC_FETCH(unsigned, atomicSub, kit::cpu::difference(old, value), __atomic_fetch_sub)

KIT_CPU_ATOMIC_BITS(int)
KIT_CPU_ATOMIC_BITS(unsigned)
KIT_CPU_ATOMIC_BITS(long long)
KIT_CPU_ATOMIC_BITS(unsigned long long)

KIT_CPU_ATOMIC_UPDATE(unsigned, atomicInc, old >= value ? 0u : old + 1u)
KIT_CPU_ATOMIC_UPDATE(unsigned, atomicDec, old == 0u || old > value ? value : old - 1u)

KIT_CPU_ATOMIC_EXCHANGE(int)
KIT_CPU_ATOMIC_EXCHANGE(unsigned)
KIT_CPU_ATOMIC_EXCHANGE(unsigned long long)
KIT_CPU_ATOMIC_EXCHANGE(float)

KIT_CPU_ATOMIC_COMPARE(int)
KIT_CPU_ATOMIC_COMPARE(unsigned)
KIT_CPU_ATOMIC_COMPARE(unsigned long long)

/// A 16-bit compare-and-swap exists only with device scope.
inline unsigned short atomicCAS(unsigned short* address, unsigned short compare, unsigned short value) {
    return kit::cpu::atomic_compare_exchange(address, compare, value);
}

/// The components of a float vector are added one by one, each with its own atomic, as on a GPU.
#define KIT_CPU_ATOMIC_VECTOR(scope)                                                             \
    inline float2 atomicAdd##scope(float2* address, float2 value) {                              \
        return {atomicAdd##scope(&address->x, value.x), atomicAdd##scope(&address->y, value.y)}; \
    }                                                                                            \
    inline float4 atomicAdd##scope(float4* address, float4 value) {                              \
        return {atomicAdd##scope(&address->x, value.x), atomicAdd##scope(&address->y, value.y),  \
                atomicAdd##scope(&address->z, value.z), atomicAdd##scope(&address->w, value.w)}; \
    }
KIT_CPU_ATOMIC_VECTOR()
KIT_CPU_ATOMIC_VECTOR(_block)
KIT_CPU_ATOMIC_VECTOR(_system)
#undef KIT_CPU_ATOMIC_VECTOR

#undef KIT_CPU_ATOMIC
#undef KIT_CPU_ATOMIC_FETCH
#undef KIT_CPU_ATOMIC_UPDATE
#undef KIT_CPU_ATOMIC_BITS
#undef KIT_CPU_ATOMIC_EXCHANGE
#undef KIT_CPU_ATOMIC_COMPARE
