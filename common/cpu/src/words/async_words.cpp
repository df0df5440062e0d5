#include "async_words.hpp"

#include "finding.hpp"
#include "phrases.hpp"

namespace kit::cpu {
namespace {

std::string begins(const AsyncCopy& copy, const std::string& thread) {
    return thread + " begins " + copy.what + " at " + describe(copy.place);
}

/// "its source lies 4 bytes behind a multiple of 16"
std::string what_is_off(const AsyncCopy& copy, std::size_t alignment) {
    const std::size_t to = reinterpret_cast<std::uintptr_t>(copy.whole_to) % alignment,
                      from = reinterpret_cast<std::uintptr_t>(copy.from) % alignment;
    const std::string multiple = " a multiple of " + std::to_string(alignment);
    if (from) return "its source lies " + count_bytes(from) + " behind" + multiple;
    if (to) return "its destination lies " + count_bytes(to) + " behind" + multiple;
    return "its size of " + count_bytes(copy.whole) + " is not" + multiple;
}

}  // namespace

std::string copy_not_aligned(const AsyncCopy& copy, const std::string& thread, std::size_t alignment) {
    const std::string all = std::string(copy.bulk ? "a bulk copy needs" : "it promises or needs") +
                            " multiples of " + std::to_string(alignment) + " bytes";
    return begins(copy, thread) + ", and " + what_is_off(copy, alignment) + ": " + all;
}

std::string no_such_copy_size(const AsyncCopy& copy, const std::string& thread) {
    return begins(copy, thread) + " with " + count_bytes(copy.whole) + ", but it copies 4, 8 or 16 bytes";
}

std::string no_bulk_copy(const AsyncCopy& copy, const std::string& thread, bool to_shared) {
    return begins(copy, thread) + ", which goes from " +
           (to_shared
                ? "global to shared memory, but its destination is not shared memory of the block or its "
                  "source is"
                : "shared to global memory, but its source is not shared memory of the block or its "
                  "destination is");
}

Finding copy_outlives_block(const AsyncCopy& copy, const std::string& thread, const std::string& memory) {
    return {"address",
            begins(copy, thread) + " from " + memory +
                ", and the block ends without waiting for it: shared memory is gone when its block ends, so "
                "the thread must wait for its bulk copies first (cp_async_bulk_wait_group_read)",
            copy.place};
}

std::string short_copy(Place place, std::size_t bytes, std::size_t element) {
    return ": the copy at " + describe(place) + " ends before it; it had " + count_bytes(bytes) + ", and " +
           std::to_string(bytes) + (bytes == 1 ? " element of " : " elements of ") + count_bytes(element) +
           (bytes == 1 ? " is " : " are ") + std::to_string(bytes * element) +
           ": the size of a copy is in bytes";
}

}  // namespace kit::cpu
