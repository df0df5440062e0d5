// Near misses within one block: the barrier, the __syncwarp() or the atomic is there and just sufficient.
#include "checks.cuh"

using Ints = std::vector<int>;

// ---- shared memory across the warps of a block ----

__global__ void reverse_shared(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
SILENT("a tile is read backwards after a barrier") {
    Buffer<int> out(64);
    reverse_shared<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[0], 63);
}

__global__ void tree(const int* in, int* out) {
    __shared__ int partial[128];
    partial[threadIdx.x] = in[threadIdx.x];
    for (unsigned stride = 64; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    }
    if (threadIdx.x == 0) *out = partial[0];
}
SILENT("a tree reduction with one barrier a step") {
    Buffer<int> in(128, 1), out(1);
    tree<<<1, 128>>>(in, out);
    CHECK_EQUAL(out.read(), Ints{128});
}

__global__ void tree_own_value(const int* in, int* out) {
    __shared__ int partial[64];
    partial[threadIdx.x] = in[threadIdx.x];
    partial[threadIdx.x] *= 2;
    out[threadIdx.x] = partial[threadIdx.x];
}
SILENT("each thread uses its own element, without a barrier") {
    Buffer<int> in(64, 1), out(64);
    tree_own_value<<<1, 64>>>(in, out);
    CHECK_EQUAL(out.read()[5], 2);
}

__global__ void tile_reused(const int* in, int* out, int tiles) {
    __shared__ int tile[64];
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = in[k * 64 + threadIdx.x];
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
SILENT("a tile is filled again after two barriers") {
    Buffer<int> in(256, 1), out(64);
    tile_reused<<<1, 64>>>(in, out, 4);
    CHECK_EQUAL(out.read()[0], 4);
}

__global__ void double_buffer(int* out) {
    __shared__ int ring[2][64];
    ring[0][threadIdx.x] = 1;
    for (int step = 0; step < 3; ++step) {
        __syncthreads();
        const int now = step % 2;
        ring[1 - now][threadIdx.x] = ring[now][threadIdx.x] + ring[now][(threadIdx.x + 1) % 64];
    }
    out[threadIdx.x] = ring[1][threadIdx.x];
}
SILENT("double buffering with one barrier a step") {
    Buffer<int> out(64);
    double_buffer<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[0], 8);
}

__global__ void scan_in_place(int* data) {
    __shared__ int sums[64];
    sums[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    for (unsigned reach = 1; reach < 64; reach *= 2) {
        const int left = threadIdx.x >= reach ? sums[threadIdx.x - reach] : 0;
        __syncthreads();
        sums[threadIdx.x] += left;
        __syncthreads();
    }
    data[threadIdx.x] = sums[threadIdx.x];
}
SILENT("an in-place scan with two barriers in each step") {
    Buffer<int> data(64, 1);
    scan_in_place<<<1, 64>>>(data);
    CHECK_EQUAL(data.read()[63], 64);
}

__global__ void broadcast(int* out) {
    __shared__ int value;
    if (threadIdx.x == 17) value = 42;
    __syncthreads();
    out[threadIdx.x] = value;
}
SILENT("one thread sets what all read after a barrier") {
    Buffer<int> out(64);
    broadcast<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[63], 42);
}

__global__ void same_flag(const int* in, int* out) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0) found = 1;
    __syncthreads();
    if (threadIdx.x == 0) *out = found;
}
SILENT("many threads write the same value") {
    Buffer<int> in(64, 1), out(1);
    same_flag<<<1, 64>>>(in, out);
    CHECK_EQUAL(out.read(), Ints{1});
}

__global__ void histogram(const unsigned char* in, int* out) {
    __shared__ int bins[4];
    if (threadIdx.x < 4) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x] % 4], 1);
    __syncthreads();
    if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}
SILENT("a histogram with atomics between its barriers") {
    Buffer<unsigned char> in(std::vector<unsigned char>(64, 2));
    Buffer<int> out(4);
    histogram<<<1, 64>>>(in, out);
    CHECK_EQUAL(out.read(), Ints{0, 0, 64, 0});
}

