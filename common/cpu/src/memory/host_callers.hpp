// Whose line asked for a block of the heap? Not that of std::vector, but that which uses the vector.
#pragma once

namespace kit::cpu {

/// In a function: where it returns to, and where the frame of its caller begins.
struct Caller {
    const void* return_address;
    const char* frame;
};
#define KIT_ASKED_BY                                                                                     \
    ::kit::cpu::Caller {                                                                                 \
        __builtin_return_address(0), static_cast<const char*>(static_cast<void*>(__builtin_dwarf_cfa())) \
    }

/// Returns the instruction of the first caller that is not a function of the C++ library's templates; the last caller that was found if its
/// own caller is not known. Takes nanoseconds, allocates nothing, locks nothing.
const void* who_asked(Caller caller);

}  // namespace kit::cpu
