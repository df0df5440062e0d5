// The occupancy API: how many blocks of a kernel are resident on a multiprocessor, the block size with
// maximum occupancy, and the limits of registers. occupancy_recorded_test.cu compares it with the results of
// a real GPU.
#include <algorithm>

#include "conformance.cuh"

namespace {

cudaDeviceProp properties() {
    cudaDeviceProp all{};
    REQUIRE_CUDA(cudaGetDeviceProperties(&all, 0));
    return all;
}

int round_up(int value, int unit) {
    return (value + unit - 1) / unit * unit;
}

/// Returns the number of resident blocks by the rules in their simplest form, for devices since sm_80.
int expected_blocks(const cudaDeviceProp& d, int registers, int shared, int threads) {
    const int warps = round_up(threads, 32) / 32;
    const int per_warp = round_up(registers * 32, 256);
    const int per_block = round_up(shared + static_cast<int>(d.reservedSharedMemPerBlock), 128);
    if (per_warp * round_up(warps, 4) > d.regsPerBlock) return 0;
    const int by_registers = d.regsPerMultiprocessor / 4 / per_warp * 4 / warps;
    const int by_shared = static_cast<int>(d.sharedMemPerMultiprocessor) / per_block;
    const int by_warps = d.maxThreadsPerMultiProcessor / 32 / warps;
    return std::min({by_registers, by_shared, by_warps, d.maxBlocksPerMultiProcessor});
}

}  // namespace

template <int STATIC>
__global__ void plain(float* out) {
    if constexpr (STATIC > 0) {
        __shared__ char fixed[STATIC];
        fixed[threadIdx.x % STATIC] = 1;
        __syncthreads();
        if (fixed[0] == 0) return;
    }
    out[threadIdx.x] = 1;
}

template <int STATIC>
void check_all_sizes() {
    const cudaDeviceProp device = properties();
    if (device.major < 8) SKIP("the rules in this test are those of sm_80 and later");
    cudaFuncAttributes facts{};
    const int most = static_cast<int>(device.sharedMemPerBlockOptin) - STATIC;
    REQUIRE_CUDA(cudaFuncSetAttribute(plain<STATIC>, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    REQUIRE_CUDA(cudaFuncGetAttributes(&facts, plain<STATIC>));
    for (int threads : {1, 32, 33, 64, 100, 128, 160, 256, 352, 512, 768, 1000, 1024}) {
        for (int dynamic : {0, 1, 128, 1000, 3000, 10000, 30000, 48 * 1024, 100000, most}) {
            int blocks = -1;
            CHECK_CUDA(
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain<STATIC>, threads, dynamic),
                cudaSuccess);
            CHECK_EQUAL(blocks, expected_blocks(device, facts.numRegs, STATIC + dynamic, threads));
        }
    }
}

CASE("blocks per multiprocessor: units of registers, of shared memory and of warps") {
    check_all_sizes<0>();
    check_all_sizes<1024>();
    check_all_sizes<5000>();
}

CASE("a ragged last warp counts as a whole one") {
    int whole = 0, ragged = 0;
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&whole, plain<0>, 512, 0), cudaSuccess);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ragged, plain<0>, 511, 0), cudaSuccess);
    CHECK_EQUAL(ragged, whole);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ragged, plain<0>, 513, 0), cudaSuccess);
    CHECK_EQUAL(ragged, properties().maxThreadsPerMultiProcessor / 544);
}

template <int TAG>
__global__ void without_grant(float* out) {
    *out = TAG;
}

CASE("more dynamic shared memory than the kernel was granted: no block at all") {
    int blocks = -1;
    REQUIRE_CUDA(cudaFuncSetAttribute(without_grant<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152));
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, without_grant<1>, 128, 49152),
               cudaSuccess);
    CHECK(blocks >= 1);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, without_grant<1>, 128, 49153),
               cudaSuccess);
    CHECK_EQUAL(blocks, 0);
    REQUIRE_CUDA(cudaFuncSetAttribute(without_grant<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, without_grant<1>, 128, 60000),
               cudaSuccess);
    CHECK(blocks >= 1);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, without_grant<1>, 128, 60001),
               cudaSuccess);
    CHECK_EQUAL(blocks, 0);
}

__global__ void __launch_bounds__(256) bounded(float* out) {
    *out = 1;
}

CASE("the occupancy API does not ask for __launch_bounds__, though a launch beyond it is refused") {
    int blocks = -1;
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0), cudaSuccess);
    CHECK(blocks >= 1);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 257, 0), cudaSuccess);
    CHECK(blocks >= 1);
}

/// A kernel that needs LIVE values in registers at the same time.
template <int LIVE>
__device__ float sum_of_products(const float* in) {
    float value[LIVE];
    for (int i = 0; i < LIVE; ++i) value[i] = in[i * 128 + threadIdx.x];
    float sum = 0;
    for (int i = 0; i < LIVE; ++i) sum += value[i] * value[LIVE - 1 - i];
    return sum;
}

template <int BLOCKS>
__global__ void __launch_bounds__(128, BLOCKS) crowded(const float* in, float* out) {
    out[threadIdx.x] = sum_of_products<48>(in);
}

CASE("__launch_bounds__(threads, blocks): as many blocks fit, however few registers remain") {
    const int most = properties().maxThreadsPerMultiProcessor / 128;
    cudaFuncAttributes few{}, many{};
    int blocks = 0;
    CHECK_CUDA(cudaFuncGetAttributes(&few, crowded<2>), cudaSuccess);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, crowded<2>, 128, 0), cudaSuccess);
    CHECK(blocks >= 2);
    CHECK_CUDA(cudaFuncGetAttributes(&many, crowded<8>), cudaSuccess);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, crowded<8>, 128, 0), cudaSuccess);
    CHECK(blocks >= 8 && blocks <= most);
    CHECK(many.numRegs <= 64);
    CHECK(many.numRegs <= few.numRegs || few.numRegs <= 64);
}

