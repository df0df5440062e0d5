// Planted mistakes in programs whose kernels launch kernels. Needs relocatable device code: nvcc -rdc=true.
#include "checks.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace {

/// Hides from nvcc where a pointer comes from, because nvcc itself warns about some of these mistakes.
__device__ int* hidden(int* pointer) {
    int* volatile copy = pointer;
    return copy;
}

}  // namespace

__global__ void write_result(int* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void read_result_of_child(int* data, int* out) {
    if (threadIdx.x == 0) write_result<<<1, 32>>>(data);
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
PLANTED("the parent reads what its child writes", "race", "cudaStreamTailLaunch") {
    Buffer<int> data(32), out(32);
    read_result_of_child<<<1, 32>>>(data, out);
}

__global__ void write_result_unset(int* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void read_result_unset(int* data, int* out) {
    if (threadIdx.x == 0) write_result_unset<<<1, 32>>>(data);
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
PLANTED("the same in memory that nobody had written: a race, not an uninitialised read", "race",
        "a parent cannot see writes") {
    int* data;
    cudaMalloc(&data, 32 * sizeof(int));
    Buffer<int> out(32);
    read_result_unset<<<1, 32>>>(data, out);
    cudaDeviceSynchronize();
    cudaFree(data);
}

__global__ void sum_tile(const int* data, int* out) {
    for (int i = 0; i < 64; ++i) *out += data[i];  // <-
}
__global__ void launch_before_barrier(int* data, int* out) {
    data[threadIdx.x] = static_cast<int>(threadIdx.x);  // <-
    if (threadIdx.x == 0) sum_tile<<<1, 1>>>(data, out);
}
PLANTED("no barrier between the block's writes and the launch", "race", "before the launch") {
    Buffer<int> data(64), out(1);
    launch_before_barrier<<<1, 64>>>(data, out);
}

__global__ void take_argument(const int* data, int* out) {
    *out = *data;  // <-
}
__global__ void write_after_launch(int* data, int* out) {
    take_argument<<<1, 1>>>(data, out);
    *data = 5;  // <-
}
PLANTED("the parent writes after the launch", "race", "of `write_after_launch`") {
    Buffer<int> data(1), out(1);
    write_after_launch<<<1, 1>>>(data, out);
}

__global__ void gather_blocks(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
__global__ void launch_for_other_blocks(int* data, int* out) {
    data[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // <-
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) gather_blocks<<<1, 128>>>(data, out);
}
PLANTED("a block's barrier says nothing of the other blocks", "race", "a child sees") {
    Buffer<int> data(128), out(128);
    launch_for_other_blocks<<<2, 64>>>(data, out);
}

__global__ void count_plainly(int* counter) {
    ++*counter;  // <-
}
__global__ void fire_two(int* counter) {
    count_plainly<<<1, 1, 0, cudaStreamFireAndForget>>>(counter);
    count_plainly<<<1, 1, 0, cudaStreamFireAndForget>>>(counter);
}
PLANTED("siblings fired and forgotten", "race", "launch both into the same stream") {
    Buffer<int> counter(1);
    fire_two<<<1, 1>>>(counter);
}

__global__ void store_index(int* cell, int value) {
    *cell = value;  // <-
}
__global__ void each_block_launches(int* cell) {
    store_index<<<1, 1>>>(cell, static_cast<int>(blockIdx.x) + 1);
}
PLANTED("default streams of two blocks", "race", "nothing orders") {
    Buffer<int> cell(1);
    each_block_launches<<<2, 1>>>(cell);
}

__global__ void add_row(const float* values, float* y, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += values[i];
    y[blockIdx.y] = sum;  // <-
}
__global__ void row_per_thread(const float* values, float* y, int n) {
    add_row<<<1, 1, 0, cudaStreamFireAndForget>>>(values + threadIdx.x * static_cast<unsigned>(n), y, n);
}
PLANTED("y[blockIdx.y] is y[0] in every child", "race", "`add_row`") {
    std::vector<float> ramp(32);
    for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<float>(i);
    Buffer<float> values(ramp), y(4);
    row_per_thread<<<1, 4>>>(values, y, 8);
}

__global__ void write_grandchild(int* data) {
    data[threadIdx.x] = 2;  // <-
}
__global__ void launch_grandchild(int* data) {
    write_grandchild<<<1, 8>>>(data);
}
__global__ void read_beside(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
__global__ void grandparent(int* data, int* out) {
    launch_grandchild<<<1, 1, 0, cudaStreamFireAndForget>>>(data);
    read_beside<<<1, 8>>>(data, out);
}
PLANTED("a grandchild and its parent's sibling", "race", "nothing orders") {
    Buffer<int> data(8), out(8);
    grandparent<<<1, 1>>>(data, out);
}

__global__ void read_unset(const int* data, int* out) {
    *out = data[3];  // <-
}
__global__ void launch_reader(const int* data, int* out) {
    read_unset<<<1, 1>>>(data, out);
}
PLANTED("a child reads what nobody has written", "uninitialised", "`read_unset`") {
    int* data;
    cudaMalloc(&data, 32 * sizeof(int));
    Buffer<int> out(1);
    launch_reader<<<1, 1>>>(data, out);
    cudaDeviceSynchronize();
    cudaFree(data);
}

__global__ void write_past_end(int* data, int n) {
    data[n + static_cast<int>(threadIdx.x)] = 1;  // <-
}
__global__ void launch_overrun(int* data, int n) {
    write_past_end<<<1, 4>>>(data, n);
}
PLANTED("a child writes past the end", "address", "of `write_past_end`") {
    Buffer<int> data(64);
    launch_overrun<<<1, 1>>>(data, 64);
}

// ---- pointers to memory that is not global ----

__global__ void read_through(const int* values, int* out) {
    out[threadIdx.x] = values[threadIdx.x];
}
__global__ void hand_out_shared(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) read_through<<<1, 32>>>(hidden(tile), out);  // <-
}
PLANTED("a pointer to shared memory as argument", "address", "points to `tile[0]` (shared)") {
    Buffer<int> out(32);
    hand_out_shared<<<1, 32>>>(out);
}

__global__ void hand_out_local(int* out) {
    int sum = static_cast<int>(threadIdx.x);
    read_through<<<1, 1>>>(hidden(&sum), out);  // <-
}
PLANTED("a pointer to a local variable as argument", "address", "a local variable") {
    Buffer<int> out(1);
    hand_out_local<<<1, 1>>>(out);
}

__global__ void copy_from_shared(int* out) {
    __shared__ int tile[8];
    if (threadIdx.x < 8) tile[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        cudaMemcpyAsync(out, hidden(tile), sizeof tile, cudaMemcpyDeviceToDevice, nullptr);  // <-
}
PLANTED("a device copy from shared memory", "address", "only global memory") {
    Buffer<int> out(8);
    copy_from_shared<<<1, 32>>>(out);
}

// ---- streams ----

__global__ void launch_into(cudaStream_t stream, int* cell) {
    add_row<<<1, 1, 0, stream>>>(nullptr, reinterpret_cast<float*>(cell), 0);  // <-
}
__global__ void lend_stream(int* cell) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    launch_into<<<1, 1>>>(stream, cell);
}
PLANTED("a stream that another grid created", "argument", "only the grid that creates a device stream") {
    Buffer<int> cell(1);
    lend_stream<<<1, 1>>>(cell);
}

__global__ void overwrite_copied(int* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void copy_beside(int* data, int* copy) {
    cudaMemcpyAsync(copy, data, 32 * sizeof(int), cudaMemcpyDeviceToDevice, nullptr);  // <-
    overwrite_copied<<<1, 32, 0, cudaStreamFireAndForget>>>(data);
}
PLANTED("a device copy beside a kernel that writes its source", "race", "cudaMemcpyAsync") {
    Buffer<int> data(32), copy(32);
    copy_beside<<<1, 1>>>(data, copy);
}

#ifdef KIT_CPU  // nvcc does not compile the first one, and a GPU does not detect the second one

__global__ void wait_for_child(int* data) {
    if (threadIdx.x == 0) {
        write_result<<<1, 32>>>(data);
        cudaDeviceSynchronize();  // <-
    }
}
PLANTED("a kernel waits for its children", "host_api", "cudaStreamTailLaunch") {
    Buffer<int> data(32);
    wait_for_child<<<1, 32>>>(data);
}

__global__ void never_converge(int* rounds) {
    ++*rounds;
    never_converge<<<1, 1, 0, cudaStreamTailLaunch>>>(rounds);
}
PLANTED("a loop of tail launches without an end", "timeout",
        "Check the condition that ends the chain of launches") {
    kit::cpu::set_kernel_time_limit(0.1);
    Buffer<int> rounds(1);
    never_converge<<<1, 1>>>(rounds);  // <-
    cudaDeviceSynchronize();
    kit::cpu::set_kernel_time_limit(10);
}

#endif

__global__ void sibling_without_fence(int* mine, const int* both, int* ticket, int* sum) {
    *mine = 1;  // <-
    if (atomicAdd(ticket, 1) == 0) return;
    __threadfence();
    *sum = both[0] + both[1];  // <-
}
__global__ void launch_siblings(int* data, int* ticket, int* sum) {
    sibling_without_fence<<<1, 1, 0, cudaStreamFireAndForget>>>(data, data, ticket, sum);
    sibling_without_fence<<<1, 1, 0, cudaStreamFireAndForget>>>(data + 1, data, ticket, sum);
}
PLANTED("two children and a ticket, without a fence", "race", "") {
    Buffer<int> data(2), ticket(1), sum(1);
    launch_siblings<<<1, 1>>>(data, ticket, sum);
}

// ---- known gaps ----

struct View {
    const int* values;
};
__global__ void read_view(View view, int* out) {
    __shared__ int mine[32];
    mine[threadIdx.x] = 0;
    __syncthreads();
    out[threadIdx.x] = view.values[threadIdx.x] + mine[threadIdx.x];
}
__global__ void hand_out_in_struct(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x] = 1;
    __syncthreads();
    View view{hidden(tile)};
    if (threadIdx.x == 0) read_view<<<1, 32>>>(view, out);
}
KNOWN_GAP("a pointer to shared memory in a struct", "only arguments that are pointers are looked at") {
    Buffer<int> out(32);
    hand_out_in_struct<<<1, 32>>>(out);
}

CHECKS_MAIN("planted_children")
