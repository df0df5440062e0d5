// What nvshmem.h is written on, in kernels: puts that land as late as the rules allow, signals, gets, and atomics on the memory
// of another PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// Who makes the call: one thread, or all threads of a warp or a block together.
enum class PutGroup { thread, warp, block };

struct PutCall {
    void* to;          ///< as the caller calls it: symmetric
    const void* from;  ///< the caller's
    std::size_t bytes;
    int pe;
    bool waits;  ///< the source may be used again when the call returns
    PutGroup group;
    const char* what;  ///< "nvshmem_float_put"
    Place place;
};
struct PutSignal {
    std::uint64_t* at;
    std::uint64_t value;
    int operation;
};

void put(const PutCall& call);
void put_signal(const PutCall& call, const PutSignal& signal);
/// One value.
void put_value(void* to, const void* value, std::size_t bytes, int pe, const char* what, Place place);
void send_signal(const PutSignal& signal, int pe, const char* what, Place place);
void get(void* to, const void* from, std::size_t bytes, int pe, const char* what, Place place);
/// The same into a variable of the caller, of at most 8 bytes.
std::uint64_t get_value(const void* from, std::size_t bytes, int pe, const char* what, Place place);

template <class T>
T get_value(const void* from, int pe, const char* what, Place place) {
    const std::uint64_t bits = get_value(from, sizeof(T), pe, what, place);
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/// `fences`: what the thread loads behind comes after what was put before the signal; otherwise only what it writes does.
std::uint64_t wait_for_signal(const std::uint64_t* signal, int comparison, std::uint64_t value, bool fences,
                              const char* what, Place place);
std::uint64_t read_signal(const std::uint64_t* signal, const char* what, Place place);

/// Orders the caller's puts before what it sends to the same PE later; and waits for them.
void fence_puts(Place place);
void complete_puts(Place place);

enum class RemoteUpdate { add, exchange, compare_exchange, read };
/// On a value of 4 or 8 bytes; the answer is what was there.
std::uint64_t update_remote(RemoteUpdate update, const void* at, unsigned bytes, std::uint64_t value,
                            std::uint64_t expected, int pe, const char* what, Place place);

int pe_of_caller();
int number_of_pes();
/// The address of another PE's memory; null where it cannot be reached.
void* remote_pointer(const void* local, int pe);

}  // namespace kit::cpu
