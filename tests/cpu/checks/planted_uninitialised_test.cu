// Reads of uninitialized memory: one planted mistake each.
#include <cuda/atomic>

#include "checks.cuh"

/// Device memory with the contents that cudaMalloc leaves: uninitialized.
template <class T>
struct Raw {
    explicit Raw(std::size_t n) { cudaMalloc(&data, n * sizeof(T)); }
    ~Raw() { cudaFree(data); }
    operator T*() const { return data; }
    T* data = nullptr;
};

__global__ void copy(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];  // <-
}
PLANTED("the input was never filled", "uninitialised", "nothing has written") {
    Raw<int> in(32), out(32);
    copy<<<1, 32>>>(in, out);
}

__global__ void copy_partly_filled(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];  // <-
}
PLANTED("the last element was not copied", "uninitialised", "reads `data[31]` of the 128 bytes") {
    Raw<int> in(32), out(32);
    std::vector<int> host(31);
    cudaMemcpy(in, host.data(), 31 * sizeof(int), cudaMemcpyHostToDevice);
    copy_partly_filled<<<1, 32>>>(in, out);
}

__global__ void copy_half_a_word(const int* in, int* out) {
    *out = *in;  // <-
}
PLANTED("three bytes of an int were set", "uninitialised", "nothing has written") {
    Raw<int> in(1), out(1);
    cudaMemset(in, 0, 3);
    copy_half_a_word<<<1, 1>>>(in, out);
}

__global__ void copy_of_copy(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];  // <-
}
PLANTED("uninitialised memory, copied by cudaMemcpy", "uninitialised", "nothing has written") {
    Raw<int> first(32), second(32), out(32);
    cudaMemcpy(second, first, 32 * sizeof(int), cudaMemcpyDeviceToDevice);
    copy_of_copy<<<1, 32>>>(second, out);
}

__global__ void write_even(int* data) {
    data[2 * threadIdx.x] = 1;
}
__global__ void read_all(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
PLANTED("the previous kernel wrote only every second element", "uninitialised", "`read_all`") {
    Raw<int> data(64), out(64);
    write_even<<<1, 32>>>(data);
    read_all<<<1, 64>>>(data, out);
}

__global__ void add_up(int* sum) {
    atomicAdd(sum, 1);  // <-
}
PLANTED("an atomic on a sum that was not set to zero", "uninitialised", "nothing has written") {
    Raw<int> sum(1);
    add_up<<<1, 32>>>(sum);
}

__global__ void take_unset_lock(int* lock) {
    if (atomicExch(lock, 1) == 0) *lock = 0;  // <-
}
PLANTED("the old value of an exchange, in memory that was not set to zero", "uninitialised",
        "nothing has written") {
    Raw<int> lock(1);
    take_unset_lock<<<1, 1>>>(lock);
}

__global__ void keep_old_value(int* word, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(*word);
    const int old = flag.exchange(1);  // <-
    *out = old;
}
PLANTED("the same with cuda::atomic_ref", "uninitialised", "nothing has written") {
    Raw<int> word(1), out(1);
    keep_old_value<<<1, 1>>>(word, out);
}

__global__ void add_plainly(int* sums) {
    sums[threadIdx.x] += 1;  // <-
}
PLANTED("+= on memory that was not set to zero", "uninitialised", "reads") {
    Raw<int> sums(32);
    add_plainly<<<1, 32>>>(sums);
}

__global__ void read_after_free(const int* data, int* out) {
    *out = *data;  // <-
}
PLANTED("memory that was freed and allocated again is not the old one", "uninitialised",
        "nothing has written") {
    {
        Raw<int> old(64);
        cudaMemset(old, 0, 64 * sizeof(int));
    }
    Raw<int> data(64), out(1);
    read_after_free<<<1, 1>>>(data, out);
}

__global__ void bins_not_cleared(int* out) {
    __shared__ int bins[32];
    atomicAdd(&bins[threadIdx.x], 1);  // <-
    out[threadIdx.x] = bins[threadIdx.x];
}
PLANTED("shared bins that were not cleared", "uninitialised", "reads `bins[") {
    Buffer<int> out(32);
    bins_not_cleared<<<1, 32>>>(out);
}

__global__ void tail_not_padded(const int* in, int n, int* out) {
    __shared__ int tile[64];
    if (static_cast<int>(threadIdx.x) < n) tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 32];  // <-
}
PLANTED("a shared tile whose tail was not padded", "uninitialised", "reads `tile[") {
    Buffer<int> in(50, 1), out(32);
    tail_not_padded<<<1, 64>>>(in, 50, out);
}

__global__ void left_by_other_block(int* out) {
    __shared__ int value;
    if (blockIdx.x == 0) value = 1;
    __syncthreads();
    out[blockIdx.x * 32 + threadIdx.x] = value;  // <-
}
PLANTED("shared memory that another block has set", "uninitialised", "`value`") {
    Buffer<int> out(128);
    left_by_other_block<<<4, 32>>>(out);
}

__global__ void one_byte_missing(int* out) {
    __shared__ char bytes[4];
    __shared__ int sum;
    if (threadIdx.x < 3) bytes[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) sum = bytes[0] + bytes[1] + bytes[2] + bytes[3];  // <-
    __syncthreads();
    out[threadIdx.x] = sum;
}
PLANTED("the fourth byte of a word", "uninitialised", "reads `bytes[3]` (shared)") {
    Buffer<int> out(32);
    one_byte_missing<<<1, 32>>>(out);
}

struct Pair {
    int key, value;
};
__global__ void field_missing(int* out) {
    __shared__ Pair pairs[32];
    pairs[threadIdx.x].key = 1;
    __syncthreads();
    out[threadIdx.x] = pairs[threadIdx.x].value;  // <-
}
PLANTED("a field of a struct", "uninitialised", "].value` (shared)") {
    Buffer<int> out(32);
    field_missing<<<1, 32>>>(out);
}

__global__ void dynamic_unset(int* out) {
    extern __shared__ int cells[];
    cells[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x + 32];  // <-
}
PLANTED("the second half of dynamic shared memory", "uninitialised", "reads `cells[") {
    Buffer<int> out(32);
    dynamic_unset<<<1, 32, 64 * sizeof(int)>>>(out);
}

__global__ void maximum_from_nothing(const float* in, float* out) {
    __shared__ float best[2];
    const unsigned warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0 && warp == 0) best[warp] = in[0];
    __syncthreads();
    if (threadIdx.x == 0) *out = fmaxf(best[0], best[1]);  // <-
}
PLANTED("only the first warp stored its maximum", "uninitialised", "reads `best[1]` (shared)") {
    Buffer<float> in(64, 1.0f), out(1);
    maximum_from_nothing<<<1, 64>>>(in, out);
}

__global__ void local_unset(int* out, int n) {
    int local[8];
    for (int i = 0; i < n; ++i) local[i] = i;
    out[threadIdx.x] = local[threadIdx.x % 8];  // <-
}
KNOWN_GAP("a local array that was filled in part", "local variables are not checked") {
    Buffer<int> out(32);
    local_unset<<<1, 32>>>(out, 4);
}

CHECKS_MAIN("planted_uninitialised")
