// Functions for PTX instructions that have no name in CUDA C++. Translated inline PTX calls these functions,
// so the translator includes this header for programs with inline PTX.
#pragma once

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <kit_cpu/tensor.hpp>

namespace kit::cpu::ptx {

/// Fills local variables that have no initializer with the pattern of registers that nothing has set.
template <class T>
KIT_CPU_UNCHECKED inline void unset(T& registers) {
    poison_registers(&registers, sizeof registers);
}

/// Implements bfe: returns the `length` bits of `value` that start at `position`. A signed number is
/// sign-extended.
template <class T>
constexpr T bit_field_extract(T value, unsigned position, unsigned length) {
    constexpr unsigned bits = 8 * sizeof(T);
    position &= 255;
    length &= 255;
    if (length == 0) return 0;
    const bool is_signed = static_cast<T>(-1) < 0;
    unsigned last = position + length - 1;
    if (last > bits - 1) last = bits - 1;
    const bool sign = is_signed && (value >> last & 1);
    T result = 0;
    for (unsigned i = 0; i < bits; ++i) {
        const bool bit = i < length && position + i < bits ? value >> (position + i) & 1 : sign;
        if (bit) result = static_cast<T>(result | static_cast<T>(static_cast<T>(1) << i));
    }
    return result;
}

/// Implements bfi: replaces `length` bits of `into`, starting at `position`, by the lowest bits of `value`.
template <class T>
constexpr T bit_field_insert(T value, T into, unsigned position, unsigned length) {
    constexpr unsigned bits = 8 * sizeof(T);
    position &= 255;
    length &= 255;
    if (position >= bits || length == 0) return into;
    const T ones = length >= bits ? ~T{0} : static_cast<T>((T{1} << length) - 1);
    const T mask = static_cast<T>(ones << position);
    return static_cast<T>((into & ~mask) | (value << position & mask));
}

/// Implements lop3: the bits of a, b and c at one position form an index from 0 to 7, and the bit of `table` with this index becomes the bit of the result at that position.
constexpr unsigned logic(unsigned a, unsigned b, unsigned c, unsigned table) {
    unsigned result = 0;
    for (unsigned i = 0; i < 8; ++i)
        if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}

/// Implements cp.async, with its copy groups.
inline void copy_async(void* to, const void* from, size_t bytes, size_t zeros = 0,
                       Place place = KIT_CPU_HERE) {
    __pipeline_memcpy_async(to, from, bytes, zeros, place);
}
inline void commit_group() {
    __pipeline_commit();
}
inline void wait_group(size_t newest) {
    __pipeline_wait_prior(newest);
}
inline void wait_all() {
    commit_group();
    wait_group(0);
}

/// The condition code register CC.CF: the carry of the previous instruction with .cc.
inline __thread bool carry;

template <class T>
KIT_CPU_UNCHECKED T add(T a, T b, bool with_carry, bool sets_carry) {
    T sum{};
    bool over = __builtin_add_overflow(a, b, &sum);
    over |= __builtin_add_overflow(sum, static_cast<T>(with_carry && carry), &sum);
    if (sets_carry) carry = over;
    return sum;
}
inline int add(int a, int b, bool with_carry, bool sets_carry) {
    return static_cast<int>(add(static_cast<unsigned>(a), static_cast<unsigned>(b), with_carry, sets_carry));
}
inline long long add(long long a, long long b, bool with_carry, bool sets_carry) {
    return static_cast<long long>(
        add(static_cast<unsigned long long>(a), static_cast<unsigned long long>(b), with_carry, sets_carry));
}

template <class T>
KIT_CPU_UNCHECKED T subtract(T a, T b, bool with_carry, bool sets_carry) {
    T difference{};
    bool under = __builtin_sub_overflow(a, b, &difference);
    under |= __builtin_sub_overflow(difference, static_cast<T>(with_carry && carry), &difference);
    if (sets_carry) carry = under;
    return difference;
}
inline int subtract(int a, int b, bool with_carry, bool sets_carry) {
    return static_cast<int>(
        subtract(static_cast<unsigned>(a), static_cast<unsigned>(b), with_carry, sets_carry));
}
inline long long subtract(long long a, long long b, bool with_carry, bool sets_carry) {
    return static_cast<long long>(subtract(static_cast<unsigned long long>(a),
                                           static_cast<unsigned long long>(b), with_carry, sets_carry));
}

/// Returns whether the source lane of a shuffle is in the segment of the calling lane. `mode`: the first letter of up, down, bfly, idx.
inline bool in_segment(char mode, unsigned distance, unsigned clamp) {
    const unsigned segment = clamp >> 8 & 31, lane = lane_id();
    const unsigned last = (lane & segment) | (clamp & 31 & ~segment);
    distance &= 31;
    if (mode == 'u') return static_cast<int>(lane) - static_cast<int>(distance) >= static_cast<int>(last);
    return (mode == 'd'   ? lane + distance
            : mode == 'b' ? lane ^ distance
                          : (lane & segment) | (distance & ~segment)) <= last;
}

/// Implements shfl.sync. Bits 8 to 12 of `clamp` are 32 minus the width of a segment, and the lowest bits are its last lane. A lane whose
/// source is not in the segment keeps its value.
template <class Shuffle>
unsigned shuffle(char mode, Shuffle function, unsigned value, unsigned lane, unsigned clamp, unsigned mask,
                 Place place = KIT_CPU_HERE) {
    const unsigned other =
        function(mask, value, static_cast<int>(lane), static_cast<int>(32 - (clamp >> 8 & 31)), place);
    return in_segment(mode, lane, clamp) ? other : value;
}

/// Implements loads and stores with a memory order. `scope` is a number as in ScopeHint.
template <class T>
T load(const T* address, int order, unsigned scope) {
    using Word = typename AtomicWord<sizeof(T)>::Type;
    const ScopeHint hint(scope);
    note_atomic_access();
    const Word* const word = reinterpret_cast<const Word*>(address);
    return same_bits<T>(order == __ATOMIC_ACQUIRE ? __atomic_load_n(word, __ATOMIC_ACQUIRE)
                                                  : __atomic_load_n(word, __ATOMIC_RELAXED));
}
template <class T>
void store(T* address, T value, int order, unsigned scope) {
    using Word = typename AtomicWord<sizeof(T)>::Type;
    const ScopeHint hint(scope);
    note_atomic_access();
    Word* const word = reinterpret_cast<Word*>(address);
    if (order == __ATOMIC_RELEASE)
        __atomic_store_n(word, same_bits<Word>(value), __ATOMIC_RELEASE);
    else
        __atomic_store_n(word, same_bits<Word>(value), __ATOMIC_RELAXED);
}

}  // namespace kit::cpu::ptx
