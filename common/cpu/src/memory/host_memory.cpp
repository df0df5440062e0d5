// Heap, global variables, stack: asked in this order.
#include "host_memory.hpp"

#include <unwind.h>

#include "source/memory_facts.hpp"
#include "source/symbols.hpp"

namespace kit::cpu {
namespace {

/// A local variable lies in one frame. Frames end where the caller's begin, and the unwinder knows these places exactly, where
/// it knows no single variable: an overrun within the frame is not seen.
HostPiece find_frame(const void* address) {
    struct Search {
        const char* address;
        const char* begin;  ///< where the examined frame begins
        const void* code;
        HostPiece found;
    } search{static_cast<const char*>(address), nullptr, nullptr, {}};
    _Unwind_Backtrace(
        [](_Unwind_Context* frame, void* out) {
            auto& search = *static_cast<Search*>(out);
            // The frame's CFA is the end of the previous frame.
            const auto begin = reinterpret_cast<const char*>(_Unwind_GetCFA(frame));
            if (search.begin && search.address >= search.begin && search.address < begin) {
                search.found.kind = HostPiece::Kind::frame;
                search.found.end = begin;
                search.found.code = search.code;
                return _URC_END_OF_STACK;
            }
            if (search.address < begin) return _URC_END_OF_STACK;  // no stack, or one that is not in use
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
