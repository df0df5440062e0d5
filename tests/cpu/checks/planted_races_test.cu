// Races within one block. In each kernel, one barrier, one __syncwarp() or one atomic is missing.
#include "checks.cuh"

// ---- shared memory across the warps of a block ----

__global__ void reverse_shared(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);  // <-
    out[threadIdx.x] = tile[63 - threadIdx.x];          // <-
}
PLANTED("a tile is read backwards without a barrier", "race", "no barrier") {
    Buffer<int> out(64);
    reverse_shared<<<1, 64>>>(out);
}

__global__ void tree_without_barrier(const int* in, int* out) {
    __shared__ int partial[128];
    partial[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (unsigned stride = 64; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];  // <-
    }
    if (threadIdx.x == 0) *out = partial[0];
}
PLANTED("a tree reduction without a barrier in its loop", "race", "race on `partial[") {
    Buffer<int> in(128, 1), out(1);
    tree_without_barrier<<<1, 128>>>(in, out);
}

__global__ void tile_reused(const int* in, int* out, int tiles) {
    __shared__ int tile[64];
    int sum = 0;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = in[k * 64 + threadIdx.x];  // <-
        __syncthreads();
        sum += tile[63 - threadIdx.x];  // <-
    }
    out[threadIdx.x] = sum;
}
PLANTED("a tile is filled again before all have read it", "race", "no barrier") {
    Buffer<int> in(256, 1), out(64);
    tile_reused<<<1, 64>>>(in, out, 4);
}

__global__ void single_buffer_rotates(int* out) {
    __shared__ int ring[2][64];
    ring[0][threadIdx.x] = ring[1][threadIdx.x] = 1;
    for (int step = 0; step < 3; ++step) {
        __syncthreads();
        const int now = step % 2;
        ring[now][threadIdx.x] += ring[now][(threadIdx.x + 1) % 64];  // <-
    }
    out[threadIdx.x] = ring[0][threadIdx.x];
}
PLANTED("double buffering that writes the buffer it reads", "race", "race on `ring[") {
    Buffer<int> out(64);
    single_buffer_rotates<<<1, 64>>>(out);
}

__global__ void scan_in_place(int* data) {
    __shared__ int sums[64];
    sums[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    for (unsigned reach = 1; reach < 64; reach *= 2) {
        int left = 0;
        if (threadIdx.x >= reach) left = sums[threadIdx.x - reach];  // <-
        sums[threadIdx.x] += left;                                   // <-
        __syncthreads();
    }
    data[threadIdx.x] = sums[threadIdx.x];
}
PLANTED("an in-place scan with one barrier in each step", "race", "no barrier") {
    Buffer<int> data(64, 1);
    scan_in_place<<<1, 64>>>(data);
}

__global__ void broadcast_unordered(int* out) {
    __shared__ int value;
    if (threadIdx.x == 0) value = 42;  // <-
    out[threadIdx.x] = value;          // <-
}
PLANTED("one thread sets what all read, without a barrier", "race", "`value`") {
    Buffer<int> out(64);
    broadcast_unordered<<<1, 64>>>(out);
}

__global__ void all_write_one(int* out) {
    __shared__ unsigned last;
    last = threadIdx.x;  // <-
    __syncthreads();
    out[threadIdx.x] = static_cast<int>(last);
}
PLANTED("all threads write different values to one place", "race", "writes it") {
    Buffer<int> out(64);
    all_write_one<<<1, 64>>>(out);
}

__global__ void count_plainly(const int* in, int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0) ++count;  // <-
    __syncthreads();
    if (threadIdx.x == 0) *out = count;
}
PLANTED("a counter without an atomic", "race", "race on `count` (shared)") {
    Buffer<int> in(64, 1), out(1);
    count_plainly<<<1, 64>>>(in, out);
}

__global__ void histogram_plain(const unsigned char* in, int* out) {
    __shared__ int bins[4];
    if (threadIdx.x < 4) bins[threadIdx.x] = 0;
    __syncthreads();
    bins[in[threadIdx.x] % 4]++;  // <-
    __syncthreads();
    if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}
PLANTED("a histogram whose bins are not atomic", "race", "race on `bins[") {
    Buffer<unsigned char> in(std::vector<unsigned char>(64, 2));
    Buffer<int> out(4);
    histogram_plain<<<1, 64>>>(in, out);
}

__global__ void histogram_cleared_late(const unsigned char* in, int* out) {
    __shared__ int bins[4];
    if (threadIdx.x < 4) bins[threadIdx.x] = 0;  // <-
    atomicAdd(&bins[in[threadIdx.x] % 4], 1);    // <-
    __syncthreads();
    if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}
