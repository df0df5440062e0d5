// Lines of the L2 cache that are read after a discard, or discarded too early: one planted mistake each.
#include <cuda/annotated_ptr>

#include "checks.cuh"

/// Device memory that fills two lines of the L2 cache, or more if requested.
constexpr int line = 32;  // number of floats in a cache line

__global__ void read_back(float* scratch, float* out) {
    const int t = static_cast<int>(threadIdx.x);
    scratch[t] = static_cast<float>(t);
    __syncwarp();
    if (t == 0) cuda::discard_memory(scratch, 128);
    __syncwarp();
    out[t] = scratch[t];  // <-
}
PLANTED("a line is read after it was discarded", "discarded", "but it was discarded at line") {
    Buffer<float> scratch(line), out(line);
    read_back<<<1, line>>>(scratch, out);
}

__global__ void use_and_discard(float* scratch) {
    scratch[threadIdx.x] = 1.0f;
    __syncwarp();
    if (threadIdx.x == 0) cuda::discard_memory(scratch, 128);
}
__global__ void use_later(const float* scratch, float* out) {
    out[threadIdx.x] = scratch[threadIdx.x];  // <-
}
PLANTED("the next kernel reads what this one has discarded", "discarded", "`use_later`") {
    Buffer<float> scratch(line), out(line);
    use_and_discard<<<1, line>>>(scratch);
    use_later<<<1, line>>>(scratch, out);
}

__global__ void write_half(float* scratch) {
    if (threadIdx.x < 16) scratch[threadIdx.x] = 2.0f;
}
__global__ void use_whole(const float* scratch, float* out) {
    out[threadIdx.x] = scratch[threadIdx.x];  // <-
}
PLANTED("only half of a discarded line was written again", "discarded", "discarded") {
    Buffer<float> scratch(line), out(line);
    use_and_discard<<<1, line>>>(scratch);
    write_half<<<1, line>>>(scratch);
    use_whole<<<1, line>>>(scratch, out);
}

__global__ void discard_shifted(float* scratch) {
    cuda::discard_memory(scratch + 1, 128);
}
__global__ void use_next_line(const float* scratch, float* out) {
    *out = scratch[line];  // <-
}
PLANTED("128 bytes that begin one float late reach into the next line", "discarded", "so it has no value") {
    Buffer<float> scratch(2 * line, 1.0f), out(1);
    discard_shifted<<<1, 1>>>(scratch);
    use_next_line<<<1, 1>>>(scratch, out);
}

__global__ void discard_counter(int* counter) {
    cuda::discard_memory(counter, 128);
    atomicAdd(counter, 1);  // <-
}
PLANTED("an atomic on a discarded counter", "discarded", "discarded at line") {
    Buffer<int> counter(line);
    discard_counter<<<1, 1>>>(counter);
}

__global__ void read_annotated(float* scratch, float* out) {
    const cuda::annotated_ptr<float, cuda::access_property::persisting> kept(scratch);
    kept[0] = 1.0f;
    cuda::discard_memory(scratch, 128);
    out[0] = kept[0];  // <-
}
PLANTED("a discarded line is read through an annotated pointer", "discarded", "discarded at line") {
    Buffer<float> scratch(line), out(1);
    read_annotated<<<1, 1>>>(scratch, out);
}

__global__ void two_warps_one_line(float* scratch, float* out) {
    const int t = static_cast<int>(threadIdx.x);
    out[t] = scratch[t / 2];                              // <-
    if (t % 32 == 0) cuda::discard_memory(scratch, 128);  // <-
}
PLANTED("a warp discards a line that another warp still reads", "race", "discards it") {
    Buffer<float> scratch(line, 1.0f), out(64);
    two_warps_one_line<<<1, 64>>>(scratch, out);
}

__global__ void lanes_still_read(float* scratch, float* out) {
    out[threadIdx.x] = scratch[threadIdx.x];                   // <-
    if (threadIdx.x == 0) cuda::discard_memory(scratch, 128);  // <-
}
PLANTED("a lane discards a line that the others of its warp still read", "race", "no barrier between") {
    Buffer<float> scratch(line, 1.0f), out(line);
    lanes_still_read<<<1, line>>>(scratch, out);
}

