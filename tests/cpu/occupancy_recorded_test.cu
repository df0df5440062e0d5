// The occupancy API of the executor against answers recorded on an H200, 2,440 of them: see occupancy_table.cu.
#include <cstdlib>
#include <fstream>

#include "conformance.cuh"

#ifdef KIT_CPU

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

namespace {

struct PerThread {
    int bytes;
    std::size_t operator()(int threads) const {
        return static_cast<std::size_t>(bytes) * static_cast<std::size_t>(threads);
    }
};

/// The lines of the recorded table that begin with this word, each as numbers.
std::vector<std::vector<long>> recorded(const std::string& word) {
    const std::string here = __FILE__;
    const std::string path = here.substr(0, here.rfind('/')) + "/recorded/occupancy_h200.txt";
    std::ifstream file(path);
    if (!file) SKIP("nobody has recorded tests/cpu/recorded/occupancy_h200.txt yet: see occupancy_table.cu");
    std::vector<std::vector<long>> lines;
    for (std::string line; std::getline(file, line);) {
        std::istringstream text(line);
        std::string first;
        text >> first;
        if (first != word) continue;
        lines.emplace_back();
        for (long number = 0; text >> number;) lines.back().push_back(number);
    }
    return lines;
}

std::string as_text(const std::vector<long>& numbers) {
    std::string text;
    for (long number : numbers) text += ' ' + std::to_string(number);
    return text;
}

void only_on_h200() {
    cudaDeviceProp all{};
    REQUIRE_CUDA(cudaGetDeviceProperties(&all, 0));
    if (std::string(all.name) != "NVIDIA H200") SKIP("the table was recorded on an H200");
}

/// Calls body(kernel) for the kernel with this much static shared memory.
template <class Body>
void with_static(long bytes, int registers, Body body) {
    const auto one = [&](auto kernel) {
        kit::cpu::assume_registers(reinterpret_cast<const void*>(kernel), registers);
        body(kernel);
    };
    if (bytes == 0) one(plain<0>);
    if (bytes == 1024) one(plain<1024>);
    if (bytes == 5000) one(plain<5000>);
}

}  // namespace

CASE("recorded on an H200: the executor's formula for blocks per multiprocessor") {
    const auto lines = recorded("blocks");
    CHECK(lines.size() >= 200);
    for (const auto& line : lines) {
        if (line[4] != -1) continue;  // the formula knows no carveout
        const int got =
            kit::cpu::resident_blocks("h200", static_cast<int>(line[0]),
                                      static_cast<std::size_t>(line[1] + line[2]), static_cast<int>(line[3]));
        if (got != line[5]) CHECK_EQUAL("blocks" + as_text(line), "executor: " + std::to_string(got));
    }
}

CASE("recorded on an H200: cudaOccupancyMaxActiveBlocksPerMultiprocessor, with carveouts") {
    only_on_h200();
    for (const auto& line : recorded("blocks"))
        with_static(line[1], static_cast<int>(line[0]), [&](auto kernel) {
            int blocks = -1;
            CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            232448 - static_cast<int>(line[1])),
                       cudaSuccess);
            CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                            static_cast<int>(line[4])),
                       cudaSuccess);
            CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                           &blocks, kernel, static_cast<int>(line[3]), static_cast<std::size_t>(line[2])),
                       cudaSuccess);
            if (blocks != line[5])
                CHECK_EQUAL("blocks" + as_text(line), "executor: " + std::to_string(blocks));
        });
}

CASE("recorded on an H200: cudaOccupancyMaxPotentialBlockSizeVariableSMem") {
    only_on_h200();
    for (const auto& line : recorded("best"))
        with_static(line[1], static_cast<int>(line[0]), [&](auto kernel) {
            int grid = 0, block = 0;
            CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            232448 - static_cast<int>(line[1])),
                       cudaSuccess);
            CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, -1),
                       cudaSuccess);
            CHECK_CUDA(
                cudaOccupancyMaxPotentialBlockSizeVariableSMem(
                    &grid, &block, kernel, PerThread{static_cast<int>(line[2])}, static_cast<int>(line[3])),
                cudaSuccess);
            if (block != line[4] || grid != line[5])
                CHECK_EQUAL("best" + as_text(line),
                            "executor: " + std::to_string(block) + " " + std::to_string(grid));
        });
}

CASE("recorded on an H200: cudaOccupancyAvailableDynamicSMemPerBlock") {
    only_on_h200();
    for (const auto& line : recorded("room"))
        with_static(line[1], static_cast<int>(line[0]), [&](auto kernel) {
            std::size_t bytes = 0;
            CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(line[4])),
                       cudaSuccess);
            CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, -1),
                       cudaSuccess);
            const cudaError_t error = cudaOccupancyAvailableDynamicSMemPerBlock(
                &bytes, kernel, static_cast<int>(line[3]), static_cast<int>(line[2]));
            cudaGetLastError();
            const long got = error == cudaSuccess ? static_cast<long>(bytes) : -1;
            if (got != line[5]) CHECK_EQUAL("room" + as_text(line), "executor: " + std::to_string(got));
        });
}

CASE("recorded on an H200: how many clusters fit, to within an eighth") {
    only_on_h200();
    for (const auto& line : recorded("clusters")) {
        if (line[4] == 0) continue;
        kit::cpu::assume_registers(reinterpret_cast<const void*>(plain<0>), static_cast<int>(line[0]));
        CHECK_CUDA(cudaFuncSetAttribute(plain<0>, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448),
                   cudaSuccess);
        CHECK_CUDA(cudaFuncSetAttribute(plain<0>, cudaFuncAttributePreferredSharedMemoryCarveout, -1),
                   cudaSuccess);
        CHECK_CUDA(cudaFuncSetAttribute(plain<0>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                   cudaSuccess);
        cudaLaunchAttribute size = {};
        size.id = cudaLaunchAttributeClusterDimension;
        size.val.clusterDim.x = static_cast<unsigned>(line[4]);
        size.val.clusterDim.y = size.val.clusterDim.z = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(96 * static_cast<unsigned>(line[4]));
        config.blockDim = dim3(static_cast<unsigned>(line[3]));
        config.dynamicSmemBytes = static_cast<std::size_t>(line[2]);
        config.attrs = &size;
        config.numAttrs = 1;
        int clusters = 0;
        CHECK_CUDA(cudaOccupancyMaxActiveClusters(&clusters, plain<0>, &config), cudaSuccess);
        if (std::abs(clusters - line[5]) > line[5] / 8 + 1)
            CHECK_EQUAL("clusters" + as_text(line), "executor: " + std::to_string(clusters));
    }
}

#else

CASE("recorded on an H200") {
    SKIP("this compares the CPU executor with what a GPU has answered");
}

#endif

CONFORMANCE_MAIN("occupancy_recorded")
