// The sentences about copies and fills: where they go, in which direction, and what was freed meanwhile.
#pragma once

#include <driver_types.h>

#include <kit_cpu/executor.hpp>
#include <string>

#include "memory_words.hpp"

namespace kit::cpu {

/// One end of a copy, or a fill.
struct CopyEnd {
    const char* function;  ///< "cudaMemcpyAsync"
    bool write;
    std::size_t bytes;
    Place place;
};

Finding through_null(const CopyEnd& end);
/// `near`: what is not far from there; empty if nothing is.
Finding nothing_allocated(const CopyEnd& end, const std::string& near);
Finding kernels_own_memory(const CopyEnd& end, const AllocationFacts& allocation);
Finding after_free_async(const CopyEnd& end, const AllocationFacts& allocation);
/// It begins `offset` bytes behind the begin of the memory, and goes `past` bytes too far.
Finding past_the_end(const CopyEnd& end, std::size_t past, const std::string& memory, std::size_t offset);
/// Memory of a graph.
Finding not_there_now(const CopyEnd& end, const std::string& memory);
/// `freed`: where, if known.
Finding freed_meanwhile(const CopyEnd& end, const std::string& memory, Place freed);

enum class CopySide { none, destination, source };
/// What that side is does not fit the kind.
Finding wrong_direction(const char* function, cudaMemcpyKind kind, CopySide side, bool is_device,
                        Place place);
Finding fills_host_memory(const char* function, Place place);

/// cudaMemcpyToSymbol and its relatives.
Finding beyond_variable(const char* function, std::size_t bytes, std::size_t offset,
                        std::size_t variable_bytes, Place place);

}  // namespace kit::cpu
