// Mistakes with fragments, mma.sync and ldmatrix: lanes that do not take part, arguments, alignment, memory, and the layout of fragments.
#include <mma.h>

#include "checks.cuh"

using namespace nvcuda;

namespace {

using Rows = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using Columns = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

}  // namespace

__global__ void never_filled(const half* in, float* out) {
    Rows rows;
    Columns columns;
    Sums sums;
    wmma::load_matrix_sync(rows, in, 16);
    wmma::load_matrix_sync(columns, in, 16);
    wmma::mma_sync(sums, rows, columns, sums);  // <-
    wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
}
PLANTED("the accumulator is never filled", "uninitialised", "passes the accumulator to mma_sync()") {
    Buffer<half> in(256, half(1.0f));
    Buffer<float> out(256);
    never_filled<<<1, 32>>>(in, out);
    out.read();
}

__global__ void never_loaded(const half* in, float* out) {
    Rows rows;
    Columns columns;
    Sums sums;
    wmma::load_matrix_sync(rows, in, 16);
    wmma::fill_fragment(sums, 0.0f);
    wmma::mma_sync(sums, rows, columns, sums);  // <-
    wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
}
PLANTED("matrix B is never loaded", "uninitialised", "passes the fragment of matrix B to mma_sync()") {
    Buffer<half> in(256, half(1.0f));
    Buffer<float> out(256);
    never_loaded<<<1, 32>>>(in, out);
    out.read();
}

