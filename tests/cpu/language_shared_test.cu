// Forms of CUDA's language that a C++ compiler does not know, second part: __shared__ variables, launch
// bounds, and attributes that are known before the kernel runs. The first part is language_test.cu.
#include "conformance.cuh"

template <class T>
struct Wrap {
    using type = T;
    static constexpr int size = sizeof(T);
    int value;
};

// Static shared memory.

/// Each thread passes its value to the next thread, through memory at `slots`.
template <class T>
__device__ T rotate(volatile T* slots, T mine) {
    slots[threadIdx.x] = mine;
    __syncthreads();
    const T next = slots[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    return next;
}

__global__ void many_declarators(int* out) {
    __shared__ int a[4], b[2][4], *row, (*rows)[4];
    if (threadIdx.x == 0) {
        row = b[1];
        rows = &b[0];
    }
    __syncthreads();
    a[threadIdx.x] = threadIdx.x;
    row[threadIdx.x] = 10 * threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = a[3 - threadIdx.x] + rows[1][3 - threadIdx.x];
}

CASE("several shared variables in one declaration: arrays, a pointer, a pointer to an array") {
    Buffer<int> out(4);
    many_declarators<<<1, 4>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{33, 22, 11, 0});
}

__device__ int twice(int x) {
    return 2 * x;
}
__device__ int square(int x) {
    return x * x;
}

__global__ void shared_function(int* out) {
    __shared__ int (*function[2])(int);
    if (threadIdx.x == 0) function[0] = twice, function[1] = square;
    __syncthreads();
    out[threadIdx.x] = function[threadIdx.x % 2](5);
}

CASE("an array of function pointers in shared memory") {
    Buffer<int> out(2);
    shared_function<<<1, 2>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{10, 25});
}

__global__ void qualifiers(int* out) {
    volatile __shared__ int first[4];
    __shared__ volatile int second[4];
    static __shared__ int third[4];
    int __shared__ fourth[4];
    __shared__ alignas(64) int fifth[4];
    __shared__ __align__(128) int sixth[4];
    const int mine = threadIdx.x;
    int sum = rotate(first, mine) + rotate(second, mine) + rotate<int>(third, mine) +
              rotate<int>(fourth, mine) + rotate<int>(fifth, mine) + rotate<int>(sixth, mine);
    if (reinterpret_cast<std::size_t>(fifth) % 64 || reinterpret_cast<std::size_t>(sixth) % 128) sum = -1;
    out[threadIdx.x] = sum;
}

CASE("qualifiers and alignment before and after __shared__") {
    Buffer<int> out(4);
    qualifiers<<<1, 4>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{6, 12, 18, 0});
}

template <class T, int N>
__global__ void dependent(T* out) {
    constexpr int half = N / 2;
    __shared__ typename Wrap<T>::type tile[2][half];
    __shared__ Wrap<Wrap<T>> wrapped;
    tile[threadIdx.x / half][threadIdx.x % half] = static_cast<T>(threadIdx.x);
    if (threadIdx.x == 0) wrapped.value = sizeof(tile) / sizeof(tile[0][0]);
    __syncthreads();
    out[threadIdx.x] = tile[1 - threadIdx.x / half][threadIdx.x % half] + static_cast<T>(wrapped.value);
}

CASE("shared variables whose type and size depend on template parameters") {
    Buffer<short> out(4);
    dependent<short, 4><<<1, 4>>>(out);
    CHECK_EQUAL(out.read(), std::vector<short>{6, 7, 4, 5});
    Buffer<double> real(2);
    dependent<double, 2><<<1, 2>>>(real);
    CHECK_EQUAL(real.read(), std::vector<double>{3, 2});
}

__global__ void aggregates(int* out) {
    __shared__ struct Pair { int first, second; } pair;
    __shared__ union {
        float real;
        unsigned bits;
    } both;
    Pair copy{3, 4};
    if (threadIdx.x == 0) {
        pair = copy;
        both.real = 1.0f;
    }
    __syncthreads();
    out[threadIdx.x] = threadIdx.x == 0 ? pair.first * pair.second : static_cast<int>(both.bits >> 20);
}

CASE("a struct and a union defined where they are declared") {
    Buffer<int> out(2);
    aggregates<<<1, 2>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{12, 0x3f8});
}

__device__ int* counter_of_block() {
    __shared__ int counter;
    return &counter;
}

__global__ void shared_in_device_function(int* out) {
    if (threadIdx.x == 0) *counter_of_block() = 0;
    __syncthreads();
    for (int i = 0; i < 3; ++i) {
        __shared__ int in_loop;
        if (threadIdx.x == 0) in_loop = i;
        __syncthreads();
        atomicAdd(counter_of_block(), in_loop);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = *counter_of_block();
}

CASE("shared variables of device functions and of loops: one per block") {
    Buffer<int> out(5);
    shared_in_device_function<<<5, 32>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>(5, 3 * 32));
}

#define TILE(type, name, count) __shared__ type name[count]

__global__ void tiles_from_macro(int* out) {
    TILE(int, one, 4);
    TILE(float, two, 4);
    out[threadIdx.x] =
        rotate<int>(one, threadIdx.x) + static_cast<int>(rotate<float>(two, 0.5f + threadIdx.x));
}

