// Launches: grids and blocks of one to three dimensions, arguments by value, templates, function pointers.
#include "conformance.cuh"

__global__ void global_indices(int* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = static_cast<int>(i);
}

CASE("1D: every thread of every block runs exactly once") {
    Buffer<int> out(7 * 33, -1);
    global_indices<<<7, 33>>>(out);
    std::vector<int> want(7 * 33);
    for (int i = 0; i < 7 * 33; ++i) want[i] = i;
    CHECK_EQUAL(out.read(), want);
}

__device__ unsigned linear(uint3 index, dim3 extent) {
    return index.x + extent.x * (index.y + extent.y * index.z);
}

__global__ void count_visits(int* visits) {
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    atomicAdd(&visits[linear(blockIdx, gridDim) * threads + linear(threadIdx, blockDim)], 1);
}

CASE("2D: indices cover grid and block") {
    Buffer<int> visits(3 * 2 * 8 * 4);
    count_visits<<<dim3(3, 2), dim3(8, 4)>>>(visits);
    CHECK_EQUAL(visits.read(), std::vector<int>(3 * 2 * 8 * 4, 1));
}

CASE("3D: indices cover grid and block") {
    Buffer<int> visits(2 * 3 * 4 * 5 * 3 * 2);
    count_visits<<<dim3(2, 3, 4), dim3(5, 3, 2)>>>(visits);
    CHECK_EQUAL(visits.read(), std::vector<int>(2 * 3 * 4 * 5 * 3 * 2, 1));
}

__global__ void shape(unsigned* out) {
    const unsigned values[] = {
        gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z, static_cast<unsigned>(warpSize)};
    for (int i = 0; i < 7; ++i) out[i] = values[i];
}

CASE("gridDim, blockDim and warpSize; missing dimensions are 1") {
    Buffer<unsigned> out(7);
    shape<<<dim3(2, 3), dim3(4)>>>(out);
    CHECK_EQUAL(out.read(), std::vector<unsigned>{2, 3, 1, 4, 1, 1, 32});
    shape<<<5, 6>>>(out);
    CHECK_EQUAL(out.read(), std::vector<unsigned>{5, 1, 1, 6, 1, 1, 32});
}

__global__ void count_blocks(unsigned long long* count, unsigned* last) {
    atomicAdd(count, 1ull);
    if (blockIdx.x == gridDim.x - 1) *last = blockIdx.x;
}

CASE("a grid may have more than 65535 blocks in x") {
    Buffer<unsigned long long> count(1);
    Buffer<unsigned> last(1);
    count_blocks<<<70001, 1>>>(count, last);
    CHECK_EQUAL(count.read()[0], 70001ull);
    CHECK_EQUAL(last.read()[0], 70000u);
}

CASE("a block may have 1024 threads, in any shape") {
    Buffer<int> visits(1024);
    for (dim3 block : {dim3(1024), dim3(1, 1024), dim3(16, 1, 64), dim3(32, 32)}) {
        cudaMemset(visits, 0, 1024 * sizeof(int));
        count_visits<<<1, block>>>(visits);
        CHECK_EQUAL(visits.read(), std::vector<int>(1024, 1));
    }
}

struct Mixed {
    char letter;
    double number;
    short half;
    int list[3];
};

__global__ void unpack(Mixed mixed, double* out) {
    out[0] = mixed.letter;
    out[1] = mixed.number;
    out[2] = mixed.half;
    for (int i = 0; i < 3; ++i) out[3 + i] = mixed.list[i];
}

CASE("a struct is passed by value, padding and all") {
    Buffer<double> out(6);
    unpack<<<1, 1>>>(Mixed{'k', 2.5, -7, {1, 2, 3}}, out);
    CHECK_EQUAL(out.read(), std::vector<double>{'k', 2.5, -7, 1, 2, 3});
}

CASE("arguments are copied at the launch, not when the kernel runs") {
    Buffer<double> out(6);
    Mixed mixed{'a', 1.5, 3, {4, 5, 6}};
    unpack<<<1, 1>>>(mixed, out);
    mixed = Mixed{};
    CHECK_EQUAL(out.read(), std::vector<double>{'a', 1.5, 3, 4, 5, 6});
}

struct Big {
    int values[1000];
};

__global__ void sum_big(Big big, int* out) {
    big.values[0] += static_cast<int>(threadIdx.x);  // changes only this thread's copy of the argument
    int sum = 0;
    for (int value : big.values) sum += value;
    out[threadIdx.x] = sum;
}

CASE("4000 bytes of arguments; a thread that changes its copy changes nobody else's") {
    Big big;
    for (int i = 0; i < 1000; ++i) big.values[i] = i;
    Buffer<int> out(3);
    sum_big<<<1, 3>>>(big, out);
    CHECK_EQUAL(out.read(), std::vector<int>{499500, 499501, 499502});
}

__global__ void converted(double number, long long wide, unsigned char narrow, double* out) {
    out[0] = number;
    out[1] = static_cast<double>(wide);
    out[2] = narrow;
}

CASE("arguments are converted to the kernel's parameter types") {
    Buffer<double> out(3);
    converted<<<1, 1>>>(3, -4, 'A', out);
    CHECK_EQUAL(out.read(), std::vector<double>{3, -4, 65});
}

