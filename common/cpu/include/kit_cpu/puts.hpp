// The functions that nvshmem.h calls in kernels: puts, which land as late as the rules allow, signals, gets,
// and atomics on the memory of another PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// The threads that call a function together: one thread, a warp or a block.
enum class PutGroup { thread, warp, block };

struct PutCall {
    void* to;          ///< symmetric address, in the caller's memory
    const void* from;  ///< source, in the caller's memory
    std::size_t bytes;
    int pe;
    bool waits;  ///< whether the source can be reused when the call returns
    PutGroup group;
    const char* what;  ///< name of the called function, such as "nvshmem_float_put"
    Place place;
};
struct PutSignal {
    std::uint64_t* at;
    std::uint64_t value;
    int operation;
};

void put(const PutCall& call);
void put_signal(const PutCall& call, const PutSignal& signal);
/// Puts one value of `bytes` bytes, as nvshmem_float_p() does.
void put_value(void* to, const void* value, std::size_t bytes, int pe, const char* what, Place place);
void send_signal(const PutSignal& signal, int pe, const char* what, Place place);
void get(void* to, const void* from, std::size_t bytes, int pe, const char* what, Place place);
/// Returns a value of at most 8 bytes from the memory of another PE.
std::uint64_t get_value(const void* from, std::size_t bytes, int pe, const char* what, Place place);

template <class T>
T get_value(const void* from, int pe, const char* what, Place place) {
    const std::uint64_t bits = get_value(from, sizeof(T), pe, what, place);
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/// Waits for a signal. With `fences`, the thread's later loads are ordered after the puts that precede the
/// signal; otherwise, only its later stores are.
std::uint64_t wait_for_signal(const std::uint64_t* signal, int comparison, std::uint64_t value, bool fences,
                              const char* what, Place place);
std::uint64_t read_signal(const std::uint64_t* signal, const char* what, Place place);

/// fence_puts() orders the caller's earlier puts before its later puts to the same PE. complete_puts() waits
/// for them.
void fence_puts(Place place);
void complete_puts(Place place);

enum class RemoteUpdate { add, exchange, compare_exchange, read };
/// Updates a value of 4 or 8 bytes at a PE, and returns its previous value.
std::uint64_t update_remote(RemoteUpdate update, const void* at, unsigned bytes, std::uint64_t value,
                            std::uint64_t expected, int pe, const char* what, Place place);

int pe_of_caller();
int number_of_pes();
/// Returns the address of the object in another PE's memory; null if it cannot be accessed.
void* remote_pointer(const void* local, int pe);

}  // namespace kit::cpu
