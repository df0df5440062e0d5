// Asynchronous copies on the CPU executor, for cooperative groups, cuda::barrier, cuda::pipeline and the
// pipeline primitives. A copy lands as late as the rules allow, at the wait that ends it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// A part of a copy that one thread starts. Such a part has at most 16 bytes, or is a whole bulk copy.
struct AsyncCopy {
    char* to = nullptr;
    const char* from = nullptr;
    std::size_t bytes = 0;
    std::size_t zeros = 0;  ///< number of zeros to write after the copied bytes

    // The call to which this part of the copy belongs.
    const char* what = "";  ///< name of the called function, such as "cuda::memcpy_async"
    Place place;
    const char* whole_to = nullptr;
    std::size_t whole = 0;  ///< size in bytes of the whole copy
    std::size_t element = 1;
    bool bulk = false;

    // The executor fills in the following members.
    unsigned rank = 0;  ///< rank of the thread that starts the copy
    const BarrierState* barrier =
        nullptr;              ///< the barrier whose phase ends the copy; null if a group of the thread ends
                              ///< it
    std::uint64_t group = 0;  ///< number of the thread's group that ends the copy
};

/// Starts a copy that ends when its thread waits for its group. Ordinary copies and bulk copies have separate
/// groups.
void copy_in_group(const AsyncCopy& copy);

/// For tests: returns how many waits for groups of a thread have ended so far after the block had loaded from shared
/// memory, with a copy in flight. Only the first thread of each block counts.
std::uint64_t waits_after_loads();

void commit_copies(bool bulk);
/// Waits for all groups of the calling thread except the last `prior` ones. `bulk`: groups of bulk copies.
void wait_for_copies(std::uint64_t prior, bool bulk);

/// Starts a copy that ends with the current phase of the barrier. A bulk copy ends with the phase only if the
/// phase expects the bytes of the copy.
void copy_in_phase(BarrierState& barrier, const AsyncCopy& copy);
void expect_bytes(BarrierState& barrier, long long bytes);

/// Ends the kernel if a pointer or the size is not a multiple of the promised `alignment`.
void check_copy_alignment(const AsyncCopy& copy, std::size_t alignment);
/// Ends the kernel if the size of the copy is not 4, 8 or 16 bytes.
void check_copy_size(const AsyncCopy& copy);
/// Ends the kernel if a bulk copy is neither from global to shared memory nor back.
void check_bulk_copy(const AsyncCopy& copy, bool to_shared);

/// Splits a copy of `bytes` bytes into pieces of at most `widest` bytes, and calls `begin` for those pieces
/// that belong to one thread of the group.
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
