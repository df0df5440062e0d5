// Device memory with guard zones: fills the memory that vector_add allocates with garbage, and checks its guard zones when it is freed.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace first_kernel {

/// All allocations of guarded_malloc, and the damage that guarded_free has found.
struct Allocations {
    std::map<void*, std::size_t> live;  ///< address and size in bytes
    std::set<void*> freed;              ///< addresses that are not in use again
    unsigned made = 0;
    std::string damage;  ///< a sentence about the first guard zone that was overwritten
    bool twice = false;  ///< memory was freed twice

    unsigned fails_at = 0;        ///< number of the cudaMalloc that fails, starting at 1; 0: none fails
    bool has_failed = false;      //
    void (*goes_on)() = nullptr;  ///< called at the next cudaMalloc or cudaFree after the failure
    void note_call() const {
        if (has_failed && goes_on) goes_on();
    }
};

inline Allocations allocations;

constexpr std::size_t guard_bytes = 4096;
constexpr unsigned char garbage = 0xab;

/// Replaces cudaMalloc: allocates memory between two guard zones. `expression` is the source text of the first argument; the name of
/// the buffer is the part after its `&`.
template <class T>
cudaError_t guarded_malloc(T** address, std::size_t bytes, const char* expression) {
    allocations.note_call();
    if (allocations.made + 1 == allocations.fails_at) {
        allocations.has_failed = true;
        *address = nullptr;
        return cudaErrorMemoryAllocation;
    }
    void* base = nullptr;
    cudaError_t error = cudaMalloc(&base, bytes + 2 * guard_bytes);
    if (error == cudaSuccess) error = cudaMemset(base, garbage, bytes + 2 * guard_bytes);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(nullptr);  // the fill would race with work in a non-blocking stream
    if (error != cudaSuccess) return error;
    void* inside = static_cast<char*>(base) + guard_bytes;
    allocations.live[inside] = bytes;
    allocations.freed.erase(inside);
    ++allocations.made;
#ifdef KIT_CPU  // the executor checks every access and can name the array itself
    const char* variable = std::strrchr(expression, '&');
    kit::cpu::name_buffer(inside, bytes, variable ? variable + 1 : expression, &kit::cpu::layout_of<T>);
    kit::cpu::mark_uninitialised(inside, bytes);
#else
    (void)expression;
#endif
    *address = static_cast<T*>(inside);
    return cudaSuccess;
}

/// Adds the number of overwritten bytes of a guard zone to *count.
inline cudaError_t count_overwritten(const char* zone, std::size_t* count) {
    std::vector<unsigned char> bytes(guard_bytes);
    cudaError_t error = cudaMemcpy(bytes.data(), zone, guard_bytes, cudaMemcpyDeviceToHost);
    for (unsigned char byte : bytes) *count += byte != garbage ? 1 : 0;
    return error;
}

/// Replaces cudaFree for memory of guarded_malloc. Passes any other address on to cudaFree, which reports the error. A second free of
/// the same memory is not passed on, because the report would name this header as the place.
inline cudaError_t guarded_free(void* address) {
    allocations.note_call();
    auto found = allocations.live.find(address);
    if (allocations.freed.count(address)) {
        allocations.twice = true;
        return cudaSuccess;
    }
    if (found == allocations.live.end()) return cudaFree(address);
    char* inside = static_cast<char*>(address);
    std::size_t bytes = found->second, before = 0, after = 0;
    allocations.live.erase(found);
    allocations.freed.insert(address);
#ifdef KIT_CPU
    kit::cpu::forget_buffer(inside);
#endif
    cudaError_t error = count_overwritten(inside - guard_bytes, &before);
    if (error == cudaSuccess) error = count_overwritten(inside + bytes, &after);
    if (error != cudaSuccess) return error;
    if (before + after > 0 && allocations.damage.empty()) {
        allocations.damage = std::string("out of bounds: the kernel wrote ") +
                             (after > 0 ? "after the end" : "before the beginning") +
                             " of device memory of " + std::to_string(bytes) + " bytes";
    }
    return cudaFree(inside - guard_bytes);
}

}  // namespace first_kernel
