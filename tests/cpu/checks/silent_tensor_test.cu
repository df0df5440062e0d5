// Correct programs with fragments, mma.sync and ldmatrix that look like mistakes.
#include <mma.h>

#include "checks.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#include <kit_cpu/profile.hpp>
#endif

using namespace nvcuda;

namespace {

using Rows = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using Columns = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

}  // namespace

__global__ void each_warp(const half* in, float* out) {
    __shared__ __align__(32) half tiles[2][256];
    __shared__ __align__(32) float results[2][256];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    Rows rows;
    Columns columns;
    Sums sums;
    for (auto& element : sums.x) element = 0.0f;
    for (unsigned tile = 0; tile < 2; ++tile) {
        for (unsigned i = lane; i < 256; i += 32) tiles[warp][i] = in[tile * 256 + i];
        __syncwarp();
        wmma::load_matrix_sync(rows, tiles[warp], 16);
        wmma::load_matrix_sync(columns, tiles[warp], 16);
        wmma::mma_sync(sums, rows, columns, sums);
        __syncwarp();
    }
    for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = fmaxf(sums.x[i], 0.0f) + 1.0f;
    if (warp == 1) wmma::store_matrix_sync(results[warp], sums, 16, wmma::mem_row_major);
    __syncwarp();
    if (warp == 1)
        for (unsigned i = lane; i < 256; i += 32) out[i] = results[warp][i];
}
SILENT("two warps, each with its tiles; elements are set and changed one by one") {
    Buffer<half> in(512, half(0.5f));
    Buffer<float> out(256);
    each_warp<<<1, 64>>>(in, out);
    CHECK_EQUAL(out.read(), std::vector<float>(256, 9.0f));
}

__global__ void rows_of_bytes(const signed char* in, int* out) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> rows;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> columns;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sums;
    wmma::fill_fragment(sums, 0);
    wmma::load_matrix_sync(rows, in + 16, 16);
    wmma::load_matrix_sync(columns, in + 48, 16);
    wmma::mma_sync(sums, rows, columns, sums);
    wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
}
SILENT("tiles of 8-bit integers at a multiple of 16 bytes") {
    Buffer<signed char> in(512, 2);
    Buffer<int> out(256);
    rows_of_bytes<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read(), std::vector<int>(256, 64));
}

__global__ void row_of_constants(const float* bias, float* out, int last) {
    Sums sums[2], copy;
    if (blockIdx.x > static_cast<unsigned>(last)) return;
    wmma::load_matrix_sync(sums[0], bias, 0, wmma::mem_row_major);
    wmma::fill_fragment(sums[1], 2.0f);
    for (int i = 0; i < copy.num_elements; ++i) copy.x[i] = sums[0].x[i] * sums[1].x[i];
    float largest = 0;
    for (const float element : copy.x) largest = fmaxf(largest, element);
    for (int offset = 16; offset; offset /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
    for (auto& element : copy.x) element /= largest;
    wmma::store_matrix_sync(out + blockIdx.x * 256, copy, 16, wmma::mem_row_major);
    if (threadIdx.x == 0) out[512] = largest;
}
SILENT("a leading dimension of 0 repeats a row; a fragment gets its elements from one of the same kind") {
    std::vector<float> bias(16);
    for (int i = 0; i < 16; ++i) bias[static_cast<std::size_t>(i)] = static_cast<float>(i + 1);
    Buffer<float> device_bias(bias), out(513);
    row_of_constants<<<2, 32>>>(device_bias, out, 0);
    const std::vector<float> got = out.read();
    CHECK_EQUAL(got[16 * 3 + 7], 0.5f);
    CHECK_EQUAL(got[512], 32.0f);
}

__global__ void swizzled(const half* in, unsigned* out) {
    __shared__ __align__(16) half tile[8][8];
    if (threadIdx.x < 8)
        for (int i = 0; i < 8; ++i) tile[threadIdx.x][i] = in[threadIdx.x * 8 + i];
    unsigned numbers, none;
    const unsigned row =
        threadIdx.x < 8 ? static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x ^ 5][0])) : 3;
    __syncwarp();
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(numbers) : "r"(row));
    asm volatile("mov.u32 %0, 0;" : "=r"(none));
    out[threadIdx.x] = numbers + none;
}
SILENT("only the first eight lanes bring an address to ldmatrix .x1") {
    Buffer<half> in(64, half(1.0f));
    Buffer<unsigned> out(32);
    swizzled<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read(), std::vector<unsigned>(32, 0x3c003c00u));
}

