// The pages of managed memory: where they are, and what an access or a prefetch does to them.
//
// The operating system's page protection finds the first access to a page: memory that the running processor has not
// touched since the page arrived is inaccessible, and the signal handler (run/faults.cpp) calls managed_fault(). So every
// access counts, by kernels, host code and libraries, with and without the checks. The view is the processor for which
// the pages are protected: the host, or the device whose kernel runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kit_cpu/managed_pages.hpp>
#include <set>
#include <string>

#include "memory.hpp"
#include "page_advice.hpp"

namespace kit::cpu {

/// Returns whether devices can access managed memory at the same time as the host.
bool concurrent_managed_access();

/// Follows the pages of new managed memory, if they are to be followed.
void follow(const Allocation& allocation);
/// Stops following the pages of memory that will be released.
void unfollow(const Allocation& allocation);

/// Handles an access to an inaccessible page. Returns false if the address is not in a page that is followed. A signal
/// handler calls this.
bool managed_fault(const void* address, bool write, bool by_kernel, const void* instruction);

/// Returns the kernel that may still use the managed memory at this address, on a device without concurrent access;
/// null if the host can use the memory.
struct ManagedUser {
    std::string kernel;
    Place launched;
};
const ManagedUser* managed_user(const void* address);

/// Gives all managed memory to the device when a kernel is launched, and back when the host has waited for all kernels. Both do nothing on
/// a device with concurrent access.
void give_to_device(const std::string& kernel, Place launched);
void give_to_host();

/// Makes the pages accessible for a kernel during the lifetime of the object.
class ManagedView {
  public:
    /// `unordered`: the numbers of prefetches after which the kernel is not ordered.
    ManagedView(const std::string& kernel, int device, std::set<std::uint64_t> unordered);
    ~ManagedView();
    ManagedView(const ManagedView&) = delete;
    ManagedView& operator=(const ManagedView&) = delete;

  private:
    bool is_on_;
    std::size_t outer_kernel_;
};

/// Makes a range of managed memory accessible for a copy or a fill during the lifetime of the object. Pages stay where they are, and pages
/// that do not exist are created for `processor`.
class ManagedWindow {
  public:
    ManagedWindow(const void* begin, std::size_t bytes, bool write, int processor);
    ~ManagedWindow();
    ManagedWindow(const ManagedWindow&) = delete;
    ManagedWindow& operator=(const ManagedWindow&) = delete;

  private:
    const void* begin_;
    std::size_t bytes_;
};

/// Moves the pages that contain these bytes. `number` identifies the prefetch (ManagedView).
void prefetch_pages(const void* begin, std::size_t bytes, int processor, std::uint64_t number);

/// Collapses duplicates of pages that are no longer read mostly, and applies other new advice (page_advice.hpp).
void advice_changed(const void* begin, std::size_t bytes);

/// Evicts pages until the device has space for them. Called when device memory has been allocated.
void evict_if_full(int device);
/// Returns the number of bytes of managed memory on the device.
std::size_t managed_bytes_on(int device);

}  // namespace kit::cpu