template <class T, int FACTOR>
__global__ void scale(const T* in, T* out) {
    out[threadIdx.x] = in[threadIdx.x] * FACTOR;
}

CASE("kernel templates, with explicit and with deduced arguments") {
    Buffer<float> floats(std::vector<float>{1.5f, 2.5f});
    Buffer<float> floats_out(2);
    scale<float, 3><<<1, 2>>>(floats, floats_out);
    CHECK_EQUAL(floats_out.read(), std::vector<float>{4.5f, 7.5f});
    Buffer<int> ints(std::vector<int>{4, 5});
    Buffer<int> ints_out(2);
    scale<int, -2><<<1, 2>>>(ints, ints_out);
    CHECK_EQUAL(ints_out.read(), std::vector<int>{-8, -10});
}

template <class T>
__global__ void fill(T* out, T value) {
    out[threadIdx.x] = value;
}

CASE("a kernel template may deduce its arguments at the launch") {
    Buffer<short> out(3);
    fill<<<1, 3>>>(out.data(), static_cast<short>(-5));
    CHECK_EQUAL(out.read(), std::vector<short>{-5, -5, -5});
}

__global__ void add_one(int* out) {
    out[0] += 1;
}
__global__ void add_ten(int* out) {
    out[0] += 10;
}

CASE("a kernel is launched through a host function pointer") {
    Buffer<int> out(1);
    void (*kernels[])(int*) = {add_one, add_ten, add_ten};
    for (auto kernel : kernels) kernel<<<1, 1>>>(out);
    CHECK_EQUAL(out.read()[0], 21);
}

CASE("cudaLaunchKernel takes pointers to the arguments") {
    Buffer<double> out(3);
    double number = 0.25;
    long long wide = 1ll << 40;
    unsigned char narrow = 200;
    double* out_pointer = out;
    void* arguments[] = {&number, &wide, &narrow, &out_pointer};
    CHECK_CUDA(cudaLaunchKernel(converted, dim3(1), dim3(1), arguments, 0, nullptr), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<double>{0.25, 1099511627776.0, 200});
}

CASE("cudaLaunchKernelEx, ordinary and with the cooperative attribute") {
    Buffer<double> out(3);
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(1);
    config.blockDim = dim3(1);
    CHECK_CUDA(cudaLaunchKernelEx(&config, converted, 1, 2, 'C', out.data()), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<double>{1, 2, 67});
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK_CUDA(cudaLaunchKernelEx(&config, converted, 3.5, 4, 'D', out.data()), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<double>{3.5, 4, 68});
}

__device__ int twice(int x) {
    return 2 * x;
}
__device__ int square(int x) {
    return x * x;
}

using Function = int (*)(int);

__global__ void apply(int* out) {
    const Function functions[2] = {twice, square};
    const int i = static_cast<int>(threadIdx.x);
    out[i] = functions[i % 2](i);
}

CASE("device code calls through a function pointer that differs between lanes") {
    Buffer<int> out(6);
    apply<<<1, 6>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{0, 1, 4, 9, 8, 25});
}

struct Adder {
    int amount;
    __device__ int operator()(int x) const { return x + amount; }
};

template <class Functor>
__global__ void transform(int* data, Functor functor) {
    data[threadIdx.x] = functor(data[threadIdx.x]);
}

CASE("a function object with state is an argument like any other") {
    Buffer<int> data(std::vector<int>{1, 2, 3});
    transform<<<1, 3>>>(data.data(), Adder{40});
    CHECK_EQUAL(data.read(), std::vector<int>{41, 42, 43});
}

__device__ int factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

__global__ void factorials(int* out) {
    out[threadIdx.x] = factorial(static_cast<int>(threadIdx.x));
}

CASE("device functions may recurse") {
    Buffer<int> out(7);
    factorials<<<1, 7>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{1, 1, 2, 6, 24, 120, 720});
}

__global__ void early_return(int* out, int n) {
    const int i = static_cast<int>(threadIdx.x);
    if (i >= n) return;
    out[i] = n - i;
}

CASE("threads may return early") {
    Buffer<int> out(4, 9);
    early_return<<<1, 64>>>(out, 3);
    CHECK_EQUAL(out.read(), std::vector<int>{3, 2, 1, 9});
}

__global__ void static_and_dynamic(int* out) {
    __shared__ int fixed[4];
    extern __shared__ int flexible[];
    const int i = static_cast<int>(threadIdx.x);
    fixed[i] = i;
    flexible[i] = 10 * i;
    __syncthreads();
    out[i] = fixed[3 - i] + flexible[3 - i];
}

CASE("static and dynamic shared memory do not overlap") {
    Buffer<int> out(4);
    static_and_dynamic<<<1, 4, 4 * sizeof(int)>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{33, 22, 11, 0});
}

__global__ void __launch_bounds__(128) bounded(int* out) {
    atomicAdd(out, 1);
}

CASE("a kernel with launch bounds runs up to its bound") {
    Buffer<int> out(1);
    bounded<<<2, 128>>>(out);
    CHECK_EQUAL(out.read()[0], 256);
}

CONFORMANCE_MAIN("launch")
