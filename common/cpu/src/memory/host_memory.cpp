// Finds the object that contains a host address. The search covers the heap, then global variables, then the
// stack.
#include "host_memory.hpp"

#include <unwind.h>

#include "source/memory_facts.hpp"
#include "source/symbols.hpp"

namespace kit::cpu {
namespace {

/// Finds the stack frame that contains a local variable. The unwinder knows the exact end of a frame, which
/// is the start of the caller's frame. The unwinder does not know single variables, so an overrun within the
/// frame is missed.
HostPiece find_frame(const void* address) {
    struct Search {
        const char* address;
        const char* begin;  ///< start of the frame that is being examined
        const void* code;
        HostPiece found;
    } search{static_cast<const char*>(address), nullptr, nullptr, {}};
    _Unwind_Backtrace(
        [](_Unwind_Context* frame, void* out) {
            auto& search = *static_cast<Search*>(out);
            // The CFA of this frame is the end of the previous frame.
            const auto begin = reinterpret_cast<const char*>(_Unwind_GetCFA(frame));
            if (search.begin && search.address >= search.begin && search.address < begin) {
                search.found.kind = HostPiece::Kind::frame;
                search.found.end = begin;
                search.found.code = search.code;
                return _URC_END_OF_STACK;
            }
            // The address is not in a stack, or is in an unused part of it.
            if (search.address < begin) return _URC_END_OF_STACK;
            search.begin = begin;
            search.code = reinterpret_cast<const char*>(_Unwind_GetIP(frame)) - 1;
            return _URC_NO_REASON;
        },
        &search);
    return search.found;
}

std::string function_name(const void* code) {
    const std::string symbol = symbol_at(_Unwind_FindEnclosingFunction(const_cast<void*>(code)));
    return demangle(symbol);
}

}  // namespace

HostPiece find_host_piece(const void* address) {
    HostPiece piece;
    piece.holds = address;
    if (program_image().holds(address)) {
        piece.end = variable_range(address).end;
        if (piece.end) piece.kind = HostPiece::Kind::variable;
        return piece;
    }
    piece.block = find_host_block(address);
    if (piece.block.begin) {
        piece.kind = HostPiece::Kind::block;
        piece.end = piece.block.end();
        return piece;
    }
    return find_frame(address);
}

facts::Memory HostPiece::memory() const {
    switch (kind) {
        case Kind::block:
            return memory_of(block);
        case Kind::variable:
            return variable_of(holds);
        case Kind::frame:
            return stack_frame(function_name(code));
        case Kind::unknown:
            break;
    }
    return {};
}

}  // namespace kit::cpu
