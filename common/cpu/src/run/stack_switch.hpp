// The switch between two stacks, which fibers use.
//
// On x86-64, the executor has its own switch, which is part of the function that waits. The function that
// waits has saved the registers that its caller needs, so almost nothing is left to save, and the processor
// predicts each later return correctly. Boost.Context, which other processors use, saves all registers again
// and ends with a jump. The processor then mispredicts every return, and a barrier takes several times as
// long.
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

/// Returns the stack pointer of a new stack. The first switch to the new stack calls fiber_body().
inline void* new_stack(char* low, char* high) {
    void** const stack = reinterpret_cast<void**>(low + (high - low) / 16 * 16) - 1;
    stack[0] = nullptr;   // the return address of fiber_body()
    stack[-1] = nullptr;  // the frame pointer of fiber_body()
    stack[-2] = reinterpret_cast<void*>(fiber_body);
    return stack;
}

#else

/// Stores the stack pointer of the previous fiber, which Boost passes with each switch, at the place that it
/// receives as data.
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

/// Prefetches the cache lines at the top of a stack, because the stacks of a block of waiting threads do not
/// all fit in the L1 cache.
inline void fetch(const void* stack) {
    const char* const top = static_cast<const char*>(stack) - 16;
    __builtin_prefetch(top);
    __builtin_prefetch(top + 64);
    __builtin_prefetch(top + 128);
    __builtin_prefetch(top + 192);
}

}  // namespace kit::cpu