CASE("shared variables declared by a macro") {
    Buffer<int> out(4);
    tiles_from_macro<<<1, 4>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{2, 4, 6, 0});
}

__global__ void shared_in_lambda(int* out) {
    __shared__ int tile[4];
    const auto put = [&](int value) { tile[threadIdx.x] = value; };
    put(static_cast<int>(threadIdx.x) * 3);
    __syncthreads();
    out[threadIdx.x] = tile[3 - threadIdx.x];
}

CASE("a lambda in a kernel uses the shared array, not a copy") {
    Buffer<int> out(4);
    shared_in_lambda<<<1, 4>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{9, 6, 3, 0});
}

// Dynamic shared memory.

template <class T>
__global__ void dynamic_in_kernel(T* out) {
    extern __shared__ __align__(16) unsigned char bytes[];
    T* first = reinterpret_cast<T*>(bytes);
    T* second = (T*)bytes + blockDim.x;
    second[threadIdx.x] = rotate<T>(first, static_cast<T>(threadIdx.x));
    __syncthreads();
    out[threadIdx.x] = second[(threadIdx.x + 1) % blockDim.x];
}

CASE("dynamic shared memory, cut into two arrays") {
    Buffer<double> real(4);
    dynamic_in_kernel<<<1, 4, 2 * 4 * sizeof(double)>>>(real.data());
    CHECK_EQUAL(real.read(), std::vector<double>{2, 3, 0, 1});
    Buffer<short> whole(4);
    dynamic_in_kernel<short><<<1, 4, 2 * 4 * sizeof(short)>>>(whole);
    CHECK_EQUAL(whole.read(), std::vector<short>{2, 3, 0, 1});
}

__global__ void dynamic_rows(int* out) {
    extern __shared__ int rows[][2];
    rows[threadIdx.x / 2][threadIdx.x % 2] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = rows[1 - threadIdx.x / 2][threadIdx.x % 2] + 10 * static_cast<int>(sizeof(rows[0]));
}

CASE("dynamic shared memory in rows") {
    Buffer<int> out(4);
    dynamic_rows<<<1, 4, 4 * sizeof(int)>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{82, 83, 80, 81});
}

extern __shared__ float at_file_scope[];

__device__ float neighbour() {
    return at_file_scope[(threadIdx.x + 1) % blockDim.x];
}

__global__ void dynamic_at_file_scope(float* out) {
    float* mine = at_file_scope + threadIdx.x;
    *mine = 0.5f * threadIdx.x;
    __syncthreads();
    const int* bits = reinterpret_cast<const int*>(at_file_scope);
    out[threadIdx.x] = neighbour() + ((int*)at_file_scope == bits && bits[0] == 0 ? 100 : 0);
}

CASE("dynamic shared memory declared at file scope") {
    Buffer<float> out(4);
    dynamic_at_file_scope<<<1, 4, 4 * sizeof(float)>>>(out);
    CHECK_EQUAL(out.read(), std::vector<float>{100.5f, 101, 101.5f, 100});
}

// Attributes that are known before the launch.

template <int Threads, class T>
__global__ void __launch_bounds__(Threads * 2, 1) bounded(T* out) {
    out[threadIdx.x] = static_cast<T>(Threads);
}
__launch_bounds__(Wrap<Wrap<int>>::size * 8) __global__ void bounded_in_front(int* out) {
    *out = 5;
}

CASE("launch bounds may depend on template parameters and stand on either side") {
    Buffer<int> out(64);
    bounded<32><<<1, 64>>>(out.data());
    CHECK_EQUAL(out.read(), std::vector<int>(64, 32));
    bounded_in_front<<<1, 32>>>(out);
    CHECK_EQUAL(out.read()[0], 5);
}

CASE_MISUSE("more threads than the launch bounds allow") {
    Buffer<int> out(128, 7);
    bounded<32><<<1, 65>>>(out.data());
    CHECK_CUDA(cudaGetLastError(), cudaErrorInvalidValue);
    bounded_in_front<<<1, 33>>>(out);
    CHECK_CUDA(cudaGetLastError(), cudaErrorInvalidValue);
    CHECK_EQUAL(out.read(), std::vector<int>(128, 7));
}

CASE("launch bounds and shared memory are known before the launch") {
    cudaFuncAttributes attributes{};
    CHECK_CUDA(cudaFuncGetAttributes(&attributes, bounded_in_front), cudaSuccess);
    CHECK_EQUAL(attributes.maxThreadsPerBlock, 32);
    CHECK_CUDA(cudaFuncGetAttributes(&attributes, dependent<double, 8>), cudaSuccess);
    CHECK(attributes.sharedSizeBytes > 0);  // nvcc may shrink an array of which it uses only a part
}

CASE("a deduced launch finds what cudaFuncSetAttribute set") {
    const int bytes = 60 * 1024;
    Buffer<double> out(4);
    CHECK_CUDA(
        cudaFuncSetAttribute(dynamic_in_kernel<double>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        cudaSuccess);
    dynamic_in_kernel<<<1, 4, bytes>>>(out.data());
    CHECK_EQUAL(out.read(), std::vector<double>{2, 3, 0, 1});
}

CONFORMANCE_MAIN("language_shared")
