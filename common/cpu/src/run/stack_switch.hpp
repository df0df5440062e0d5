// The switch between two stacks: what a fiber is made of.
//
// On x86-64 it is our own, and part of the function that waits. That function has saved what its caller needs, so that
// hardly anything remains to be kept; and each return afterwards is where the processor expects it. A call of Boost.Context
// saves everything again and ends with a jump: then the processor guesses every return wrong, and a barrier costs several
// times as much.
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

/// Where a stack sleeps that has not begun: the first switch to it calls fiber_body().
inline void* new_stack(char* low, char* high) {
    void** const stack = reinterpret_cast<void**>(low + (high - low) / 16 * 16) - 1;
    stack[0] = nullptr;   // to whom it would return
    stack[-1] = nullptr;  // its frame
    stack[-2] = reinterpret_cast<void*>(fiber_body);
    return stack;
}

#else

/// With each switch Boost hands over where the other side sleeps; the data says where to keep that.
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

/// A block of waiting threads has more stacks in use than the nearest cache has room for: what `stack` will need first.
inline void fetch(const void* stack) {
    const char* const top = static_cast<const char*>(stack) - 16;
    __builtin_prefetch(top);
    __builtin_prefetch(top + 64);
    __builtin_prefetch(top + 128);
    __builtin_prefetch(top + 192);
}

}  // namespace kit::cpu