__global__ void two_warps_share(const half* in, float* out, unsigned* counts) {
    __shared__ float partial[8][32];
    __shared__ unsigned bins[16];
    Rows rows;
    Columns columns;
    Sums sums;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    wmma::load_matrix_sync(rows, in + 256 * warp, 16);
    wmma::load_matrix_sync(columns, in, 16);
    wmma::fill_fragment(sums, 0.0f);
    wmma::mma_sync(sums, rows, columns, sums);
    if (warp == 1)
        for (int i = 0; i < sums.num_elements; ++i) partial[i][lane] = sums.x[i];
    __syncthreads();
    if (warp == 1) return;
    for (int i = 0; i < sums.num_elements; ++i) sums.x[i] += partial[i][lane];
    float sum = 0;
    for (int i = 0; i < sums.num_elements; ++i) {
        atomicAdd(&bins[static_cast<unsigned>(sums.x[i]) % 16], 1u);
        sum += sums.x[i];
    }
    wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
    __syncwarp();
    partial[0][lane] = sum;
    for (unsigned i = lane; i < 16; i += 32) counts[i] = bins[i];
}
SILENT(
    "two warps divide k: one keeps its elements in memory, and the other adds them to its own; elements are "
    "counted") {
    Buffer<half> in(512, half(1.0f));
    Buffer<float> out(256);
    Buffer<unsigned> counts(16);
    two_warps_share<<<1, 64>>>(in, out, counts);
    CHECK_EQUAL(out.read(), std::vector<float>(256, 32.0f));
    CHECK_EQUAL(counts.read()[0], 256u);
}

__global__ void registers_set_later(float* out) {
    unsigned a[2][4], b[2];
    float sums[4], other = 2, *to = out + threadIdx.x;
    struct Pair {
        float first;
        int second;
    } pair = {1, 2};
    for (float& sum : sums) sum = other;
    for (unsigned i = 0; i < 4; ++i) a[1][i] = b[i % 2] = 0x3c003c00;  // ones
    for (int step = 0; step < 2; ++step) {
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
            : "r"(a[1][0]), "r"(a[1][1]), "r"(a[1][2]), "r"(a[1][3]), "r"(b[0]), "r"(b[1]));
    }
    *to = sums[3] + pair.first;
}
SILENT("registers of mma.sync are set after their declaration, and those of another array never") {
    Buffer<float> out(32);
    registers_set_later<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[9], 35.0f);
}

#ifdef KIT_CPU
__global__ void three_products(const half* in, float* out) {
    Rows rows;
    Columns columns;
    Sums sums;
    wmma::load_matrix_sync(rows, in, 16);
    wmma::load_matrix_sync(columns, in, 16);
    wmma::fill_fragment(sums, 0.0f);
    for (int i = 0; i < 3; ++i) wmma::mma_sync(sums, rows, columns, sums);
    wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
}
SILENT("the profile counts products at their line, and the counters count them") {
    Buffer<half> in(256, half(1.0f));
    Buffer<float> out(256);
    kit::cpu::reset_counters();
    kit::cpu::begin_profile();
    three_products<<<2, 64>>>(in, out);
    CHECK_EQUAL(out.read()[7], 48.0f);
    kit::cpu::end_profile();
    std::uint64_t lines = 0, products = 0, multiplications = 0;
    for (const kit::cpu::KernelProfile& kernel : kit::cpu::take_profile()) {
        for (const kit::cpu::LineCounts& line : kernel.lines) {
            lines += line.products > 0;
            products += line.products;
            multiplications += line.multiplications;
        }
    }
    CHECK_EQUAL(lines, 1u);
    CHECK_EQUAL(products, 2u * 2u * 3u);
    CHECK_EQUAL(multiplications, 12u * 16u * 16u * 16u);
    CHECK_EQUAL(kit::cpu::counters().tensor_products, products);
    CHECK_EQUAL(kit::cpu::counters().tensor_multiplications, multiplications);
}
#endif

CHECKS_MAIN("silent_tensor")
