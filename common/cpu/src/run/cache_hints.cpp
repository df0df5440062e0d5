// Cache hints of device code: passes them to the checks, and records each with its line.
#include <algorithm>
#include <kit_cpu/cache_hints.hpp>

#include "caller.hpp"
#include "device/cache_lines.hpp"
#include "events.hpp"
#include "grid.hpp"
#include "memory/buffers.hpp"
#include "memory/memory.hpp"
#include "source/source_lines.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t most_bytes = 16;  // size of the largest single access
constexpr char discarded_byte = '\xdb';

const char* running_kernel() {
    return this_worker->block->grid().launch.name;
}

/// Ends the kernel if the address is in shared memory, which has no lines in the L2 cache.
void must_be_global(const volatile void* address, const char* function, const void* caller) {
    const SharedArena& shared = this_worker->block->shared();
    const char* const byte = const_cast<const char*>(static_cast<const volatile char*>(address));
    if (byte < shared.begin() || byte >= shared.begin() + SharedArena::capacity) return;
    const Place place = place_of_call(caller);
    stop_kernel(cudaErrorIllegalAddress,
                finding(facts::Rule::hint_for_shared_memory, running_spot(place), place)
                    .by(running_thread())
                    .with("function", function));
}

/// Ends the kernel if the range that gets a cache property is not within one allocation.
void must_be_allocated(const volatile void* begin, std::size_t bytes, const void* caller) {
    const char* const first = const_cast<const char*>(static_cast<const volatile char*>(begin));
    if (!in_device_range(first))
        return;  // managed memory and variables pass, because they are outside the
                 // range of device allocations
    const MemoryPiece piece = find_piece(first);
    if (piece.holds(first, bytes)) return;
    const Place place = place_of_call(caller);
    stop_kernel(cudaErrorIllegalAddress, finding(facts::Rule::hint_out_of_bounds, running_spot(place), place)
                                             .by(running_thread())
                                             .on(place_of_memory(piece.end ? piece.end : first))
                                             .with("bytes", bytes));
}

}  // namespace

void note_annotated(const volatile void* address, cudaAccessProperty property) {
    if (!observed()) return;
    const Caller inside("cuda::annotated_ptr");
    count_annotated(property);
    if (property != cudaAccessPropertyStreaming)
        property_asked_for(address, 1, property, running_kernel(),
                           place_of_call(__builtin_return_address(0)));
}

void apply_property(const volatile void* begin, std::size_t bytes, cudaAccessProperty property) {
    if (!observed() || !bytes) return;
    const void* const caller = __builtin_return_address(0);
    const Caller inside("cuda::apply_access_property()");
    must_be_global(begin, "cuda::apply_access_property", caller);
    must_be_allocated(begin, bytes, caller);
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    count_applied((address % cache_line_bytes + bytes + cache_line_bytes - 1) / cache_line_bytes);
    property_asked_for(begin, bytes, property, running_kernel(), place_of_call(caller));
}

/// Discards a range. The checks treat this as a store of unknown values. A device stores nothing, so the
/// counters do not count it.
void discard(volatile void* begin, std::size_t bytes) {
    if (!observed() || !bytes) return;
    const void* const caller = __builtin_return_address(0);
    const Caller inside("cuda::discard_memory()");
    must_be_global(begin, "cuda::discard_memory", caller);
    char* const first = const_cast<char*>(static_cast<volatile char*>(begin));
    for (std::size_t i = 0; i < bytes; i += most_bytes) {
        Access access;
        access.address = first + i;
        access.bytes = static_cast<unsigned>(std::min(most_bytes, bytes - i));
        access.write = true;
        access.discards = true;
        access.natural = false;
        access.instruction = static_cast<const char*>(caller) - 1;
        access.frame = __builtin_dwarf_cfa();
        this_worker->at = access.instruction;
        observer().access(*this_worker, access);
        std::fill_n(first + i, access.bytes, discarded_byte);
    }
    count_discarded(begin, bytes);
}

}  // namespace kit::cpu
