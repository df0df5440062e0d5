// Prints what the occupancy API of a real GPU answers, for kernels with many register counts: a table for
// occupancy_recorded_test.cu, which checks the CPU executor's formula against it.
//
// Build: nvcc -std=c++17 -arch=native tests/cpu/occupancy_table.cu -o occupancy_table
// Run:   ./occupancy_table > tests/cpu/recorded/occupancy_h200.txt
//
// One line for each question; a word says which, then what was asked, then the answer:
//
//   blocks    registers static dynamic threads carveout        blocks per multiprocessor
//   best      registers static shared-per-thread limit         block and grid of MaxPotentialBlockSize
//   room      registers static threads blocks granted          bytes of AvailableDynamicSMemPerBlock
//   clusters  registers static dynamic threads cluster         clusters at once; size 0: largest cluster instead

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                              \
            std::fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, cudaGetErrorName(error)); \
            std::exit(1);                                                                        \
        }                                                                                        \
    } while (0)

/// Keeps LIVE values at once in registers, and has STATIC bytes of shared memory.
template <int LIVE, int STATIC>
__global__ void hold(const float* in, float* out, int n) {
    float value[LIVE];
#pragma unroll
    for (int i = 0; i < LIVE; ++i) value[i] = in[i * n + threadIdx.x];
    for (int k = 0; k < n; ++k) {
#pragma unroll
        for (int i = 0; i < LIVE; ++i) value[i] = value[i] * value[(i + 1) % LIVE] + in[k];
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < LIVE; ++i) sum += value[i] * static_cast<float>(i);
    if constexpr (STATIC > 0) {
        __shared__ char fixed[STATIC];
        fixed[threadIdx.x % STATIC] = static_cast<char>(sum);
        __syncthreads();
        sum += fixed[(threadIdx.x * 7 + n) % STATIC];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

using Kernel = void (*)(const float*, float*, int);

struct Subject {
    Kernel kernel;
    int registers, fixed;
};

int optin = 0;

Subject subject(Kernel kernel) {
    cudaFuncAttributes facts;
    CHECK(cudaFuncGetAttributes(&facts, kernel));
    return {kernel, facts.numRegs, static_cast<int>(facts.sharedSizeBytes)};
}

template <int LIVE>
void add(std::vector<Subject>& all) {
    all.push_back(subject(hold<LIVE, 0>));
    all.push_back(subject(hold<LIVE, 1024>));
    all.push_back(subject(hold<LIVE, 5000>));
}

void grant(const Subject& one, int bytes) {
    CHECK(cudaFuncSetAttribute(one.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

void print_blocks(const Subject& one, int dynamic, int threads, int carveout) {
    if (dynamic + one.fixed > optin) return;
    int blocks = 0;
    CHECK(cudaFuncSetAttribute(one.kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, one.kernel, threads, dynamic));
    std::printf("blocks %d %d %d %d %d %d\n", one.registers, one.fixed, dynamic, threads, carveout, blocks);
}

struct SharedOfBlock {
    int per_thread;
    __host__ __device__ size_t operator()(int threads) const {
        return static_cast<size_t>(per_thread) * threads;
    }
};

void print_best(const Subject& one, int per_thread, int limit) {
    int grid = 0, block = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, one.kernel, SharedOfBlock{per_thread},
                                                         limit));
    std::printf("best %d %d %d %d %d %d\n", one.registers, one.fixed, per_thread, limit, block, grid);
}

void print_room(const Subject& one, int threads, int granted) {
    grant(one, granted);
    for (int blocks : {1, 2, 3, 4, 7, 8, 16, 32}) {
        std::size_t bytes = 0;
        const cudaError_t error =
            cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, one.kernel, blocks, threads);
        cudaGetLastError();
        std::printf("room %d %d %d %d %d %lld\n", one.registers, one.fixed, threads, blocks, granted,
                    error == cudaSuccess ? static_cast<long long>(bytes) : -1LL);
    }
}

void print_clusters(const Subject& one, int dynamic, int threads) {
    CHECK(cudaFuncSetAttribute(one.kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    for (int size : {0, 1, 2, 3, 4, 8, 16}) {
        cudaLaunchAttribute attribute = {};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = size;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(size ? 96 * size : 96);
        config.blockDim = dim3(threads);
        config.dynamicSmemBytes = dynamic;
        config.attrs = &attribute;
        config.numAttrs = size ? 1 : 0;
        int answer = 0;
        if (size)
            CHECK(cudaOccupancyMaxActiveClusters(&answer, one.kernel, &config));
        else
            CHECK(cudaOccupancyMaxPotentialClusterSize(&answer, one.kernel, &config));
        std::printf("clusters %d %d %d %d %d %d\n", one.registers, one.fixed, dynamic, threads, size, answer);
    }
}

int main() {
    cudaDeviceProp device;
    int driver = 0;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaDriverGetVersion(&driver));
    std::printf("# %s, sm_%d%d, %d multiprocessors, driver %d, runtime %d\n", device.name, device.major,
                device.minor, device.multiProcessorCount, driver, CUDART_VERSION);
    CHECK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));

    std::vector<Subject> all;
    add<1>(all), add<12>(all), add<20>(all), add<26>(all), add<34>(all), add<42>(all), add<52>(all);
    add<68>(all), add<90>(all), add<120>(all), add<150>(all), add<190>(all), add<230>(all);
    for (const Subject& one : all) grant(one, optin - one.fixed);

    const int sizes[] = {1,   32,  33,  64,  96,  100, 128, 160, 192, 224, 256,
                         288, 320, 352, 384, 448, 512, 608, 640, 768, 896, 1024};
    for (const Subject& one : all)
        for (int threads : sizes) print_blocks(one, 0, threads, -1);
    for (std::size_t i = 0; i < 6; ++i)
        for (int threads : {32, 64, 128, 256, 512, 1024})
            for (int dynamic :
                 {1,     127,   128,   129,   1024,   3000,   6144,   8192,   12000,  16384, 24576,
                  30000, 49152, 65536, 75000, 100000, 115712, 115713, 180000, 227328, 232448})
                print_blocks(all[i], dynamic, threads, -1);
    for (int carveout : {0, 10, 25, 50, 75, 100})
        for (int threads : {64, 256, 1024})
            for (int dynamic : {0, 900, 4096, 20000, 60000}) print_blocks(all[3], dynamic, threads, carveout);
    CHECK(cudaFuncSetAttribute(all[3].kernel, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
    for (const Subject& one : all)
        for (int per_thread : {0, 4, 40, 100, 220})
            for (int limit : {0, 100, 500}) print_best(one, per_thread, limit);
    for (std::size_t i : {0, 1, 2, 24})
        for (int granted : {0, 30000, 49152, optin}) {
            if (granted + all[i].fixed <= optin) print_room(all[i], 128, granted);
        }
    if (device.major >= 9) {
        for (int threads : {128, 512, 1024})
            for (int dynamic : {0, 100000, 200000}) print_clusters(all[0], dynamic, threads);
    }
}
