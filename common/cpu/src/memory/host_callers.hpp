// Finds the source line that allocated a block of the heap. For memory of a std::vector, it is the line that
// uses the vector.
#pragma once

namespace kit::cpu {

/// A call on the stack: its return address, and the start of the caller's frame.
struct Caller {
    const void* return_address;
    const char* frame;
};
#define KIT_ASKED_BY                                                                                     \
    ::kit::cpu::Caller {                                                                                 \
        __builtin_return_address(0), static_cast<const char*>(static_cast<void*>(__builtin_dwarf_cfa())) \
    }

/// Returns the return address in the first caller that is not a template of the C++ library. If the search
/// fails at a function, returns the address in that function. Takes nanoseconds; neither allocates nor locks.
const void* who_asked(Caller caller);

}  // namespace kit::cpu
