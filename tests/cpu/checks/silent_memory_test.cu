// Correct programs that look like mistakes in accesses: they use the last element, the last byte,
// and memory that is aligned or written just in time.
#include <cuda/atomic>

#include "checks.cuh"

using Ints = std::vector<int>;

// ---- bounds ----

__global__ void last_element(int* data, int n) {
    if (static_cast<int>(threadIdx.x) < n) data[threadIdx.x] = 1;
}
SILENT("the guard is just right") {
    Buffer<int> data(40);
    last_element<<<1, 64>>>(data, 40);
    CHECK_EQUAL(data.read()[39], 1);
}

__global__ void load_guarded_tile(const float* in, float* out, int n) {
    __shared__ float tile[16][16];
    const int column = static_cast<int>(blockIdx.x * 16 + threadIdx.x),
              row = static_cast<int>(blockIdx.y * 16 + threadIdx.y);
    tile[threadIdx.y][threadIdx.x] = row < n && column < n ? in[row * n + column] : 0.0f;
    if (row < n && column < n) out[row * n + column] = tile[threadIdx.y][threadIdx.x];
}
SILENT("a guarded tile at the edge of a matrix") {
    const int n = 40;
    Buffer<float> in(n * n, 1.0f), out(n * n);
    load_guarded_tile<<<dim3(3, 3), dim3(16, 16)>>>(in, out, n);
    CHECK_EQUAL(out.read()[n * n - 1], 1.0f);
}

__global__ void from_behind(int* end, int n) {
    end[-1 - static_cast<int>(threadIdx.x)] = n;
}
SILENT("negative indices from the end") {
    Buffer<int> data(32);
    from_behind<<<1, 32>>>(data + 32, 7);
    CHECK_EQUAL(data.read()[0], 7);
}

__global__ void terminator(char* text, int n) {
    text[n - 1] = 1;
}
SILENT("the last byte of an odd allocation") {
    Buffer<char> text(13);
    terminator<<<1, 1>>>(text, 13);
    CHECK_EQUAL(static_cast<int>(text.read()[12]), 1);
}

__global__ void add_vectors(const float4* in, float* out, int n) {
    const int i = static_cast<int>(threadIdx.x);
    if (4 * i + 3 < n) {
        const float4 four = in[i];
        out[i] = four.x + four.y + four.z + four.w;
    }
}
SILENT("whole float4 of a ragged array") {
    Buffer<float> in(30, 1.0f), out(8);
    add_vectors<<<1, 32>>>(reinterpret_cast<const float4*>(in.data()), out, 30);
    CHECK_EQUAL(out.read()[6], 4.0f);
}

__global__ void four_apart(const float* in, float4* out) {
    *out = *reinterpret_cast<const float4*>(in + 4);
}
SILENT("a float4 four floats in is aligned") {
    Buffer<float> in(16, 1.0f);
    Buffer<float4> out(1);
    four_apart<<<1, 1>>>(in, out);
    CHECK_EQUAL(out.read()[0].w, 1.0f);
}

struct __attribute__((packed)) Packed {
    char tag;
    int value;
};
__global__ void packed_fields(Packed* cells) {
    cells[threadIdx.x].tag = 1;
    cells[threadIdx.x].value = 2;
}
SILENT("an int in a packed struct, one byte off") {
    Packed* cells = nullptr;
    cudaMalloc(&cells, 32 * sizeof(Packed));
#ifdef KIT_CPU  // nvcc does not know the attribute on all hosts
    packed_fields<<<1, 32>>>(cells);
#endif
    CHECK_CUDA(cudaFree(cells), cudaSuccess);
}

__device__ int table[8];
__global__ void fill_table() {
    table[threadIdx.x] = static_cast<int>(threadIdx.x);
}
SILENT("a __device__ array, filled and copied out") {
    fill_table<<<1, 8>>>();
    Ints host(8);
    cudaMemcpyFromSymbol(host.data(), table, sizeof table);
    CHECK_EQUAL(host[7], 7);
}

