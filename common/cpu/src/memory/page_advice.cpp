// Stores the advice about managed memory, for each allocation about which there is some.
#include "page_advice.hpp"

#include <map>
#include <mutex>
#include <vector>

#include "device/spin_lock.hpp"

namespace kit::cpu {
namespace {

SpinLock advice_lock;                                                 // a signal handler asks for advice
auto& advised = *new std::map<const char*, std::vector<PageAdvice>>;  // by the first byte of the allocation

/// Calls `change` for the advice about each page of the range.
template <class Change>
void for_each_page(const void* begin, std::size_t bytes, Change change) {
    const Allocation* const allocation = find_allocation(begin);
    const PageRange pages(*allocation, begin, bytes);
    const std::lock_guard guard(advice_lock);
    std::vector<PageAdvice>& all = advised[allocation->begin];
    if (all.empty()) all.resize(PageRange(*allocation, allocation->begin, allocation->bytes).end);
    for (std::size_t page = pages.first; page < pages.end; ++page) change(all[page]);
}

}  // namespace

PageAdvice advice_at(const void* address) {
    const char* const byte = static_cast<const char*>(address);
    const std::lock_guard guard(advice_lock);
    auto next = advised.upper_bound(byte);
    if (next == advised.begin()) return {};
    const auto& [begin, pages] = *--next;
    const auto page = static_cast<std::size_t>(byte - begin) / managed_page_bytes;
    return page < pages.size() ? pages[page] : PageAdvice{};
}

void change_advice(const void* begin, std::size_t bytes, cudaMemoryAdvise advice, int processor) {
    for_each_page(begin, bytes, [&](PageAdvice& page) {
        switch (advice) {
            case cudaMemAdviseSetReadMostly:
            case cudaMemAdviseUnsetReadMostly:
                page.read_mostly = advice == cudaMemAdviseSetReadMostly;
                break;
            case cudaMemAdviseSetPreferredLocation:
                page.preferred = static_cast<std::int8_t>(processor);
                break;
            case cudaMemAdviseUnsetPreferredLocation:
                page.preferred = no_processor;
                break;
            case cudaMemAdviseSetAccessedBy:
                page.accessed_by = static_cast<std::uint16_t>(page.accessed_by | bit_of(processor));
                break;
            case cudaMemAdviseUnsetAccessedBy:
                page.accessed_by = static_cast<std::uint16_t>(page.accessed_by & ~bit_of(processor));
                break;
        }
    });
}

void note_prefetch(const void* begin, std::size_t bytes, int processor) {
    for_each_page(begin, bytes,
                  [&](PageAdvice& page) { page.last_prefetch = static_cast<std::int8_t>(processor); });
}

PageAdvice common_advice(const void* begin, std::size_t bytes) {
    PageAdvice common = advice_at(begin);
    const char* const first = static_cast<const char*>(begin);
    for (std::size_t i = 0; i < bytes; i += managed_page_bytes) {
        const char* const last = first + bytes - 1;
        const PageAdvice page =
            advice_at(i + managed_page_bytes < bytes ? first + i + managed_page_bytes : last);
        if (!page.read_mostly) common.read_mostly = false;
        if (page.preferred != common.preferred) common.preferred = no_processor;
        if (page.last_prefetch != common.last_prefetch) common.last_prefetch = no_processor;
        common.accessed_by = static_cast<std::uint16_t>(common.accessed_by & page.accessed_by);
    }
    return common;
}

void forget_advice(const Allocation& allocation) {
    const std::lock_guard guard(advice_lock);
    advised.erase(allocation.begin);
}

}  // namespace kit::cpu
