// Reports name the element that the mistake is about, as the source would write it.
#include "checks.cuh"

__global__ void neighbour(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x] = 1;                    // <-
    if (threadIdx.x == 0) tile[0] = tile[3];  // <-
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("an element of a shared array", "race", "race on `tile[3]` (shared)") {
    Buffer<int> out(32);
    neighbour<<<1, 32>>>(out);
}

__global__ void transposed(float* out) {
    __shared__ float tile[4][5];
    tile[threadIdx.y][threadIdx.x] = 1;                             // <-
    if (threadIdx.x == 0 && threadIdx.y == 0) out[0] = tile[3][2];  // <-
}
PLANTED("an element of rows", "race", "race on `tile[3][2]` (shared)") {
    Buffer<float> out(1);
    transposed<<<1, dim3(4, 4)>>>(out);
}

struct Pair {
    float x, y;
    int owner[2];
};
__global__ void members(Pair* out) {
    __shared__ Pair pair[8];
    pair[threadIdx.x].x = 1;
    pair[threadIdx.x].y = 2;  // <-
    pair[threadIdx.x].owner[1] = 3;
    if (threadIdx.x == 0) out[0].x = pair[2].y;  // <-
}
PLANTED("a member of a struct", "race", "race on `pair[2].y` (shared)") {
    Buffer<Pair> out(8);
    members<<<1, 8>>>(out);
}

__global__ void member_of_member(Pair* pairs) {
    pairs[threadIdx.x].owner[1] = 3;                                           // <-
    if (threadIdx.x == 0) pairs[0].x = static_cast<float>(pairs[5].owner[1]);  // <-
}
PLANTED("an element of a member", "race",
        "race on `pairs[5].owner[1]` of the 128 bytes allocated by cudaMalloc") {
    Pair* pairs = nullptr;
    cudaMalloc(&pairs, 8 * sizeof(Pair));
    cudaMemset(pairs, 0, 8 * sizeof(Pair));
    member_of_member<<<1, 8>>>(pairs);
}

template <class T>
struct Tagged {
    T value;
    unsigned tag : 3;
    T after;
};
__global__ void of_template(double* out) {
    __shared__ Tagged<double> tagged[4];
    tagged[threadIdx.x].after = 1;                   // <-
    if (threadIdx.x == 0) out[0] = tagged[3].after;  // <-
}
PLANTED("a member of a class template", "race", "race on `tagged[3].after` (shared)") {
    Buffer<double> out(1);
    of_template<<<1, 4>>>(out);
}

__global__ void vectors(float4* out) {
    __shared__ float4 quad[16];
    quad[threadIdx.x].z = 1;                     // <-
    if (threadIdx.x == 0) out[0].x = quad[9].z;  // <-
}
PLANTED("a component of a vector", "race", "race on `quad[9].z` (shared)") {
    Buffer<float4> out(16);
    vectors<<<1, 16>>>(out);
}

__global__ void whole_vectors(const float4* in, float4* out) {
    __shared__ float4 quad[16];
    quad[threadIdx.x] = in[threadIdx.x];     // <-
    if (threadIdx.x == 0) out[0] = quad[9];  // <-
}
PLANTED("a vector that is used whole", "race", "race on `quad[9]` (shared)") {
    Buffer<float4> in(16), out(16);
    whole_vectors<<<1, 16>>>(in, out);
}

__global__ void one_value(int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 1;  // <-
    out[threadIdx.x] = count;         // <-
}
PLANTED("a variable that is no array", "race", "race on `count` (shared)") {
    Buffer<int> out(32);
    one_value<<<1, 32>>>(out);
}

__global__ void dynamic_tile(float* out) {
    extern __shared__ float cells[];
    cells[threadIdx.x] = 1;                   // <-
    if (threadIdx.x == 0) out[0] = cells[7];  // <-
}
PLANTED("dynamic shared memory", "race", "race on `cells[7]` (shared)") {
    Buffer<float> out(1);
    dynamic_tile<<<1, 32, 32 * sizeof(float)>>>(out);
}

__global__ void raw_bytes(float* out) {
    extern __shared__ unsigned char raw[];
    float* const values = reinterpret_cast<float*>(raw);
    values[threadIdx.x] = 1;                   // <-
    if (threadIdx.x == 0) out[0] = values[7];  // <-
}
PLANTED("single bytes used as something wider", "race", "race on byte 28 of `raw` (shared)") {
    Buffer<float> out(1);
    raw_bytes<<<1, 32, 32 * sizeof(float)>>>(out);
}

