// The advice that a program gives about the pages of managed memory, and the prefetches that it has requested.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/managed_pages.hpp>

#include "memory.hpp"

namespace kit::cpu {

/// A processor that can use a page: a device by its number, or the host.
constexpr int the_host = 8, no_processor = -1;

/// Returns the bit of a processor in a set of processors.
constexpr unsigned bit_of(int processor) {
    return 1u << processor;
}

/// The advice about one page, and the last prefetch of the page that the program has requested.
struct PageAdvice {
    bool read_mostly = false;
    std::int8_t preferred = no_processor, last_prefetch = no_processor;
    std::uint16_t accessed_by = 0;  ///< set of processors
};

/// Returns the advice about the page that contains this address.
PageAdvice advice_at(const void* address);

/// Changes the advice about the pages that contain these bytes. The range must be in one allocation.
void change_advice(const void* begin, std::size_t bytes, cudaMemoryAdvise advice, int processor);
void note_prefetch(const void* begin, std::size_t bytes, int processor);

/// Returns the parts of the advice that are the same for all pages that contain these bytes. The other parts are as without
/// advice.
PageAdvice common_advice(const void* begin, std::size_t bytes);

/// Forgets the advice about an allocation.
void forget_advice(const Allocation& allocation);

/// The pages of one allocation that contain a range of bytes, by number.
struct PageRange {
    PageRange(const Allocation& allocation, const void* begin, std::size_t bytes)
        : first(static_cast<std::size_t>(static_cast<const char*>(begin) - allocation.begin) /
                managed_page_bytes),
          end((static_cast<std::size_t>(static_cast<const char*>(begin) - allocation.begin) + bytes +
               managed_page_bytes - 1) /
              managed_page_bytes) {}
    std::size_t first, end;
};

}  // namespace kit::cpu
