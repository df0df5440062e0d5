// Asynchronous copies for the CPU executor: what cooperative groups, cuda::barrier, cuda::pipeline and the pipeline primitives
// are written on. A copy is begun here and lands as late as the rules allow: when the wait that ends it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// A part of a copy that one thread begins: at most 16 bytes, or all of a bulk copy.
struct AsyncCopy {
    char* to = nullptr;
    const char* from = nullptr;
    std::size_t bytes = 0;
    std::size_t zeros = 0;  ///< that follow these bytes

    // The call of which it is a part.
    const char* what = "";  ///< "cuda::memcpy_async"
    Place place;
    const char* whole_to = nullptr;
    std::size_t whole = 0;  ///< bytes
    std::size_t element = 1;
    bool bulk = false;

    // Filled in by the executor.
    unsigned rank = 0;                      ///< of the thread
    const BarrierState* barrier = nullptr;  ///< whose phase ends it; null: a group of its thread
    std::uint64_t group = 0;                ///< number of that group
};

/// Copies whose thread waits for its groups: ordinary ones, and bulk copies, which have groups of their own.
void copy_in_group(const AsyncCopy& copy);
void commit_copies(bool bulk);
/// Waits for all groups of the calling thread but the last `prior` ones.
void wait_for_copies(std::uint64_t prior, bool bulk);

/// Copies that end with the barrier's phase; a bulk copy only if its bytes are expected there.
void copy_in_phase(BarrierState& barrier, const AsyncCopy& copy);
void expect_bytes(BarrierState& barrier, long long bytes);

/// A promise that is not kept ends the kernel: pointers or sizes that are no multiples of `alignment`.
void check_copy_alignment(const AsyncCopy& copy, std::size_t alignment);
/// Only these sizes exist: 4, 8 and 16.
void check_copy_size(const AsyncCopy& copy);
/// A bulk copy goes from global to shared memory, or back.
void check_bulk_copy(const AsyncCopy& copy, bool to_shared);

/// Cuts the share of a thread of a group out of the copy of `bytes` bytes: pieces of `widest` bytes at most, in turn.
template <class Begin>
void copy_share(const AsyncCopy& call, std::size_t rank, std::size_t threads, std::size_t widest,
                Begin begin) {
    const std::uintptr_t both =
        reinterpret_cast<std::uintptr_t>(call.whole_to) | reinterpret_cast<std::uintptr_t>(call.from);
    std::size_t width = widest;
    while (width > 1 && both % width) width /= 2;
    if (width < 4) width = 1;
    const std::size_t full = call.whole / width, rest = call.whole % width;
    AsyncCopy piece = call;
    for (std::size_t i = rank; i < full; i += threads) {
        piece.to = const_cast<char*>(call.whole_to) + i * width;
        piece.from = call.from + i * width;
        piece.bytes = width;
        begin(piece);
    }
    if (rest && rank == full % threads) {
        piece.to = const_cast<char*>(call.whole_to) + full * width;
        piece.from = call.from + full * width;
        piece.bytes = rest;
        begin(piece);
    }
}

template <class T>
AsyncCopy async_call(const char* what, T* to, const T* from, std::size_t bytes, Place place) {
    AsyncCopy call;
    call.to = reinterpret_cast<char*>(to);
    call.from = reinterpret_cast<const char*>(from);
    call.whole_to = call.to;
    call.bytes = call.whole = bytes;
    call.what = what;
    call.place = place;
    call.element = sizeof(T);
    return call;
}
template <>
inline AsyncCopy async_call<void>(const char* what, void* to, const void* from, std::size_t bytes,
                                  Place place) {
    return async_call(what, static_cast<char*>(to), static_cast<const char*>(from), bytes, place);
}

}  // namespace kit::cpu