PLANTED("a histogram without a barrier after its bins are cleared", "race",
        "only one of the two accesses is atomic") {
    Buffer<unsigned char> in(std::vector<unsigned char>(64, 2));
    Buffer<int> out(4);
    histogram_cleared_late<<<1, 64>>>(in, out);
}

__global__ void histogram_read_early(const unsigned char* in, int* out) {
    __shared__ int bins[4];
    if (threadIdx.x < 4) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x] % 4], 1);                   // <-
    if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];  // <-
}
PLANTED("a histogram without a barrier before its bins are read", "race",
        "only one of the two accesses is atomic") {
    Buffer<unsigned char> in(std::vector<unsigned char>(64, 2));
    Buffer<int> out(4);
    histogram_read_early<<<1, 64>>>(in, out);
}

__global__ void halves_of_a_word(int* out) {
    __shared__ short pairs[64];
    int* words = reinterpret_cast<int*>(pairs);
    pairs[threadIdx.x] = static_cast<short>(threadIdx.x);                     // <-
    if (threadIdx.x < 32) out[threadIdx.x] = words[(threadIdx.x + 16) % 32];  // <-
}
PLANTED("halves are written, whole words are read", "race", "no barrier") {
    Buffer<int> out(32);
    halves_of_a_word<<<1, 64>>>(out);
}

__global__ void bytes_shifted(char* data) {
    __shared__ char text[64];
    text[threadIdx.x] = static_cast<char>(threadIdx.x);
    __syncthreads();
    if (threadIdx.x < 63) text[threadIdx.x] = text[threadIdx.x + 1];  // <-
    __syncthreads();
    data[threadIdx.x] = text[threadIdx.x];
}
PLANTED("bytes are shifted in place", "race", "race on `text[") {
    Buffer<char> data(64);
    bytes_shifted<<<1, 64>>>(data);
}

struct Particle {
    float position, speed;
};
__global__ void fields_crossed(float* out) {
    __shared__ Particle all[64];
    all[threadIdx.x].position = 1;
    all[threadIdx.x].speed = static_cast<float>(threadIdx.x);  // <-
    out[threadIdx.x] = all[63 - threadIdx.x].speed;            // <-
}
PLANTED("another thread's field without a barrier", "race", "].speed` (shared)") {
    Buffer<float> out(64);
    fields_crossed<<<1, 64>>>(out);
}

__global__ void dynamic_tile(int* out) {
    extern __shared__ int cells[];
    cells[threadIdx.x] = static_cast<int>(threadIdx.x);  // <-
    out[threadIdx.x] = cells[(threadIdx.x + 32) % 64];   // <-
}
PLANTED("dynamic shared memory without a barrier", "race", "race on `cells[") {
    Buffer<int> out(64);
    dynamic_tile<<<1, 64, 64 * sizeof(int)>>>(out);
}

__global__ void matrix_transposed(const float* in, float* out) {
    __shared__ float tile[8][8];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 8 + threadIdx.x];   // <-
    out[threadIdx.y * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];  // <-
}
PLANTED("a tile transpose in a block of 8 by 8", "race", "race on `tile[") {
    Buffer<float> in(64, 1.0f), out(64);
    matrix_transposed<<<1, dim3(8, 8)>>>(in, out);
}

template <class T>
__global__ void rotate(T* out) {
    __shared__ T ring[64];
    ring[threadIdx.x] = static_cast<T>(threadIdx.x);  // <-
    out[threadIdx.x] = ring[(threadIdx.x + 1) % 64];  // <-
}
PLANTED("a template without a barrier", "race", "race on `ring[") {
    Buffer<double> out(64);
    rotate<double><<<1, 64>>>(out);
}

__device__ void store(int* place, int value) {
    *place = value;  // <-
}
__device__ int load(const int* place) {
    return *place;  // <-
}
__global__ void through_functions(int* out) {
    __shared__ int tile[64];
    store(&tile[threadIdx.x], 1);
    out[threadIdx.x] = load(&tile[63 - threadIdx.x]);
}
PLANTED("the accesses are in device functions", "race", "race on `tile[") {
    Buffer<int> out(64);
    through_functions<<<1, 64>>>(out);
}

__global__ void barrier_of_half(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);  // <-
    __syncwarp();
    out[threadIdx.x] = tile[63 - threadIdx.x];  // <-
}
PLANTED("__syncwarp() where two warps must meet", "race", "no barrier") {
    Buffer<int> out(64);
    barrier_of_half<<<1, 64>>>(out);
}

__global__ void fence_is_no_barrier(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);  // <-
    __threadfence_block();
    out[threadIdx.x] = tile[63 - threadIdx.x];  // <-
}
PLANTED("a fence where a barrier is needed", "race", "no barrier") {
    Buffer<int> out(64);
    fence_is_no_barrier<<<1, 64>>>(out);
}

// ---- within one warp ----

