// Prints the results of the occupancy API on a real GPU, for kernels with many different register counts.
// occupancy_recorded_test.cu compares the CPU executor's formula with these tables.
//
//   Build: nvcc -std=c++17 -arch=native tests/cpu/occupancy_table.cu -o occupancy_table
//   Run:   ./occupancy_table > tests/cpu/recorded/occupancy_h200.txt
//
// The first line of a table names the queried function (blocks, best, room or clusters, see below), the
// arguments that are the same in a row, the argument that varies along the row, and the result. Each further
// line is a row. "/" joins the numbers of one cell, and "-" is a query that is impossible. For example:
//
//   blocks registers static dynamic carveout | threads 64 96 128 | blocks
//   28 0 0 -1 | 32 21 16

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                              \
            std::fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, cudaGetErrorName(error)); \
            std::exit(1);                                                                        \
        }                                                                                        \
    } while (0)

/// Keeps LIVE values in registers at the same time, and has STATIC bytes of shared memory.
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

/// The numbers of one cell: arguments or results; empty if the query is impossible.
using Cell = std::vector<int>;

/// A table, which its first line describes. row() makes the queries of one row and prints it.
class Table {
  public:
    explicit Table(const char* head) {
        std::printf("%s\n", head);
        const std::string text = head;
        const std::size_t begin = text.find('|') + 1;
        std::istringstream line(text.substr(begin, text.rfind('|') - begin));
        std::string cell;
        line >> cell;  // the names of the numbers in the columns
        while (line >> cell) {
            columns_.emplace_back();
            std::istringstream numbers(cell);
            for (std::string number; std::getline(numbers, number, '/');)
                columns_.back().push_back(std::stoi(number));
        }
    }

    template <class Ask>
    void row(const Cell& keeps, Ask ask) const {
        for (int number : keeps) std::printf("%d ", number);
        std::printf("|");
        for (const Cell& column : columns_) {
            std::string answer;
            for (int number : ask(column)) answer += (answer.empty() ? "" : "/") + std::to_string(number);
            std::printf(" %s", answer.empty() ? "-" : answer.c_str());
        }
        std::printf("\n");
    }

  private:
    std::vector<Cell> columns_;
};

/// The table "blocks": how many blocks are resident on a multiprocessor.
Cell blocks(const Subject& one, int dynamic, int threads, int carveout) {
    if (dynamic + one.fixed > optin) return {};
    int blocks = 0;
    CHECK(cudaFuncSetAttribute(one.kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, one.kernel, threads, dynamic));
    return {blocks};
}

struct SharedOfBlock {
    int per_thread;
    __host__ __device__ size_t operator()(int threads) const {
        return static_cast<size_t>(per_thread) * threads;
    }
};

/// The table "best": block and grid size from MaxPotentialBlockSize, with this many bytes of shared memory
/// per thread.
Cell best(const Subject& one, int per_thread, int limit) {
    int grid = 0, block = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, one.kernel, SharedOfBlock{per_thread},
                                                         limit));
    return {block, grid};
}

/// The table "room": bytes from AvailableDynamicSMemPerBlock; -1 is an error.
Cell room(const Subject& one, int threads, int blocks) {
    std::size_t bytes = 0;
    const cudaError_t error = cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, one.kernel, blocks, threads);
    cudaGetLastError();
    return {error == cudaSuccess ? static_cast<int>(bytes) : -1};
}

/// The table "clusters": how many clusters of this size are resident at the same time; for size 0, the
/// largest cluster size.
Cell clusters(const Subject& one, int dynamic, int threads, int size) {
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
    return {answer};
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

    const Table by_threads(
        "blocks registers static dynamic carveout | threads 1 32 33 64 96 100 128 160 192 224 256 288 320 "
        "352 384 "
        "448 512 608 640 768 896 1024 | blocks");
    for (const Subject& one : all)
        by_threads.row({one.registers, one.fixed, 0, -1},
                       [&](const Cell& threads) { return blocks(one, 0, threads[0], -1); });

    const auto by_dynamic = [&](const Table& table, const Subject& one, int carveout, int threads) {
        table.row({one.registers, one.fixed, carveout, threads},
                  [&](const Cell& dynamic) { return blocks(one, dynamic[0], threads, carveout); });
    };
    const Table full(
        "blocks registers static carveout threads | dynamic 1 127 128 129 1024 3000 6144 8192 12000 16384 "
        "24576 "
        "30000 49152 65536 75000 100000 115712 115713 180000 227328 232448 | blocks");
    for (std::size_t i = 0; i < 6; ++i)
        for (int threads : {32, 64, 128, 256, 512, 1024}) by_dynamic(full, all[i], -1, threads);
    const Table carved("blocks registers static carveout threads | dynamic 0 900 4096 20000 60000 | blocks");
    for (int carveout : {0, 10, 25, 50, 75, 100})
        for (int threads : {64, 256, 1024}) by_dynamic(carved, all[3], carveout, threads);
    CHECK(cudaFuncSetAttribute(all[3].kernel, cudaFuncAttributePreferredSharedMemoryCarveout, -1));

    const Table sizes(
        "best registers static | per_thread/limit 0/0 0/100 0/500 4/0 4/100 4/500 40/0 40/100 40/500 "
        "100/0 100/100 100/500 220/0 220/100 220/500 | block/grid");
    for (const Subject& one : all)
        sizes.row({one.registers, one.fixed},
                  [&](const Cell& asked) { return best(one, asked[0], asked[1]); });

    const Table rooms("room registers static threads granted | blocks 1 2 3 4 7 8 16 32 | bytes");
    for (std::size_t i : {0, 1, 2, 24})
        for (int granted : {0, 30000, 49152, optin}) {
            if (granted + all[i].fixed > optin) continue;
            grant(all[i], granted);
            rooms.row({all[i].registers, all[i].fixed, 128, granted},
                      [&](const Cell& blocks) { return room(all[i], 128, blocks[0]); });
        }

    if (device.major < 9) return 0;
    CHECK(cudaFuncSetAttribute(all[0].kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    const Table groups("clusters registers static dynamic threads | size 0 1 2 3 4 8 16 | clusters");
    for (int threads : {128, 512, 1024})
        for (int dynamic : {0, 100000, 200000})
            groups.row({all[0].registers, all[0].fixed, dynamic, threads},
                       [&](const Cell& size) { return clusters(all[0], dynamic, threads, size[0]); });
}
