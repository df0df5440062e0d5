// The executor's own function to switch from one stack to another, on x86-64.
#pragma once

#ifdef __x86_64__
#define KIT_CPU_OWN_SWITCH 1

// With AVX-512, there are more registers.
#ifdef __AVX512F__
#define KIT_CPU_MORE_REGISTERS                                                                           \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", \
        "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define KIT_CPU_MORE_REGISTERS
#endif

namespace kit::cpu {

/// Stores the caller's stack pointer in `from`, and continues on the stack `to`. Returns when another switch
/// leads back. All registers change, so the compiler saves the caller's values before. The caller must call
/// other functions as well, because a function without calls uses the memory below its stack pointer. The
/// floating-point modes are not switched.
[[gnu::always_inline]] inline void switch_stack(void** from, void* to) {
    asm volatile(
        "leaq 1f(%%rip), %%rax\n\t"
        "movq %%rbp, -8(%%rsp)\n\t"
        "movq %%rax, -16(%%rsp)\n\t"
        "movq %%rsp, (%0)\n\t"
        "movq %1, %%rsp\n\t"
        "movq -8(%%rsp), %%rbp\n\t"
        "jmpq *-16(%%rsp)\n"
        "1:"
        : "+D"(from), "+S"(to)
        :
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
          "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
          "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "memory",
          "cc" KIT_CPU_MORE_REGISTERS);
}

}  // namespace kit::cpu

#undef KIT_CPU_MORE_REGISTERS
#endif