__constant__ int factors[4];
__global__ void scale(int* out) {
    out[threadIdx.x] = factors[threadIdx.x % 4];
}
SILENT("constant memory that the host has set") {
    const int values[4] = {1, 2, 3, 4};
    cudaMemcpyToSymbol(factors, values, sizeof values);
    Buffer<int> out(32);
    scale<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[31], 4);
}

SILENT("constant memory that the host has set in parts, by its address and with zeros") {
    const int values[4] = {1, 2, 3, 4};
    void* address = nullptr;
    cudaGetSymbolAddress(&address, factors);
    cudaMemset(address, 0, sizeof factors);
    cudaMemcpyToSymbol(factors, values, 2 * sizeof(int), 2 * sizeof(int));
    cudaMemcpyToSymbolAsync(factors, values + 3, sizeof(int), 0, cudaMemcpyHostToDevice, nullptr);
    Buffer<int> out(32);
    scale<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[28], 4);
    CHECK_EQUAL(out.read()[29], 0);
    CHECK_EQUAL(out.read()[31], 2);
}

__global__ void halo(const int* in, int* out) {
    __shared__ int tile[34];
    tile[threadIdx.x + 1] = in[threadIdx.x];
    if (threadIdx.x == 0) tile[0] = tile[33] = 0;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];
}
SILENT("a tile with room for its halo") {
    Buffer<int> in(32, 1), out(32);
    halo<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read()[31], 2);
}

__global__ void three_arrays(double* out, int n) {
    extern __shared__ double raw[];
    double* first = raw;
    int* second = reinterpret_cast<int*>(first + n);
    char* third = reinterpret_cast<char*>(second + n);
    first[threadIdx.x] = 1;
    second[threadIdx.x] = 2;
    third[threadIdx.x] = 3;
    out[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x] + third[threadIdx.x];
}
SILENT("three arrays in dynamic shared memory, up to the last byte") {
    Buffer<double> out(30);
    three_arrays<<<1, 30, 30 * (8 + 4 + 1)>>>(out, 30);
    CHECK_EQUAL(out.read()[29], 6.0);
}

__global__ void local_array(int* out) {
    int local[16];
    for (int i = 0; i < 16; ++i) local[(i + static_cast<int>(threadIdx.x)) % 16] = i;
    int sum = 0;
    for (int value : local) sum += value;
    out[threadIdx.x] = sum;
}
SILENT("a local array with computed indices") {
    Buffer<int> out(32);
    local_array<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[3], 120);
}

__device__ void add_one(int* value) {
    *value += 1;
}
__global__ void local_by_pointer(int* out) {
    int value = static_cast<int>(threadIdx.x);
    add_one(&value);
    add_one(&value);
    out[threadIdx.x] = value;
}
SILENT("the address of a local variable goes to a function") {
    Buffer<int> out(64);
    local_by_pointer<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[63], 65);
}

__device__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void recursion(int* out) {
    out[threadIdx.x] = fibonacci(static_cast<int>(threadIdx.x) % 10);
}
SILENT("a recursive function") {
    Buffer<int> out(64);
    recursion<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[9], 34);
}

__global__ void both_sides(int* data) {
    data[threadIdx.x] *= 2;
}
SILENT("managed memory, used by host and kernel in turn") {
    int* data = nullptr;
    CHECK_CUDA(cudaMallocManaged(&data, 32 * sizeof(int)), cudaSuccess);
    for (int i = 0; i < 32; ++i) data[i] = i;
    both_sides<<<1, 32>>>(data);
    cudaDeviceSynchronize();
    data[0] = 5;
    both_sides<<<1, 32>>>(data);
    cudaDeviceSynchronize();
    CHECK_EQUAL(data[0], 10);
    CHECK_EQUAL(data[31], 124);
    cudaFree(data);
}

