// Device memory with guard zones: what vector_add allocates is filled with garbage, and looked at when it is freed.
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

/// All allocations that were made with guarded_malloc and what was found when they were freed.
struct Allocations {
    std::map<void*, std::size_t> live;  ///< address and size in bytes
    std::set<void*> freed;              ///< addresses that are not in use again
    unsigned made = 0;
    std::string damage;  ///< a sentence about the first guard zone that was overwritten
    std::string twice;   ///< a sentence about memory that was freed twice

    unsigned fails_at = 0;        ///< this cudaMalloc fails, the first one being 1; 0: none
    bool has_failed = false;      //
    void (*goes_on)() = nullptr;  ///< called when there is a further cudaMalloc or cudaFree after that
    void note_call() const {
        if (has_failed && goes_on) goes_on();
    }
};

inline Allocations allocations;

constexpr std::size_t guard_bytes = 4096;
constexpr unsigned char garbage = 0xab;

/// cudaMalloc, between two guard zones. `expression` is the first argument as it stands in the source: "&device_a" is device_a.
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
        error = cudaStreamSynchronize(nullptr);  // it would race with a non-blocking stream
    if (error != cudaSuccess) return error;
    void* inside = static_cast<char*>(base) + guard_bytes;
    allocations.live[inside] = bytes;
    allocations.freed.erase(inside);
    ++allocations.made;
#ifdef KIT_CPU  // the executor sees every access, and then speaks of the array itself
    const char* variable = std::strrchr(expression, '&');
    kit::cpu::name_buffer(inside, bytes, variable ? variable + 1 : expression, &kit::cpu::layout_of<T>);
    kit::cpu::mark_uninitialised(inside, bytes);
#else
    (void)expression;
#endif
    *address = static_cast<T*>(inside);
    return cudaSuccess;
}

/// How many bytes of a guard zone were overwritten.
inline cudaError_t count_overwritten(const char* zone, std::size_t* count) {
    std::vector<unsigned char> bytes(guard_bytes);
    cudaError_t error = cudaMemcpy(bytes.data(), zone, guard_bytes, cudaMemcpyDeviceToHost);
    for (unsigned char byte : bytes) *count += byte != garbage ? 1 : 0;
    return error;
}

/// cudaFree for what guarded_malloc has allocated. Anything else goes to cudaFree itself, which knows best; what is freed
/// again does not, as this header would be named as the place.
inline cudaError_t guarded_free(void* address) {
    allocations.note_call();
    auto found = allocations.live.find(address);
    if (allocations.freed.count(address)) {
        allocations.twice = "device memory is freed twice: one cudaFree for each cudaMalloc (Task 4)";
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