__global__ void __maxnreg__(24) frugal(const float* in, float* out) {
    out[threadIdx.x] = sum_of_products<20>(in);
}

CASE("__maxnreg__ bounds the registers") {
    cudaFuncAttributes facts{};
    CHECK_CUDA(cudaFuncGetAttributes(&facts, frugal), cudaSuccess);
    CHECK(facts.numRegs > 0 && facts.numRegs <= 24);
    Buffer<float> in(20 * 128, 2.0f), out(128);
    frugal<<<1, 128>>>(in, out);
    CHECK_EQUAL(out.read()[127], 80.0f);
}

namespace {

struct PerThread {
    int bytes;
    __host__ __device__ std::size_t operator()(int threads) const {
        return static_cast<std::size_t>(bytes) * static_cast<std::size_t>(threads);
    }
};

/// Checks that no other block size keeps more threads resident than the suggested one.
void check_best(int per_thread, int limit) {
    int grid = 0, block = 0;
    REQUIRE_CUDA(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, plain<0>,
                                                                PerThread{per_thread}, limit));
    int resident = 0;
    const auto threads_with = [&](int size) {
        REQUIRE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, plain<0>, size,
                                                                   PerThread{per_thread}(size)));
        return resident * size;
    };
    const int best = threads_with(block);
    CHECK(block > 0 && (limit == 0 || block <= limit));
    CHECK_EQUAL(grid, resident * properties().multiProcessorCount);
    for (int size = 32; size <= (limit ? limit : 1024); size += 32) {
        CHECK(threads_with(size) <= best);
        // Of equally good sizes, CUDA suggests the largest.
        if (size > block) CHECK(threads_with(size) < best);
    }
}

}  // namespace

CASE("cudaOccupancyMaxPotentialBlockSizeVariableSMem: the largest of the best block sizes") {
    check_best(0, 0);
    check_best(4, 0);
    check_best(100, 0);
    check_best(220, 0);
    check_best(100, 500);
    check_best(0, 100);
}

CASE("cudaOccupancyMaxPotentialBlockSize: with a fixed amount of shared memory") {
    int grid = 0, block = 0, blocks = 0;
    CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain<0>, 40000, 0), cudaSuccess);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain<0>, block, 40000), cudaSuccess);
    CHECK_EQUAL(grid, blocks * properties().multiProcessorCount);
    CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded, 0, 0), cudaSuccess);
    CHECK(block <= 256);
}

CASE(
    "cudaOccupancyAvailableDynamicSMemPerBlock: a block's share, of which the driver takes its part as "
    "well") {
    const int reserved = static_cast<int>(properties().reservedSharedMemPerBlock);
    REQUIRE_CUDA(cudaFuncSetAttribute(plain<1024>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(properties().sharedMemPerBlockOptin) - 1024));
    for (int wanted : {2, 3, 4, 8}) {
        std::size_t bytes = 0;
        CHECK_CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain<1024>, wanted, 128), cudaSuccess);
        int blocks = 0;
        CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain<1024>, 128, bytes - reserved),
                   cudaSuccess);
        CHECK(blocks >= wanted);
        CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain<1024>, 128, bytes + 256),
                   cudaSuccess);
        CHECK(blocks < wanted);
    }
    REQUIRE_CUDA(cudaFuncSetAttribute(plain<1024>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000));
    std::size_t bytes = 0;
    CHECK_CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain<1024>, 2, 128), cudaSuccess);
    CHECK_EQUAL(bytes, 1000u);
}

template <int TAG>
__global__ void with_preference(float* out) {
    *out = TAG;
}

CASE("a carveout for L1 leaves room for fewer blocks with shared memory") {
    int free_choice = 0, small = 0;
    REQUIRE_CUDA(
        cudaFuncSetAttribute(with_preference<1>, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&free_choice, with_preference<1>, 128, 20000),
               cudaSuccess);
    CHECK_CUDA(cudaFuncSetAttribute(with_preference<1>, cudaFuncAttributePreferredSharedMemoryCarveout, 25),
               cudaSuccess);
    cudaFuncAttributes facts{};
    CHECK_CUDA(cudaFuncGetAttributes(&facts, with_preference<1>), cudaSuccess);
    CHECK_EQUAL(facts.preferredShmemCarveout, 25);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&small, with_preference<1>, 128, 20000),
               cudaSuccess);
    CHECK(small >= 1 && small < free_choice);
}

CASE_MISUSE("wrong arguments are refused") {
    int blocks = 0, grid = 0;
    std::size_t bytes = 0;
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, plain<0>, 128, 0),
               cudaErrorInvalidValue);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain<0>, 0, 0), cudaErrorInvalidValue);
    CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, static_cast<int*>(nullptr), plain<0>, 0, 0),
               cudaErrorInvalidValue);
    CHECK_CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain<0>, 0, 128), cudaErrorInvalidValue);
    CHECK_CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain<0>, 33, 128), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_CUDA(cudaFuncSetAttribute(plain<0>, cudaFuncAttributePreferredSharedMemoryCarveout, 101),
               cudaErrorInvalidValue);
    cudaGetLastError();
}

CONFORMANCE_MAIN("occupancy")
