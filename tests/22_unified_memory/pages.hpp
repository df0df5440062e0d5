// Shared by the tests of this topic: managed arrays, and the pages that the CPU backend has counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "22_unified_memory/22_unified_memory.hpp"
#include "grader.cuh"
#include "grader/calls.hpp"
#include "handles.hpp"
#ifdef KIT_CPU
#include <kit_cpu/managed_pages.hpp>
#endif

namespace unified_memory_test {

constexpr std::size_t kPageBytes = 4096;

/// Returns the number of pages that hold this many elements.
template <class T>
std::size_t pages_of(std::size_t elements) {
    return (elements * sizeof(T) + kPageBytes - 1) / kPageBytes;
}

/// Follows the pages of managed memory during a case. `concurrent`: whether the device has concurrent access. A GPU stays as it is.
class FollowedPages {
  public:
    explicit FollowedPages([[maybe_unused]] bool concurrent = true) {
#ifdef KIT_CPU
        kit::cpu::set_concurrent_managed_access(concurrent);
        kit::cpu::follow_pages(true);
        kit::cpu::reset_page_counts();
#endif
    }
    ~FollowedPages() {
#ifdef KIT_CPU
        kit::cpu::follow_pages(false);
        kit::cpu::set_concurrent_managed_access(true);
#endif
    }
    FollowedPages(const FollowedPages&) = delete;
    FollowedPages& operator=(const FollowedPages&) = delete;
};

/// Counts of pages since reset(). All are 0 on a GPU, so that every upper limit holds there.
struct Pages {
#ifdef KIT_CPU
    kit::cpu::PageCounts counts = kit::cpu::page_counts();
#else
    struct {
        std::uint64_t device_faults = 0, host_faults = 0, device_populated = 0, host_populated = 0,
                      to_device = 0, to_host = 0, duplicated = 0, invalidated = 0, remote = 0,
                      prefetched_to_device = 0, prefetched_to_host = 0, saved = 0, not_ordered = 0,
                      evicted = 0, returned = 0;
    } counts;
#endif
    static void reset() {
#ifdef KIT_CPU
        kit::cpu::reset_page_counts();
#endif
    }
    /// Returns whether pages are counted.
    static constexpr bool counted() {
#ifdef KIT_CPU
        return true;
#else
        return false;
#endif
    }
};

/// Returns the line at which host code first moved a page: " at line 12", or an empty text.
inline std::string host_fault_line() {
#ifdef KIT_CPU
    const kit::cpu::HostFault fault = kit::cpu::first_host_fault();
    if (fault.line) return " (first at line " + std::to_string(fault.line) + ")";
#endif
    return "";
}

/// Returns whether the current device can use managed memory at the same time as the host.
inline bool has_concurrent_access(kit::Case& test) {
    int value = 0;
    test.cuda(cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, 0));
    return value != 0;
}

/// An array in managed memory that the host has filled.
template <class T>
class Managed {
  public:
    Managed(kit::Case& test, const std::vector<T>& values) : size_(values.size()) {
        test.cuda(cudaMallocManaged(&data_, (size_ + 1) * sizeof(T)));
        for (std::size_t i = 0; i < size_; ++i) data_[i] = values[i];
    }
    ~Managed() {
        cudaDeviceSynchronize();
        cudaFree(data_);
    }
    Managed(const Managed&) = delete;
    Managed& operator=(const Managed&) = delete;
    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }
    std::size_t pages() const { return pages_of<T>(size_); }
    /// Reads the elements on the host.
    std::vector<T> read() const { return std::vector<T>(data_, data_ + size_); }

  private:
    std::size_t size_;
    T* data_ = nullptr;
};

}  // namespace unified_memory_test