__global__ void histogram_block_scope(const unsigned char* in, int* out) {
    __shared__ int bins[4];
    if (threadIdx.x < 4) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd_block(&bins[in[threadIdx.x] % 4], 1);
    __syncthreads();
    if (threadIdx.x < 4) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
SILENT("block scope within a block, device scope across blocks") {
    Buffer<unsigned char> in(std::vector<unsigned char>(64, 2));
    Buffer<int> out(4);
    histogram_block_scope<<<3, 64>>>(in, out);
    CHECK_EQUAL(out.read(), Ints{0, 0, 192, 0});
}

__global__ void mixed_scopes(int* out) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (threadIdx.x % 2) {
        atomicAdd(&sum, 1);
    } else {
        atomicAdd_block(&sum, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = sum;
}
SILENT("atomics of two scopes in one block reach each other") {
    Buffer<int> out(1);
    mixed_scopes<<<1, 64>>>(out);
    CHECK_EQUAL(out.read(), Ints{64});
}

// ---- disjoint bytes ----

__global__ void bytes_of_words(char* out) {
    __shared__ char text[64];
    text[threadIdx.x] = static_cast<char>(threadIdx.x);
    out[threadIdx.x] = text[threadIdx.x];
}
SILENT("neighbours write different bytes of one word") {
    Buffer<char> out(64);
    bytes_of_words<<<1, 64>>>(out);
    CHECK_EQUAL(static_cast<int>(out.read()[63]), 63);
}

__global__ void halves(short* out) {
    __shared__ short values[64];
    values[63 - threadIdx.x] = static_cast<short>(threadIdx.x);
    out[63 - threadIdx.x] = values[63 - threadIdx.x];
}
SILENT("neighbours write different halves of one word") {
    Buffer<short> out(64);
    halves<<<1, 64>>>(out);
    CHECK_EQUAL(static_cast<int>(out.read()[0]), 63);
}

__global__ void bytes_then_words(unsigned* out) {
    __shared__ unsigned words[16];
    auto* bytes = reinterpret_cast<unsigned char*>(words);
    bytes[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = words[15 - threadIdx.x];
    __syncthreads();
    bytes[63 - threadIdx.x] = 2;
}
SILENT("bytes, then words, then bytes, with barriers between") {
    Buffer<unsigned> out(16);
    bytes_then_words<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[3], 0x01010101u);
}

struct Mixed {
    char tag;
    char rest[3];
    float value;
};
__global__ void fields(float* out) {
    __shared__ Mixed cells[32];
    const unsigned cell = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        cells[cell].tag = 1;
        cells[cell].value = 2;
    } else {
        cells[cell].rest[1] = 3;
    }
    __syncthreads();
    if (threadIdx.x < 32) out[cell] = cells[cell].value + cells[cell].tag + cells[cell].rest[1];
}
SILENT("two warps write different fields of one struct") {
    Buffer<float> out(32);
    fields<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[31], 6.0f);
}

__global__ void stride_two(int* out) {
    __shared__ int cells[128];
    cells[2 * threadIdx.x] = 1;
    cells[2 * threadIdx.x + 1] = 2;
    out[threadIdx.x] = cells[2 * threadIdx.x] + cells[2 * threadIdx.x + 1];
}
SILENT("each thread has two elements of its own") {
    Buffer<int> out(64);
    stride_two<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[9], 3);
}

// ---- within one warp ----

__global__ void warp_reverse(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncwarp();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}
SILENT("lanes read each other's values after __syncwarp()") {
    Buffer<int> out(32);
    warp_reverse<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[0], 31);
}

__global__ void warp_tree(const int* in, int* out) {
    __shared__ int partial[64];
    partial[threadIdx.x] = in[threadIdx.x];
    partial[threadIdx.x + 32] = in[threadIdx.x + 32];
    __syncwarp();
    for (unsigned stride = 32; stride > 0; stride /= 2) {
        const int other = partial[threadIdx.x + (threadIdx.x < stride ? stride : 0)];
        __syncwarp();
        if (threadIdx.x < stride) partial[threadIdx.x] += other;
        __syncwarp();
    }
    if (threadIdx.x == 0) *out = partial[0];
}
SILENT("a warp-synchronous reduction with __syncwarp()") {
    Buffer<int> in(64, 1), out(1);
    warp_tree<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read(), Ints{64});
}