__global__ void discard_before_writers(float* scratch) {
    if (threadIdx.x == 63) cuda::discard_memory(scratch, 128);  // <-
    if (threadIdx.x < 32) scratch[threadIdx.x] = 3.0f;          // <-
}
PLANTED("a line is discarded while another warp writes it", "race", "discards it") {
    Buffer<float> scratch(line, 1.0f);
    discard_before_writers<<<1, 64>>>(scratch);
}

__global__ void barrier_too_late(float* scratch, float* out) {
    const int t = static_cast<int>(threadIdx.x);
    out[t] = scratch[t];                                 // <-
    if (t == 0) cuda::discard_memory(scratch, 2 * 128);  // <-
    __syncthreads();
}
PLANTED("the barrier stands behind the discard", "race", "no barrier between") {
    Buffer<float> scratch(2 * line, 1.0f), out(2 * line);
    barrier_too_late<<<1, 2 * line>>>(scratch, out);
}

__global__ void halo_of_neighbour(float* scratch, float* out) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const float right = i + 1 < static_cast<int>(gridDim.x * blockDim.x) ? scratch[i + 1] : 0.0f;  // <-
    out[i] = right;
    __syncthreads();
    if (threadIdx.x == 0) cuda::discard_memory(scratch + i, 128);  // <-
}
PLANTED("a block discards the halo of its neighbour", "race", "block (") {
    Buffer<float> scratch(2 * line, 1.0f), out(2 * line);
    halo_of_neighbour<<<2, line>>>(scratch, out);
}

__global__ void discard_elsewhere(float* scratch) {
    cuda::discard_memory(scratch, 128);  // <-
}
__global__ void read_elsewhere(const float* scratch, float* out) {
    out[threadIdx.x] = scratch[threadIdx.x];  // <-
}
PLANTED("one stream discards what another one reads", "race", "nothing orders the two kernels") {
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    Buffer<float> scratch(line, 1.0f), out(line);
    cudaDeviceSynchronize();
    read_elsewhere<<<1, line, 0, a>>>(scratch, out);
    discard_elsewhere<<<1, 1, 0, b>>>(scratch);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

__global__ void discard_too_much(float* scratch) {
    cuda::discard_memory(scratch, 3 * 128);  // <-
}
PLANTED("more is discarded than was allocated", "address", "discards memory") {
    Buffer<float> scratch(2 * line);
    discard_too_much<<<1, 1>>>(scratch);
}

__global__ void discard_shared(float* out) {
    __shared__ float tile[line];
    tile[threadIdx.x] = 1.0f;
    cuda::discard_memory(tile, 128);  // <-
    out[threadIdx.x] = 0.0f;
}
PLANTED("shared memory is discarded", "argument", "is not in the L2 cache") {
    Buffer<float> out(line);
    discard_shared<<<1, line>>>(out);
}

__global__ void persist_shared(float* out) {
    __shared__ float tile[line];
    tile[threadIdx.x] = 1.0f;
    cuda::apply_access_property(tile, 128, cuda::access_property::persisting{});  // <-
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("shared memory is to persist", "argument", "cuda::apply_access_property()") {
    Buffer<float> out(line);
    persist_shared<<<1, line>>>(out);
}

__global__ void persist_too_much(const float* data) {
    cuda::apply_access_property(data, 129, cuda::access_property::persisting{});  // <-
}
PLANTED("one byte too many is to persist", "address", "sets a property of 129 bytes") {
    Buffer<float> data(line);
    persist_too_much<<<1, 1>>>(data);
}

__global__ void fresh_again(const float* scratch, float* out) {
    *out = *scratch;  // <-
}
PLANTED("of memory allocated anew nobody says that it was discarded", "uninitialised",
        "nothing has written") {
    float* scratch = nullptr;
    cudaMalloc(&scratch, 128);
    use_and_discard<<<1, line>>>(scratch);
    cudaFree(scratch);
    Buffer<float> out(1);
    cudaMalloc(&scratch, 128);
    fresh_again<<<1, 1>>>(scratch, out);
    cudaFree(scratch);
}

CHECKS_MAIN("planted_cache")
