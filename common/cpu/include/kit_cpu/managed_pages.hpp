// The pages of managed memory: where each page is, and which pages move. The functions are for tests and
// demos.
//
// A page is followed from the allocation of its memory, if follow_pages(true) was called before, or with
// KIT_PAGES=1. Otherwise all managed memory is accessible everywhere, and nothing is counted. Only
// cudaMallocManaged returns pages that are followed, `__managed__` variables are not. The counts are exact
// while one kernel runs at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kit::cpu {

/// The size of a page, as of most hosts. A device migrates larger pieces, so its counts are smaller.
constexpr std::size_t managed_page_bytes = 4096;

/// Sets whether the pages of later allocations are followed.
void follow_pages(bool follow);

/// Sets whether the host may use managed memory while kernels run (concurrentManagedAccess), unless
/// KIT_CONCURRENT_ACCESS is set. Without it, pages migrate to the device at a launch and not on demand, and
/// the host must synchronize before it uses any of them. Pages are then always followed.
void set_concurrent_managed_access(bool concurrent);

/// Numbers of pages. The device members add up all devices.
struct PageCounts {
    /// Accesses that had to wait for a page or for a mapping, each by the first access to the page.
    std::uint64_t device_faults = 0, host_faults = 0;
    /// The faults that only created a page, because no processor had touched it.
    std::uint64_t device_populated = 0, host_populated = 0;
    /// The faults that copied a page to the device, or to the host, and removed it from its old place.
    std::uint64_t to_device = 0, to_host = 0;
    /// Copies of pages that stay where they are, too, because the page is read mostly.
    std::uint64_t duplicated = 0;
    std::uint64_t invalidated = 0;  ///< read-mostly copies that a write has removed
    /// Pages that kernels have accessed over the bus without moving them, once for each kernel.
    std::uint64_t remote = 0;
    /// Pages that a prefetch has moved, copied or created.
    std::uint64_t prefetched_to_device = 0, prefetched_to_host = 0;
    /// Prefetched pages whose first access had no fault.
    std::uint64_t saved = 0;
    /// Prefetched pages that a kernel accessed although nothing orders it after the prefetch. They also count as faults.
    std::uint64_t not_ordered = 0;
    /// Pages that left a device because it was full, and those of them that came back.
    std::uint64_t evicted = 0, returned = 0;
    /// Pages that migrated to a device without concurrent access when a kernel started.
    std::uint64_t at_launch = 0;
};

/// Returns the counts since the last reset_page_counts().
PageCounts page_counts();
void reset_page_counts();

/// The counts of one kernel.
struct KernelPages {
    std::string kernel;
    PageCounts counts;
};
/// Returns the counts of each kernel since the last reset, at most of the first 10,000.
std::vector<KernelPages> pages_of_kernels();

/// The source line of the first access by host code that moved a page to the host since the last reset; line 0 if there
/// is none.
struct HostFault {
    int line = 0;
    std::string file;
};
HostFault first_host_fault();

/// Returns how many of the pages that contain these bytes are on the device, and on the host. A duplicated page counts for
/// both.
std::size_t pages_on_device(const void* begin, std::size_t bytes, int device = 0);
std::size_t pages_on_host(const void* begin, std::size_t bytes);

}  // namespace kit::cpu
