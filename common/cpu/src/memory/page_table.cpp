// The policy for a page of managed memory: creation, migration, duplication, mappings over the bus and eviction.
#include "page_table.hpp"

#include <utility>

#include "device/devices.hpp"

namespace kit::cpu {
namespace {

std::uint64_t time_of_arrival = 0;
/// The pages on each device, in the order of their arrival.
using PagesByAge = std::set<std::pair<std::uint64_t, std::pair<Table*, Page*>>>;
auto* const on_device = new PagesByAge[most_devices];

std::size_t capacity(int device) {
    return memory_left(device) / managed_page_bytes;
}

void leave(Table& table, Page& page, int processor) {
    page.copies = static_cast<std::uint16_t>(page.copies & ~bit_of(processor));
    page.open = static_cast<std::uint16_t>(page.open & ~bit_of(processor));
    page.prefetched = static_cast<std::uint16_t>(page.prefetched & ~bit_of(processor));
    if (processor != the_host) on_device[processor].erase({page.arrival, {&table, &page}});
}

void arrive(Table& table, Page& page, int processor) {
    if (processor != the_host) {
        for (int device = 0; device < most_devices; ++device)
            if (page.is_on(device)) on_device[device].erase({page.arrival, {&table, &page}});
        page.arrival = ++time_of_arrival;
        page.copies = static_cast<std::uint16_t>(page.copies | bit_of(processor));
        for (int device = 0; device < most_devices; ++device)
            if (page.is_on(device)) on_device[device].insert({page.arrival, {&table, &page}});
        if (std::exchange(page.was_evicted, false)) count_pages(&PageCounts::returned);
    }
    page.copies = static_cast<std::uint16_t>(page.copies | bit_of(processor));
}

/// Moves the oldest page of the device to the host.
void evict_oldest(int device) {
    const auto [table, page] = on_device[device].begin()->second;
    leave(*table, *page, device);
    if (!page->copies) {
        arrive(*table, *page, the_host);
        page->open = 0;
    }
    page->was_evicted = true;
    count_pages(&PageCounts::evicted);
    protect_page(*table, *page);
}

/// Returns whether the processor has space for one more page. Pages are evicted if necessary.
bool make_room(int processor) {
    if (processor == the_host) return true;
    const std::size_t pages = capacity(processor);
    while (!on_device[processor].empty() && on_device[processor].size() >= pages) evict_oldest(processor);
    return on_device[processor].size() < pages;
}

/// Returns whether a processor can access memory of `owner` over the bus.
bool can_map(int processor, int owner) {
    if (processor == the_host) return false;
    return owner == the_host || peer_is_possible(processor, owner);
}

// What an access does.

void open_for(Page& page, int processor) {
    page.open = static_cast<std::uint16_t>(page.open | bit_of(processor));
}

void count_fault(int processor) {
    count_pages(processor == the_host ? &PageCounts::host_faults : &PageCounts::device_faults);
}

void use_remotely(Page& page, int processor) {
    count_pages(&PageCounts::remote);
    open_for(page, processor);
}

/// Creates a page that no processor has touched: where it is preferred, or for the processor that touches it.
void create(Table& table, Page& page, int processor, const PageAdvice& advice) {
    count_fault(processor);
    const bool there = advice.preferred != no_processor && can_map(processor, advice.preferred);
    const int place = there ? advice.preferred : processor;
    if (!make_room(place)) {  // only a device can be full
        arrive(table, page, the_host);
        return use_remotely(page, processor);
    }
    arrive(table, page, place);
    if (place != processor) return use_remotely(page, processor);
    count_pages(processor == the_host ? &PageCounts::host_populated : &PageCounts::device_populated);
    open_for(page, processor);
}

/// Moves or maps a page that is in the memory of a different processor.
void fetch(Table& table, Page& page, int processor, bool write, const PageAdvice& advice) {
    const int place = page.location();
    if (advice.read_mostly && !write) {
        count_fault(processor);
        if (!make_room(processor)) return use_remotely(page, processor);
        count_pages(&PageCounts::duplicated);
        arrive(table, page, processor);
        return open_for(page, processor);
    }
    if (can_map(processor, place) && advice.accessed_by & bit_of(processor))
        return use_remotely(page, processor);
    count_fault(processor);
    if (can_map(processor, place) && (advice.preferred == place || !make_room(processor)))
        return use_remotely(page, processor);
    if (page.is_duplicated()) keep_only(table, page, place);
    leave(table, page, place);
    arrive(table, page, processor);
    page.open = 0;
    open_for(page, processor);
    count_pages(processor == the_host ? &PageCounts::to_host : &PageCounts::to_device);
}

/// Handles the first access to a page that is in the processor's own memory.
void use_own(Page& page, int processor, const std::set<std::uint64_t>& unordered) {
    open_for(page, processor);
    if (!(page.prefetched & bit_of(processor))) return;
    page.prefetched = static_cast<std::uint16_t>(page.prefetched & ~bit_of(processor));
    if (processor != the_host && unordered.count(page.prefetch)) {
        count_pages(&PageCounts::not_ordered);
        return count_fault(processor);
    }
    count_pages(&PageCounts::saved);
}

}  // namespace

void keep_only(Table& table, Page& page, int processor) {
    for (int other = 0; other <= the_host; ++other)
        if (other != processor && page.is_on(other)) {
            leave(table, page, other);
            if (page.copies) count_pages(&PageCounts::invalidated);
        }
    page.open = static_cast<std::uint16_t>(page.open & bit_of(processor));
}

void use_page(Table& table, Page& page, int processor, bool write, const std::set<std::uint64_t>& unordered) {
    const bool was_open = page.open & bit_of(processor);
    if (!was_open) {
        const PageAdvice advice = advice_at(table.address(page));
        if (!page.copies)
            create(table, page, processor, advice);
        else if (page.is_on(processor))
            use_own(page, processor, unordered);
        else
            fetch(table, page, processor, write, advice);
    }
    if (write && page.is_duplicated() && page.is_on(processor)) keep_only(table, page, processor);
}

void prefetch_page(Table& table, Page& page, int processor, std::uint64_t number) {
    if (page.is_on(processor) || !make_room(processor)) return;
    if (page.copies && !advice_at(table.address(page)).read_mostly) {
        keep_only(table, page, page.location());
        leave(table, page, page.location());
        page.open = 0;
    }
    arrive(table, page, processor);
    page.prefetched = static_cast<std::uint16_t>(page.prefetched | bit_of(processor));
    page.prefetch = number;
    count_pages(processor == the_host ? &PageCounts::prefetched_to_host : &PageCounts::prefetched_to_device);
}

void create_page(Table& table, Page& page, int processor) {
    arrive(table, page, make_room(processor) ? processor : the_host);
}

void give_page(Table& table, Page& page, int device) {
    if (!page.is_on(device)) {
        if (page.copies) {
            count_pages(&PageCounts::at_launch);
            leave(table, page, page.location());
        }
        arrive(table, page, device);
    }
    page.open = static_cast<std::uint16_t>(bit_of(device));
}

void forget_page(Table& table, Page& page) {
    for (int device = 0; device < most_devices; ++device)
        if (page.is_on(device)) leave(table, page, device);
}

void evict_pages(int device) {
    while (!on_device[device].empty() && on_device[device].size() > capacity(device)) evict_oldest(device);
}

std::size_t number_of_pages_on(int device) {
    return on_device[device].size();
}

}  // namespace kit::cpu
