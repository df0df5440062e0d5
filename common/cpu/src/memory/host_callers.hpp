// Finds the line that allocated a block of the heap: not in std::vector, but the line that uses the vector.
#pragma once

namespace kit::cpu {

/// In a function: its return address, and the start of its caller's frame.
struct Caller {
    const void* return_address;
    const char* frame;
};
#define KIT_ASKED_BY                                                                                     \
    ::kit::cpu::Caller {                                                                                 \
        __builtin_return_address(0), static_cast<const char*>(static_cast<void*>(__builtin_dwarf_cfa())) \
    }

/// Returns the instruction of the first caller that is not a function of the C++ library's templates. If the caller of a function is
/// unknown, returns that function's. Takes nanoseconds, allocates nothing, locks nothing.
const void* who_asked(Caller caller);

}  // namespace kit::cpu
