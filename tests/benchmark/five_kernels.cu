// Five kernels, whose results are compared with those of the host: the sum of two vectors, a tiled matrix
// product, a reduction, a histogram, and a scan of blocks. hip_cpu.sh times them with this executor and with
// HIP-CPU (which defines FOR_HIP_CPU), steps.sh measures the cost of one step with and without the checks,
// and the test cpu.kitcc runs them once.
//
//   build: kitcc -unchecked five_kernels.cu -o five_kernels
//   run  : ./five_kernels [NAME [LAUNCHES [times]]]        status 0 if the results are right
//
// With `times`, prints the processor time in nanoseconds for one step of the kernel: an element, or an inner
// step of the matrix product.
#ifdef FOR_HIP_CPU
#include <hip/hip_runtime.h>
#define API(name) hip##name
#define LAUNCH(kernel, grid, block, ...) \
    hipLaunchKernelGGL(kernel, dim3(grid), dim3(block), 0, 0, __VA_ARGS__)
#else
#include <cuda_runtime.h>
#define API(name) cuda##name
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#endif

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

constexpr int TILE = 16, BLOCK = 256, BINS = 256;
constexpr int n = 1 << 20, side = 256;

__global__ void add(const float* a, const float* b, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

__global__ void multiply(const float* a, const float* b, float* out) {
    __shared__ float of_a[TILE][TILE], of_b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int k = 0; k < side; k += TILE) {
        of_a[y][x] = a[row * side + k + x];
        of_b[y][x] = b[(k + y) * side + column];
        __syncthreads();  // the tiles are complete
        for (int i = 0; i < TILE; ++i) sum += of_a[y][i] * of_b[i][x];
        __syncthreads();  // every thread has read the tiles
    }
    out[row * side + column] = sum;
}

__global__ void reduce(const float* in, float* out) {
    __shared__ float sums[BLOCK];
    const unsigned t = threadIdx.x;
    sums[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned stride = BLOCK / 2; stride > 0; stride /= 2) {
        if (t < stride) sums[t] += sums[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sums[0];
}

__global__ void count(const unsigned* in, unsigned* bins) {
    __shared__ unsigned mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i] % BINS], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void scan(const float* in, float* out) {
    __shared__ float sums[2][BLOCK];
    const unsigned t = threadIdx.x;
    int now = 0;
    sums[now][t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned distance = 1; distance < BLOCK; distance *= 2) {
        sums[1 - now][t] = sums[now][t] + (t >= distance ? sums[now][t - distance] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = sums[now][t];
}

void require(bool right, const char* what) {
    if (right) return;
    std::printf("%s failed\n", what);
    std::exit(2);
}

template <class T>
T* on_device(const std::vector<T>& values) {
    T* data = nullptr;
    require(!API(Malloc)(reinterpret_cast<void**>(&data), values.size() * sizeof(T)), "allocation");
    require(!API(Memcpy)(data, values.data(), values.size() * sizeof(T), API(MemcpyHostToDevice)), "copy");
    return data;
}

template <class T>
std::vector<T> on_host(const T* data, int count) {
    std::vector<T> values(count);
    require(!API(Memcpy)(values.data(), data, count * sizeof(T), API(MemcpyDeviceToHost)), "the kernel");
    return values;
}

/// Returns whether the results are equal. All numbers are small integers, so sums are exact in any order.
bool same(const char* name, const std::vector<float>& got, const std::vector<float>& want) {
    for (std::size_t i = 0; i < want.size(); ++i) {
        if (got[i] == want[i]) continue;
        std::printf("%s: element %zu is %g and should be %g\n", name, i, got[i], want[i]);
        return false;
    }
    std::printf("%s: %zu elements are right\n", name, want.size());
    return true;
}

struct Inputs {
    std::vector<float> a, b;
    std::vector<unsigned> numbers;
};

/// Launches the kernel and waits for it. Returns the processor time for one launch in nanoseconds.
template <class Launch>
double launch_all(int launches, const Launch& launch) {
    const std::clock_t start = std::clock();
    for (int i = 0; i < launches; ++i) launch();
    require(!API(DeviceSynchronize)(), "the kernel");
    return static_cast<double>(std::clock() - start) * (1e9 / CLOCKS_PER_SEC) / launches;
}

/// Launches one kernel and compares its results with those of the host.
bool run(const char* name, int launches, const Inputs& host, bool times) {
    const float *const a = on_device(host.a), *const b = on_device(host.b);
    float* const out = on_device(std::vector<float>(n, -1.0f));
    const bool counts = !std::strcmp(name, "histogram");
    const unsigned* const numbers = counts ? on_device(host.numbers) : nullptr;
    unsigned* const bins = on_device(std::vector<unsigned>(BINS, 0));
    std::vector<float> want;
    double nanoseconds = 0, steps = n;
    if (!std::strcmp(name, "vadd")) {
        nanoseconds = launch_all(launches, [&] { LAUNCH(add, n / BLOCK, BLOCK, a, b, out); });
        for (int i = 0; i < n; ++i) want.push_back(host.a[i] + host.b[i]);
    } else if (!std::strcmp(name, "matmul")) {
        const dim3 grid(side / TILE, side / TILE), block(TILE, TILE);
        nanoseconds = launch_all(launches, [&] { LAUNCH(multiply, grid, block, a, b, out); });
        steps = static_cast<double>(side) * side * side;
        want.assign(side * side, 0);
        for (int row = 0; row < side; ++row)
            for (int k = 0; k < side; ++k)
                for (int column = 0; column < side; ++column)
                    want[row * side + column] += host.a[row * side + k] * host.b[k * side + column];
    } else if (!std::strcmp(name, "reduce")) {
        nanoseconds = launch_all(launches, [&] { LAUNCH(reduce, n / BLOCK, BLOCK, a, out); });
        want.assign(n / BLOCK, 0);
        for (int i = 0; i < n; ++i) want[i / BLOCK] += host.a[i];
    } else if (counts) {
        nanoseconds = launch_all(launches, [&] { LAUNCH(count, 64, BLOCK, numbers, bins); });
        want.assign(BINS, 0);
        for (const unsigned number : host.numbers) want[number % BINS] += static_cast<float>(launches);
        const std::vector<unsigned> got = on_host(bins, BINS);
        if (times) std::printf("%s %.2f ns\n", name, nanoseconds / steps);
        return same(name, std::vector<float>(got.begin(), got.end()), want);
    } else if (!std::strcmp(name, "scan")) {
        nanoseconds = launch_all(launches, [&] { LAUNCH(scan, n / BLOCK, BLOCK, a, out); });
        for (int i = 0; i < n; ++i) want.push_back(host.a[i] + (i % BLOCK ? want[i - 1] : 0));
    } else {
        std::printf("there is no kernel %s: vadd matmul reduce histogram scan\n", name);
        return false;
    }
    if (times) std::printf("%s %.2f ns\n", name, nanoseconds / steps);
    return same(name, on_host(out, static_cast<int>(want.size())), want);
}

int main(int argc, char** argv) {
    Inputs inputs;
    for (int i = 0; i < n; ++i) {
        inputs.a.push_back(static_cast<float>(i * 7 % 13));
        inputs.b.push_back(static_cast<float>(i % 5));
        inputs.numbers.push_back(static_cast<unsigned>(i) * 2654435761u >> 7);
    }
    if (argc > 1) return !run(argv[1], argc > 2 ? std::atoi(argv[2]) : 1, inputs, argc > 3);
    bool right = true;
    for (const char* name : {"vadd", "matmul", "reduce", "histogram", "scan"})
        right &= run(name, 1, inputs, false);
    return !right;
}
