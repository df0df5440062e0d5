// cuda::aligned_size_t: a size in bytes with the promise that both pointers and the size are multiples of an
// alignment.
#pragma once

#include <stddef.h>

namespace cuda {

template <size_t Alignment>
struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    constexpr operator size_t() const { return value; }
};

}  // namespace cuda

namespace kit::cpu {

/// Returns the promised alignment in bytes; 1 if there is no promise.
template <class Size>
constexpr size_t promised_alignment(const Size&) {
    return 1;
}
template <size_t Alignment>
constexpr size_t promised_alignment(const cuda::aligned_size_t<Alignment>&) {
    return Alignment;
}

}  // namespace kit::cpu