__global__ void last_warp_unrolled(const int* in, int* out) {
    __shared__ int partial[128];
    partial[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 64) partial[threadIdx.x] += partial[threadIdx.x + 64];
    __syncthreads();
    if (threadIdx.x < 32) {
        int sum = partial[threadIdx.x] + partial[threadIdx.x + 32];
        for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
        if (threadIdx.x == 0) *out = sum;
    }
}
SILENT("the last warp goes on with shuffles") {
    Buffer<int> in(128, 1), out(1);
    last_warp_unrolled<<<1, 128>>>(in, out);
    CHECK_EQUAL(out.read(), Ints{128});
}

__global__ void warps_on_their_own(int* out) {
    __shared__ int tile[4][32];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int step = 0; step < 3; ++step) {
        tile[warp][lane] = step + static_cast<int>(lane);
        __syncwarp();
        out[threadIdx.x] = tile[warp][31 - lane];
        __syncwarp();
    }
}
SILENT("each warp has a tile of its own and only __syncwarp()") {
    Buffer<int> out(128);
    warps_on_their_own<<<1, 128>>>(out);
    CHECK_EQUAL(out.read()[0], 33);
}

__global__ void half_warps(int* out) {
    __shared__ int tile[32];
    const bool low = threadIdx.x < 16;
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncwarp(low ? 0x0000ffffu : 0xffff0000u);
    out[threadIdx.x] = tile[(low ? 15 : 47) - threadIdx.x];
}
SILENT("each half of a warp meets and reads its own half") {
    Buffer<int> out(32);
    half_warps<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[16], 31);
}

__global__ void chain_of_meetings(int* out) {
    __shared__ int value;
    if (threadIdx.x == 0) value = 5;
    if (threadIdx.x < 2) __syncwarp(3u);
    if (threadIdx.x == 1 || threadIdx.x == 2) __syncwarp(6u);
    if (threadIdx.x == 2) *out = value;
}
SILENT("lane 0 meets lane 1, lane 1 meets lane 2") {
    Buffer<int> out(1);
    chain_of_meetings<<<1, 32>>>(out);
    CHECK_EQUAL(out.read(), Ints{5});
}

__global__ void warp_results(const int* in, int* out) {
    __shared__ int sums[4];
    int sum = in[threadIdx.x];
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) *out = sums[0] + sums[1] + sums[2] + sums[3];
}
SILENT("one value a warp, then a barrier") {
    Buffer<int> in(128, 1), out(1);
    warp_results<<<1, 128>>>(in, out);
    CHECK_EQUAL(out.read(), Ints{128});
}

__global__ void count_with_vote(const int* in, int* out) {
    const int all = __syncthreads_count(in[threadIdx.x] > 0);
    if (threadIdx.x == 0) *out = all;
}
SILENT("__syncthreads_count() needs no memory") {
    Buffer<int> in(64, 1), out(1);
    count_with_vote<<<1, 64>>>(in, out);
    CHECK_EQUAL(out.read(), Ints{64});
}

__global__ void vote_is_a_barrier(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 1;
    if (__syncthreads_or(threadIdx.x == 5)) out[threadIdx.x] = tile[63 - threadIdx.x];
}
SILENT("__syncthreads_or() orders memory, too") {
    Buffer<int> out(64);
    vote_is_a_barrier<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[0], 1);
}

__global__ void dynamic_halves(int* out) {
    extern __shared__ int cells[];
    int* first = cells;
    int* second = cells + 64;
    first[threadIdx.x] = 1;
    second[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = first[63 - threadIdx.x] + second[63 - threadIdx.x];
}
SILENT("two arrays in dynamic shared memory") {
    Buffer<int> out(64);
    dynamic_halves<<<1, 64, 128 * sizeof(int)>>>(out);
    CHECK_EQUAL(out.read()[0], 3);
}

CHECKS_MAIN("silent_races")
