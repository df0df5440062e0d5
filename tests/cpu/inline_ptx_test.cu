// Inline PTX as programs use it: special registers, simple instructions, loads with hints, in functions and macros.
#include "conformance.cuh"

#define LANE(lane) asm("mov.u32 %0, %%laneid;" : "=r"(lane))

__device__ __forceinline__ unsigned multiprocessor() {
    unsigned result;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(result));
    return result;
}

__global__ void special_registers(unsigned* out) {
    unsigned lane, below, at_most, above;
    LANE(lane);
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(at_most));
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(above));
    unsigned x, count;
    asm("mov.u32 %0, %%tid.x; mov.u32 %1, %%nsmid;" : "=r"(x), "=r"(count));
    unsigned long long first, second;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(first)::"memory");
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(second));
    const bool right = x == threadIdx.x && lane == x % 32 && __popc(below) == static_cast<int>(lane) &&
                       (below | 1u << lane) == at_most && above == ~at_most && multiprocessor() < count &&
                       first != 0 && second != 0;
    out[x] = right;
}

CASE("special registers") {
    Buffer<unsigned> out(64);
    special_registers<<<1, 64>>>(out);
    CHECK_EQUAL(out.read(), std::vector<unsigned>(64, 1));
}

__device__ unsigned arithmetic(unsigned a, unsigned b) {
    unsigned result;
    asm("add.u32 %0, %1, %2;\n\t"
        "shl.b32 %0, %0, 4;\n\t"
        "xor.b32 %0, %0, %1;"
        : "=r"(result)
        : "r"(a), "r"(b));
    return result;
}

__global__ void instructions(unsigned* out, const unsigned* in) {
    float f;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(2.0f), "f"(in[0] * 1.0f), "f"(1.0f));
    out[0] = static_cast<unsigned>(f);
    out[1] = arithmetic(in[0], in[1]);
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(out[2]) : "r"(in[2]), "r"(in[2]));
    asm("shr.s32 %0, %1, 40;" : "=r"(out[3]) : "r"(in[2]));
    asm("shr.u32 %0, %1, 40;" : "=r"(out[4]) : "r"(in[2]));
    asm("prmt.b32 %0, %1, 0, 0x0123;" : "=r"(out[5]) : "r"(in[3]));
    if (in[0] == 3)
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(out[6]) : "l"(in + 3));
    else
        asm volatile("" ::: "memory");
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(out + 7), "r"(in[1]) : "memory");
}

CASE("arithmetic, loads and stores") {
    Buffer<unsigned> in(std::vector<unsigned>{3, 5, 0xf0000000u, 0x01020304u});
    Buffer<unsigned> out(8, 99u);
    instructions<<<1, 1>>>(out, in);
    CHECK_EQUAL(out.read(),
                std::vector<unsigned>{7, 131, 0xe1000000u, 0xffffffffu, 0, 0x04030201u, 0x01020304u, 5});
}

__global__ void barrier(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    asm volatile("bar.sync 0;" ::: "memory");
    out[threadIdx.x] = tile[63 - threadIdx.x];
    asm volatile("membar.gl;" ::: "memory");
}

CASE("a barrier and a fence") {
    Buffer<int> out(64);
    barrier<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[0], 63);
    CHECK_EQUAL(out.read()[63], 0);
}

CONFORMANCE_MAIN("inline_ptx")