__global__ void warp_neighbour(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);  // <-
    out[threadIdx.x] = tile[31 - threadIdx.x];          // <-
}
PLANTED("lanes read each other's values without __syncwarp()", "race", "no barrier") {
    Buffer<int> out(32);
    warp_neighbour<<<1, 32>>>(out);
}

__global__ void warp_tree(const int* in, int* out) {
    __shared__ int partial[64];
    partial[threadIdx.x] = in[threadIdx.x];
    partial[threadIdx.x + 32] = in[threadIdx.x + 32];
    __syncthreads();
    for (unsigned stride = 32; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];  // <-
    }
    if (threadIdx.x == 0) *out = partial[0];
}
PLANTED("a warp-synchronous reduction without __syncwarp()", "race", "race on `partial[") {
    Buffer<int> in(64, 1), out(1);
    warp_tree<<<1, 32>>>(in, out);
}

__global__ void warp_tree_volatile(const int* in, int* out) {
    __shared__ int storage[64];
    volatile int* partial = storage;
    partial[threadIdx.x] = in[threadIdx.x];
    partial[threadIdx.x + 32] = in[threadIdx.x + 32];
    __syncthreads();
    for (unsigned stride = 32; stride > 0; stride /= 2) {
        if (threadIdx.x < stride)
            partial[threadIdx.x] = partial[threadIdx.x] + partial[threadIdx.x + stride];  // <-
    }
    if (threadIdx.x == 0) *out = partial[0];
}
PLANTED("the volatile warp reduction of old books", "race", "race on `storage[") {
    Buffer<int> in(64, 1), out(1);
    warp_tree_volatile<<<1, 32>>>(in, out);
}

__global__ void half_warps_meet(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);  // <-
    __syncwarp(threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u);
    out[threadIdx.x] = tile[31 - threadIdx.x];  // <-
}
PLANTED("the two halves of a warp meet on their own", "race", "no barrier") {
    Buffer<int> out(32);
    half_warps_meet<<<1, 32>>>(out);
}

__global__ void shuffle_orders_nothing(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);  // <-
    const int lane =
        __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x), 31 - static_cast<int>(threadIdx.x));
    out[threadIdx.x] = tile[lane];  // <-
}
PLANTED("a shuffle where __syncwarp() is needed", "race", "no barrier") {
    Buffer<int> out(32);
    shuffle_orders_nothing<<<1, 32>>>(out);
}

__global__ void one_syncwarp_too_few(const int* in, int* out) {
    __shared__ int tile[32];
    int sum = 0;
    for (int k = 0; k < 3; ++k) {
        tile[threadIdx.x] = in[k * 32 + threadIdx.x];  // <-
        __syncwarp();
        sum += tile[31 - threadIdx.x];  // <-
    }
    out[threadIdx.x] = sum;
}
PLANTED("a warp's tile is filled again too early", "race", "no barrier") {
    Buffer<int> in(96, 1), out(32);
    one_syncwarp_too_few<<<1, 32>>>(in, out);
}

__global__ void leader_writes(int* out) {
    __shared__ int base;
    if (threadIdx.x == 31) base = 7;  // <-
    out[threadIdx.x] = base;          // <-
}
PLANTED("the last lane sets what its warp reads", "race", "`base`") {
    Buffer<int> out(32);
    leader_writes<<<1, 32>>>(out);
}

__global__ void counted_then_read(int* out) {
    __shared__ int arrived;
    if (threadIdx.x == 0) arrived = 0;
    __syncthreads();
    atomicAdd(&arrived, 1);                  // <-
    if (threadIdx.x == 0) out[0] = arrived;  // <-
}
PLANTED("thread 0 reads a counter that the others still raise", "race",
        "only one of the two accesses is atomic") {
    Buffer<int> out(1);
    counted_then_read<<<1, 64>>>(out);
}

__global__ void arrived_in_device_memory(int* arrived, int* out) {
    atomicAdd(arrived, 1);                    // <-
    if (threadIdx.x == 0) out[0] = *arrived;  // <-
}
PLANTED("thread 0 reads a global counter that others still raise", "race",
        "only one of the two accesses is atomic") {
    Buffer<int> arrived(1), out(1);
    arrived_in_device_memory<<<1, 64>>>(arrived, out);
}

__global__ void reader_left_out(int* out) {
    __shared__ int value;
    if (threadIdx.x == 0) value = 1;
    __syncthreads();
    out[threadIdx.x] = value;  // <-
    if (threadIdx.x < 2) {
        __syncwarp(3u);
        if (threadIdx.x == 0) value = 2;  // <-
    }
}
PLANTED("two lanes meet, a third still reads", "race", "`value`") {
    Buffer<int> out(32);
    reader_left_out<<<1, 32>>>(out);
}

CHECKS_MAIN("planted_races")
