// One page of managed memory: where it is, and the policy that decides where an access moves it. All functions are called with the
// lock of managed_pages.cpp held.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/managed_pages.hpp>
#include <set>
#include <vector>

#include "page_advice.hpp"

namespace kit::cpu {

/// The state of one page. Sets of processors have one bit for each processor.
struct Page {
    std::uint16_t copies = 0;  ///< processors whose memory has the page; none before the first touch
    std::uint16_t open = 0;    ///< processors that can access the page without another fault
    std::uint16_t prefetched =
        0;  ///< processors to which a prefetch has brought the page, before the first access
    bool was_evicted = false;
    std::uint8_t protection = PROT_READ | PROT_WRITE;
    std::uint64_t prefetch = 0;  ///< number of the last prefetch
    std::uint64_t arrival = 0;   ///< time of the last arrival on a device

    bool is_on(int processor) const { return copies & bit_of(processor); }
    bool is_duplicated() const { return copies & (copies - 1); }
    int location() const { return __builtin_ctz(copies); }
};

/// The pages of one allocation.
struct Table {
    char* begin;
    std::vector<Page> pages;
    char* address(const Page& page) const {
        return begin + static_cast<std::size_t>(&page - pages.data()) * managed_page_bytes;
    }
};

/// Handles an access by a processor to a page that is closed to it. `unordered`: the prefetches after which the running kernel
/// is not ordered.
void use_page(Table& table, Page& page, int processor, bool write, const std::set<std::uint64_t>& unordered);

/// Moves, copies or creates the page for a prefetch with this number.
void prefetch_page(Table& table, Page& page, int processor, std::uint64_t number);

/// Creates a page that no processor has touched, for a copy or a fill.
void create_page(Table& table, Page& page, int processor);

/// Moves a page to a device without concurrent access.
void give_page(Table& table, Page& page, int device);

/// Removes all copies of the page except that of the processor.
void keep_only(Table& table, Page& page, int processor);

/// Removes the page from the lists of pages on devices, before its memory is released.
void forget_page(Table& table, Page& page);

/// Evicts pages from the device while it has more of them than fit.
void evict_pages(int device);
std::size_t number_of_pages_on(int device);

/// Adds to the counts, and to those of the running kernel (managed_pages.cpp).
void count_pages(std::uint64_t PageCounts::*what);
/// Protects the page as its state requires (managed_pages.cpp).
void protect_page(Table& table, Page& page);

}  // namespace kit::cpu
