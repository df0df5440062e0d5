// The switch between two stacks, with which fibers are built.
//
// On x86-64 we use our own switch, which is part of the function that waits. That function has saved the registers that its
// caller needs, so almost nothing is left to save, and the processor predicts each later return correctly. A call of
// Boost.Context saves everything again and ends with a jump. The processor then mispredicts every return, and a barrier costs
// several times as much.
#pragma once

#include <cstddef>
#include <kit_cpu/stack_switch.hpp>
#ifndef KIT_CPU_OWN_SWITCH
#include <boost/context/detail/fcontext.hpp>
#endif

namespace kit::cpu {

/// The body of every fiber (fiber_body.cpp).
[[noreturn]] void fiber_body();

#ifdef KIT_CPU_OWN_SWITCH

/// Returns the stack pointer of a stack that has not started. The first switch to it calls fiber_body().
inline void* new_stack(char* low, char* high) {
    void** const stack = reinterpret_cast<void**>(low + (high - low) / 16 * 16) - 1;
    stack[0] = nullptr;   // its return address
    stack[-1] = nullptr;  // its frame pointer
    stack[-2] = reinterpret_cast<void*>(fiber_body);
    return stack;
}

#else

/// With each switch, Boost passes the stack pointer of the other side. The data is the place to store it.
inline void keep(boost::context::detail::transfer_t back) {
    *static_cast<void**>(back.data) = back.fctx;
}

inline void* new_stack(char* low, char* high) {
    const auto body = [](boost::context::detail::transfer_t back) {
        keep(back);
        fiber_body();
    };
    return boost::context::detail::make_fcontext(high, static_cast<std::size_t>(high - low), body);
}

inline void switch_stack(void** from, void* to) {
    keep(boost::context::detail::jump_fcontext(to, from));
}

#endif

/// Prefetches the first lines that `stack` will need, because the stacks of a block of waiting threads do not all fit in the L1
/// cache.
inline void fetch(const void* stack) {
    const char* const top = static_cast<const char*>(stack) - 16;
    __builtin_prefetch(top);
    __builtin_prefetch(top + 64);
    __builtin_prefetch(top + 128);
    __builtin_prefetch(top + 192);
}

}  // namespace kit::cpu