__device__ void add_product(float (&sums)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(  // <-
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
template <class Sum>
__global__ void unset_sums(Sum* out) {
    unsigned a[4] = {}, b[2] = {};
    float sums[2][4];
    add_product(sums[1], a, b);
    out[threadIdx.x] = sums[1][0];
}
PLANTED("mma.sync adds to registers that nothing has set", "uninitialised",
        "passes the accumulator to mma.sync") {
    Buffer<float> out(32);
    unset_sums<float><<<1, 32>>>(out);
    out.read();
}

__global__ void beyond(const half* in, float* out) {
    Rows rows;
    wmma::load_matrix_sync(rows, in + 256, 16);  // <-
    out[threadIdx.x] = 0.0f;
}
PLANTED("a tile past the end of the matrix", "address", "out of bounds") {
    Buffer<half> in(256);
    Buffer<float> out(32);
    beyond<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
}

__global__ void store_beyond(float* out) {
    Sums sums;
    wmma::fill_fragment(sums, 1.0f);
    wmma::store_matrix_sync(out, sums, 24, wmma::mem_row_major);  // <-
}
PLANTED("a tile that is stored with the leading dimension of a larger matrix", "address", "out of bounds") {
    Buffer<float> out(256);
    store_beyond<<<1, 32>>>(out);
    cudaDeviceSynchronize();
}

__global__ void unwritten_tile(float* out) {
    __shared__ __align__(32) half tile[256];
    Rows rows;
    if (threadIdx.x < 16)
        for (int i = 0; i < 8; ++i) tile[threadIdx.x * 8 + i] = half(1.0f);
    __syncwarp();
    wmma::load_matrix_sync(rows, tile, 16);  // <-
    out[threadIdx.x] = 0.0f;
}
PLANTED("half of the tile was not written", "uninitialised", "nothing has written it") {
    Buffer<float> out(32);
    unwritten_tile<<<1, 32>>>(out);
    out.read();
}

__global__ void no_barrier(const half* in, float* out) {
    __shared__ __align__(32) half tile[256];
    Rows rows;
    for (int i = threadIdx.x; i < 256; i += 32) tile[i] = in[i];  // <-
    wmma::load_matrix_sync(rows, tile, 16);                       // <-
    out[threadIdx.x] = 0.0f;
}
PLANTED("the tile is loaded without a barrier after its stores", "race", "there is no barrier between") {
    Buffer<half> in(256);
    Buffer<float> out(32);
    no_barrier<<<1, 32>>>(in, out);
    out.read();
}

__global__ void half_a_warp(const half* in, float* out) {
    Rows rows;
    if (threadIdx.x < 16) wmma::load_matrix_sync(rows, in, 16);  // <-
    out[threadIdx.x] = 0.0f;
}
PLANTED("only half of the lanes load a fragment", "warp", "load_matrix_sync()") {
    Buffer<half> in(256);
    Buffer<float> out(32);
    half_a_warp<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
}

__global__ void small_block(const half* in, float* out) {
    Rows rows;
    wmma::load_matrix_sync(rows, in, 16);  // <-
    out[threadIdx.x] = 0.0f;
}
PLANTED("a block of 16 threads", "warp", "in a warp of 16 threads") {
    Buffer<half> in(256);
    Buffer<float> out(32);
    small_block<<<1, 16>>>(in, out);
    cudaDeviceSynchronize();
}

__global__ void own_pointer(const half* in, float* out) {
    Rows rows;
    wmma::load_matrix_sync(rows, in + threadIdx.x / 16 * 16, 16);  // <-
    out[threadIdx.x] = 0.0f;
}
PLANTED("each half of the warp passes its own pointer", "warp",
        "passes a different pointer to load_matrix_sync()") {
    Buffer<half> in(512);
    Buffer<float> out(32);
    own_pointer<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
}

__global__ void odd_stride(const half* in, float* out) {
    Rows rows;
    wmma::load_matrix_sync(rows, in, 18);  // <-
    out[threadIdx.x] = 0.0f;
}
PLANTED("a leading dimension of 18 halves", "misaligned", "Use a multiple of 8 elements") {
    Buffer<half> in(512);
    Buffer<float> out(32);
    odd_stride<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
}

__global__ void odd_pointer(const half* in, float* out) {
    Rows rows;
    wmma::load_matrix_sync(rows, in + 8, 16);  // <-
    out[threadIdx.x] = 0.0f;
}
PLANTED("a pointer that is a multiple of 16 bytes only", "misaligned",
        "Pass one that is a multiple of 32 bytes") {
    Buffer<half> in(512);
    Buffer<float> out(32);
    odd_pointer<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
}

__global__ void odd_bytes(const signed char* in, float* out) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> rows;
    wmma::load_matrix_sync(rows, in + 8, 16);  // <-
    out[threadIdx.x] = 0.0f;
}
PLANTED("8-bit integers at a multiple of 8 bytes only", "misaligned",
        "Pass one that is a multiple of 16 bytes") {
    Buffer<signed char> in(512);
    Buffer<float> out(32);
    odd_bytes<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
}

__global__ void part_of_a_warp(unsigned* out) {
    unsigned d[4] = {}, a[2] = {}, b = 0;
    if (threadIdx.x != 31)
        asm volatile(  // <-
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, "
            "%3};"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b));
    out[threadIdx.x] = d[0];
}
PLANTED("one lane skips mma.sync", "warp", "mma.sync") {
    Buffer<unsigned> out(32);
    part_of_a_warp<<<1, 32>>>(out);
    cudaDeviceSynchronize();
}

__global__ void odd_row(unsigned* out) {
    __shared__ __align__(16) half tile[8 * 12];
    for (int i = threadIdx.x; i < 96; i += 32) tile[i] = half(1.0f);
    __syncwarp();
    const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x % 8 * 12]));
    unsigned numbers;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(numbers) : "r"(row));  // <-
    out[threadIdx.x] = numbers;
}
PLANTED("rows of 24 bytes for ldmatrix", "misaligned", "Pass one that is a multiple of 16 bytes") {
    Buffer<unsigned> out(32);
    odd_row<<<1, 32>>>(out);
    cudaDeviceSynchronize();
}