SILENT("pinned memory that a kernel uses") {
    int* data = nullptr;
    CHECK_CUDA(cudaMallocHost(&data, 32 * sizeof(int)), cudaSuccess);
    for (int i = 0; i < 32; ++i) data[i] = i;
    both_sides<<<1, 32>>>(data);
    cudaDeviceSynchronize();
    CHECK_EQUAL(data[31], 62);
    cudaFreeHost(data);
}

struct Matrix {
    float* data;
    int width;
    __device__ float& at(int row, int column) const { return data[row * width + column]; }
};
__global__ void transpose(Matrix in, Matrix out) {
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    out.at(x, y) = in.at(y, x);
}
SILENT("a struct with a device pointer, passed by value") {
    Buffer<float> in(64, 1.0f), out(64);
    transpose<<<1, dim3(8, 8)>>>(Matrix{in, 8}, Matrix{out, 8});
    CHECK_EQUAL(out.read()[63], 1.0f);
}

// ---- initialisation ----

__global__ void copy(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];
}
SILENT("cudaMemset initialises") {
    int *in = nullptr, *out = nullptr;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemset(in, 0, 128);
    copy<<<1, 32>>>(in, out);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    cudaFree(in);
    cudaFree(out);
}

SILENT("two copies that cover the array together, at an odd byte") {
    int *in = nullptr, *out = nullptr;
    std::vector<char> host(128, 1);
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemcpy(in, host.data(), 61, cudaMemcpyHostToDevice);
    cudaMemcpy(reinterpret_cast<char*>(in) + 61, host.data(), 67, cudaMemcpyHostToDevice);
    copy<<<1, 32>>>(in, out);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    cudaFree(in);
    cudaFree(out);
}

__global__ void fill_half(int* data, int which) {
    data[2 * threadIdx.x + static_cast<unsigned>(which)] = 1;
}
SILENT("two kernels fill the even and the odd elements, a copy passes them on") {
    int *first = nullptr, *second = nullptr, *out = nullptr;
    cudaMalloc(&first, 128);
    cudaMalloc(&second, 128);
    cudaMalloc(&out, 128);
    fill_half<<<1, 16>>>(first, 0);
    fill_half<<<1, 16>>>(first, 1);
    cudaMemcpy(second, first, 128, cudaMemcpyDeviceToDevice);
    copy<<<1, 32>>>(second, out);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    cudaFree(first);
    cudaFree(second);
    cudaFree(out);
}

SILENT("uninitialised memory is copied, then written, then read") {
    int *raw = nullptr, *data = nullptr, *out = nullptr;
    cudaMalloc(&raw, 128);
    cudaMalloc(&data, 128);
    cudaMalloc(&out, 128);
    cudaMemcpy(data, raw, 128, cudaMemcpyDeviceToDevice);
    fill_half<<<1, 16>>>(data, 0);
    fill_half<<<1, 16>>>(data, 1);
    copy<<<1, 32>>>(data, out);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    cudaFree(raw);
    cudaFree(data);
    cudaFree(out);
}

__global__ void padded_tail(const int* in, int n, int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = static_cast<int>(threadIdx.x) < n ? in[threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x < 32) out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 32];
}
SILENT("a shared tile whose tail is padded") {
    Buffer<int> in(50, 1), out(32);
    padded_tail<<<1, 64>>>(in, 50, out);
    CHECK_EQUAL(out.read()[31], 1);
}

__global__ void unread_rest(const int* in, int n, int* out) {
    __shared__ int tile[64];
    const int i = static_cast<int>(threadIdx.x);
    if (i < n) tile[i] = in[i];
    __syncthreads();
    if (i < n) out[i] = tile[n - 1 - i];
}
SILENT("the rest of a shared tile is neither written nor read") {
    Buffer<int> in(50, 1), out(50);
    unread_rest<<<1, 64>>>(in, 50, out);
    CHECK_EQUAL(out.read()[49], 1);
}