__device__ void first_view() {
    extern __shared__ int counts[];
    counts[threadIdx.x] = 1;  // <-
}
__global__ void two_views(float* out) {
    extern __shared__ float sums[];
    first_view();
    if (threadIdx.x == 0) out[0] = sums[7];  // <-
}
PLANTED("dynamic shared memory with two names", "race", "race on byte 28 of `extern __shared__` (shared)") {
    Buffer<float> out(1);
    two_views<<<1, 32, 32 * sizeof(float)>>>(out);
}

__global__ void of_another_type(const float* in, int* out) {
    out[0] = static_cast<int>(in[32]);  // <-
}
PLANTED("behind the end", "address",
        "`d_in[32]`, right after the end of the 128 bytes allocated by cudaMalloc") {
    float* d_in = nullptr;
    cudaMalloc(&d_in, 32 * sizeof(float));
    cudaMemset(d_in, 0, 32 * sizeof(float));
    Buffer<int> out(1);
    of_another_type<<<1, 1>>>(d_in, out);
}

__global__ void reads_all(const double* in, double* out) {
    out[threadIdx.x] = in[threadIdx.x];  // <-
}
PLANTED("an element that nobody has written", "uninitialised", "reads `d_in[5]` of the 64 bytes") {
    double* d_in = nullptr;
    cudaMalloc(&d_in, 8 * sizeof(double));
    cudaMemset(d_in, 0, 5 * sizeof(double));
    cudaMemset(d_in + 6, 0, 2 * sizeof(double));
    Buffer<double> out(8);
    reads_all<<<1, 8>>>(d_in, out);
}
__global__ void reads_all_again(const double* in, double* out) {
    out[threadIdx.x] = in[threadIdx.x];  // <-
}
PLANTED("memory without a type", "uninitialised", "reads byte 40 of the 64 bytes") {
    void* untyped = nullptr;
    cudaMalloc(&untyped, 8 * sizeof(double));
    cudaMemset(untyped, 0, 5 * sizeof(double));
    cudaMemset(static_cast<double*>(untyped) + 6, 0, 2 * sizeof(double));
    Buffer<double> out(8);
    reads_all_again<<<1, 8>>>(static_cast<double*>(untyped), out);
}

__device__ int histogram[4][8];
__global__ void count_twice() {
    histogram[threadIdx.x % 4][5] += 1;  // <-
}
PLANTED("a __device__ array", "race", "race on `histogram[0][5]`") {
    count_twice<<<1, 5>>>();
}

namespace weather {
struct Station {
    float low, high;
};
static __device__ Station stations[4];
__global__ void warm() {
    stations[2].high += static_cast<float>(threadIdx.x);  // <-
}
}  // namespace weather
PLANTED("a member of a __device__ array", "race", "race on `weather::stations[2].high`") {
    weather::warm<<<1, 2>>>();
}

__constant__ float weights[2][4];
__global__ void write_weights() {
#ifdef KIT_CPU                              // nvcc detects this mistake itself
    const_cast<float&>(weights[1][2]) = 1;  // <-
#endif
}
PLANTED("a __constant__ array", "constant", "this is `weights[1][2]`, a __constant__ variable") {
    write_weights<<<1, 1>>>();
}

__global__ void wide_load(const float* in, float2* out) {
    out[threadIdx.x] = *reinterpret_cast<const float2*>(in + 1 + 2 * threadIdx.x);  // <-
}
PLANTED("a misaligned vector", "misaligned", "the address of `d_in[") {
    float* d_in = nullptr;
    cudaMalloc(&d_in, 16 * sizeof(float));
    cudaMemset(d_in, 0, 16 * sizeof(float));
    Buffer<float2> out(4);
    wide_load<<<1, 4>>>(d_in, out);
}

__global__ void before(int* out, int left) {
    __shared__ int tile[4][8];
    tile[threadIdx.x / 8][threadIdx.x % 8] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[0][left];  // <-
}
PLANTED("before the start of shared memory", "address",
        "`tile[-1][6]`, 8 bytes before the shared memory of the block") {
    Buffer<int> out(32);
    before<<<1, 32>>>(out, -2);
}

CHECKS_MAIN("planted_elements")