__global__ void other_rows(unsigned* out) {
    __shared__ __align__(16) half tile[4 * 64];
    for (int i = threadIdx.x; i < 128; i += 32) tile[i] = half(1.0f);
    __syncwarp();
    const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x * 8]));
    unsigned r[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"  // <-
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
    out[threadIdx.x] = r[0] + r[1] + r[2] + r[3];
}
PLANTED("ldmatrix reads rows that nothing has written", "uninitialised", "nothing has written it") {
    Buffer<unsigned> out(32);
    other_rows<<<1, 32>>>(out);
    out.read();
}

__global__ void by_index(const half* in, float* out) {
    Rows rows;
    Columns columns;
    Sums sums;
    const unsigned lane = threadIdx.x;
    for (int i = 0; i < rows.num_elements; ++i)
        rows.x[i] = in[lane / 4 * 16 + lane % 4 * 2 + i % 2 + i / 8 * 128];
    wmma::load_matrix_sync(columns, in, 16);
    wmma::fill_fragment(sums, 0.0f);
    wmma::mma_sync(sums, rows, columns, sums);  // <-
    wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
}
PLANTED("the elements of a fragment are set by an assumed layout", "warp",
        "which element of the matrix is in x[i] is unspecified") {
    std::vector<half> values;
    for (int i = 0; i < 256; ++i) values.push_back(half(static_cast<float>(i % 13)));
    Buffer<half> in(values);
    Buffer<float> out(256);
    by_index<<<1, 32>>>(in, out);
    out.read();
}

__global__ void converted(const half* in, half* out) {
    Rows rows;
    Columns columns;
    Sums sums;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> halves;
    wmma::load_matrix_sync(rows, in, 16);
    wmma::load_matrix_sync(columns, in, 16);
    wmma::fill_fragment(sums, 0.0f);
    wmma::mma_sync(sums, rows, columns, sums);
    for (int i = 0; i < sums.num_elements; ++i) halves.x[i] = __float2half(sums.x[i]);
    wmma::store_matrix_sync(out, halves, 16, wmma::mem_row_major);  // <-
}
PLANTED("sums in float are copied into a fragment of half, whose layout may differ", "warp",
        "passes the accumulator to store_matrix_sync()") {
    std::vector<half> values;
    for (int i = 0; i < 256; ++i) values.push_back(half(static_cast<float>(i % 13)));
    Buffer<half> in(values), out(256);
    converted<<<1, 32>>>(in, out);
    out.read();
}

__global__ void one_copy(const half* in, float* out) {
    Rows rows;
    Columns columns;
    Sums sums;
    wmma::load_matrix_sync(rows, in, 16);
    wmma::load_matrix_sync(columns, in, 16);
    wmma::fill_fragment(sums, 0.0f);
    if (threadIdx.x < 16)
        for (auto& element : rows.x) element = half(2.0f);
    wmma::mma_sync(sums, rows, columns, sums);  // <-
    wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
}
PLANTED("half of the lanes change their elements, of which other lanes have a copy", "warp",
        "to values that differ") {
    Buffer<half> in(256, half(1.0f));
    Buffer<float> out(256);
    one_copy<<<1, 32>>>(in, out);
    out.read();
}

__global__ void stored_by_index(const half* in, float* out) {
    Rows rows;
    Columns columns;
    Sums sums;
    const unsigned lane = threadIdx.x;
    wmma::load_matrix_sync(rows, in, 16);
    wmma::load_matrix_sync(columns, in, 16);
    wmma::fill_fragment(sums, 0.0f);
    wmma::mma_sync(sums, rows, columns, sums);
    for (int i = 0; i < sums.num_elements; ++i) {
        const unsigned row = lane / 4 + i / 2 % 2 * 8, column = lane % 4 * 2 + i % 2 + i / 4 * 8;
        out[row * 16 + column] = 2 * sums.x[i];  // <-
    }
}
PLANTED("the sums are stored by the layout of mma.sync", "warp",
        "at a place that assumes which element of the matrix it is") {
    Buffer<half> in(256, half(1.0f));
    Buffer<float> out(256);
    stored_by_index<<<1, 32>>>(in, out);
    out.read();
}

CHECKS_MAIN("planted_tensor")