__global__ void bytes_make_word(unsigned* out) {
    __shared__ unsigned words[8];
    reinterpret_cast<unsigned char*>(words)[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = words[threadIdx.x];
}
SILENT("thirty-two bytes make eight words") {
    Buffer<unsigned> out(8);
    bytes_make_word<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[7], 0x01010101u);
}

struct Padded {
    char tag;
    double value;
};
__global__ void padding_is_unread(const Padded* in, Padded* out) {
    __shared__ Padded cells[32];
    cells[threadIdx.x].tag = in[threadIdx.x].tag;
    cells[threadIdx.x].value = in[threadIdx.x].value;
    __syncthreads();
    out[threadIdx.x].tag = cells[31 - threadIdx.x].tag;
    out[threadIdx.x].value = cells[31 - threadIdx.x].value;
}
SILENT("the padding of a struct is never written") {
    Buffer<Padded> in(32, Padded{1, 2}), out(32);
    padding_is_unread<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read()[5].value, 2.0);
}

__global__ void padding_is_copied(const Padded* in, Padded* out) {
    __shared__ Padded cells[32];
    cells[threadIdx.x].tag = in[threadIdx.x].tag;
    cells[threadIdx.x].value = in[threadIdx.x].value;
    __syncthreads();
    out[threadIdx.x] = cells[31 - threadIdx.x];
}
SILENT("a struct is copied with its padding") {
    Buffer<Padded> in(32, Padded{1, 2}), out(32);
    padding_is_copied<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read()[5].value, 2.0);
}

struct Halves {
    double low, high;
};
struct Entry {
    long long key;
    Halves value;
};
__global__ void two_halves(const Entry* in, Halves* out) {
    __shared__ long long first;  // the next variable need not begin at a multiple of 16
    __shared__ Halves tile[32];
    if (threadIdx.x == 0) first = in[0].key;
    tile[threadIdx.x] = in[threadIdx.x].value;
    __syncthreads();
    if (first == 1) out[threadIdx.x] = tile[31 - threadIdx.x];
}
SILENT("a struct of two doubles needs 8 bytes, not 16: as a member and in shared memory") {
    Buffer<Entry> in(32, Entry{1, {2, 3}});
    Buffer<Halves> out(32);
    two_halves<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read()[5].high, 3.0);
}

__global__ void cleared_by_memset(int* out) {
    __shared__ int tile[64];
    if (threadIdx.x == 0) memset(tile, 0, sizeof tile);
    __syncthreads();
    int mine[2];
    memcpy(mine, tile + 2 * threadIdx.x, sizeof mine);
    out[threadIdx.x] = mine[0] + mine[1];
}
SILENT("shared memory cleared and copied by the C library's functions") {
    Buffer<int> out(32, 9);
    cleared_by_memset<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[31], 0);
}

CHECKS_MAIN("silent_memory")

// ---- exchanges whose old value is not used ----

struct Words {
    int plain, atomic;
    float number;
};
__global__ void set_by_exchange(Words* words) {
    if (threadIdx.x == 0) atomicExch(&words->plain, 7);
    if (threadIdx.x == 1) {
        cuda::atomic_ref<int, cuda::thread_scope_device> word(words->atomic);
        word.exchange(8, cuda::memory_order_release);
    } else if (threadIdx.x == 2)
        (void)atomicExch_block(&words->number, 1.5f);
}
SILENT("memory that an exchange writes first") {
    Words* words = nullptr;
    CHECK_EQUAL(cudaMalloc(&words, sizeof *words), cudaSuccess);
    set_by_exchange<<<1, 32>>>(words);
    Words got;
    CHECK_EQUAL(cudaMemcpy(&got, words, sizeof got, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(got.plain, 7);
    CHECK_EQUAL(got.atomic, 8);
    CHECK_EQUAL(got.number, 1.5f);
    cudaFree(words);
}
