// __device__, __constant__ and __managed__ variables, and the copies to and from symbols.
#include "conformance.cuh"

__device__ int initialised = 41;
__device__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int zeroed[4];
__constant__ float coefficients[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__managed__ int shared_with_host = 3;
__device__ int* remembered_pointer;
constexpr int HOST_CONSTANT = 12;
const int PLAIN_CONSTANT = 30;

__global__ void read_globals(int* out) {
    out[0] = initialised;
    out[1] = table[2] + table[7];
    out[2] = zeroed[3];
    out[3] = static_cast<int>(coefficients[1] + coefficients[3]);
    out[4] = HOST_CONSTANT + PLAIN_CONSTANT;
}

CASE("initial values of __device__ and __constant__ variables") {
    int restored[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float values[4] = {0.5f, 1.5f, 2.5f, 3.5f};
    cudaMemcpyToSymbol(table, restored, sizeof restored);  // other cases change this variable
    cudaMemcpyToSymbol(coefficients, values, sizeof values);
    Buffer<int> out(5);
    read_globals<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{41, 11, 0, 5, 42});
}

__device__ int counter;

__global__ void count() {
    atomicAdd(&counter, 1);
}

CASE("kernels change a __device__ variable; the host reads it with cudaMemcpyFromSymbol") {
    int value = 1000;
    CHECK_CUDA(cudaMemcpyToSymbol(counter, &value, sizeof value), cudaSuccess);
    count<<<4, 32>>>();
    count<<<1, 5>>>();
    value = 0;
    CHECK_CUDA(cudaMemcpyFromSymbol(&value, counter, sizeof value), cudaSuccess);
    CHECK_EQUAL(value, 1133);
}

CASE("copies to and from a symbol with an offset in bytes") {
    const int two[2] = {70, 80};
    CHECK_CUDA(cudaMemcpyToSymbol(table, two, sizeof two, 3 * sizeof(int)), cudaSuccess);
    int back[4] = {};
    CHECK_CUDA(cudaMemcpyFromSymbol(back, table, sizeof back, 2 * sizeof(int)), cudaSuccess);
    CHECK_EQUAL(std::vector<int>(back, back + 4), std::vector<int>{3, 70, 80, 6});
    const int restored[2] = {4, 5};
    CHECK_CUDA(cudaMemcpyToSymbol(table, restored, sizeof restored, 3 * sizeof(int)), cudaSuccess);
}

CASE_MISUSE("a copy beyond the end of a symbol is refused") {
    int values[9] = {};
    CHECK_CUDA(cudaMemcpyToSymbol(table, values, sizeof values), cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemcpyToSymbol(table, values, 4 * sizeof(int), 5 * sizeof(int)), cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemcpyFromSymbol(values, table, sizeof(int), 8 * sizeof(int)), cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemcpyFromSymbol(values, coefficients, 5 * sizeof(float)), cudaErrorInvalidValue);
}

__global__ void polynomial(const float* x, float* y) {
    const float at = x[threadIdx.x];
    float sum = 0;
    for (int i = 3; i >= 0; --i) sum = sum * at + coefficients[i];
    y[threadIdx.x] = sum;
}

CASE("__constant__ memory set with cudaMemcpyToSymbol") {
    const float values[4] = {1, 2, 3, 4};
    CHECK_CUDA(cudaMemcpyToSymbol(coefficients, values, sizeof values), cudaSuccess);
    Buffer<float> x(std::vector<float>{0, 1, 2}), y(3);
    polynomial<<<1, 3>>>(x, y);
    CHECK_EQUAL(y.read(), std::vector<float>{1, 10, 49});
    const float others[4] = {5, 0, 0, 0};
    CHECK_CUDA(cudaMemcpyToSymbol(coefficients, others, sizeof others), cudaSuccess);
    polynomial<<<1, 3>>>(x, y);
    CHECK_EQUAL(y.read(), std::vector<float>{5, 5, 5});
}

CASE("cudaGetSymbolAddress and cudaGetSymbolSize") {
    void* address = nullptr;
    std::size_t size = 0;
    CHECK_CUDA(cudaGetSymbolAddress(&address, table), cudaSuccess);
    CHECK_CUDA(cudaGetSymbolSize(&size, table), cudaSuccess);
    CHECK_EQUAL(size, 8 * sizeof(int));
    int back[8] = {};
    CHECK_CUDA(cudaMemcpy(back, address, size, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(back[7], 8);
}

__global__ void through_pointer(const int* pointer, int* out) {
    out[0] = pointer[5];
}

CASE("a symbol's address is a device pointer for kernels") {
    void* address = nullptr;
    CHECK_CUDA(cudaGetSymbolAddress(&address, table), cudaSuccess);
    Buffer<int> out(1);
    through_pointer<<<1, 1>>>(static_cast<const int*>(address), out);
    CHECK_EQUAL(out.read()[0], 6);
}

CASE("cudaMemcpyToSymbol from device memory") {
    Buffer<int> source(std::vector<int>{9, 8, 7, 6});
    CHECK_CUDA(cudaMemcpyToSymbol(zeroed, source, 4 * sizeof(int), 0, cudaMemcpyDeviceToDevice), cudaSuccess);
    int back[4] = {};
    CHECK_CUDA(cudaMemcpyFromSymbol(back, zeroed, sizeof back), cudaSuccess);
    CHECK_EQUAL(std::vector<int>(back, back + 4), std::vector<int>{9, 8, 7, 6});
    const int zeros[4] = {};
    CHECK_CUDA(cudaMemcpyToSymbol(zeroed, zeros, sizeof zeros), cudaSuccess);
}

__global__ void use_remembered(int value) {
    remembered_pointer[threadIdx.x] = value;
}

CASE("a device pointer kept in a __device__ variable") {
    Buffer<int> data(3);
    int* pointer = data;
    CHECK_CUDA(cudaMemcpyToSymbol(remembered_pointer, &pointer, sizeof pointer), cudaSuccess);
    use_remembered<<<1, 3>>>(77);
    CHECK_EQUAL(data.read(), std::vector<int>{77, 77, 77});
}

__global__ void double_managed() {
    shared_with_host *= 2;
}

CASE("a __managed__ variable is read and written by both sides") {
    shared_with_host = 21;
    double_managed<<<1, 1>>>();
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(shared_with_host, 42);
}

namespace inner {
__device__ double matrix[2][3];
struct Settings {
    int steps;
    float scale;
};
__constant__ Settings settings;
}  // namespace inner

__global__ void fill_matrix() {
    inner::matrix[threadIdx.y][threadIdx.x] = inner::settings.steps + inner::settings.scale * threadIdx.x;
}

CASE("matrices and structs as global variables, in a namespace") {
    const inner::Settings settings{100, 0.5f};
    CHECK_CUDA(cudaMemcpyToSymbol(inner::settings, &settings, sizeof settings), cudaSuccess);
    fill_matrix<<<1, dim3(3, 2)>>>();
    double back[6] = {};
    CHECK_CUDA(cudaMemcpyFromSymbol(back, inner::matrix, sizeof back), cudaSuccess);
    CHECK_EQUAL(std::vector<double>(back, back + 6), std::vector<double>{100, 100.5, 101, 100, 100.5, 101});
}

CONFORMANCE_MAIN("globals")
