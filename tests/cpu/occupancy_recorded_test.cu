// Compares the executor's occupancy API with 2,440 results that were recorded on an H200
// (occupancy_table.cu).
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <source_path.hpp>
#include <sstream>

#include "conformance.cuh"

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>

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

/// One recorded result, with the arguments of the query. The names of the numbers are in the first line of
/// each table.
using Answer = std::map<std::string, int>;

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);)
        if (!part.empty()) parts.push_back(part);
    return parts;
}

/// Adds the numbers of a cell to `answer`. For the names "block/grid" and the cell "1024/264", block is 1024
/// and grid is 264.
void note(Answer& answer, const std::string& names, const std::string& cell) {
    const auto name = split(names, '/'), number = split(cell, '/');
    for (std::size_t i = 0; i < name.size(); ++i) answer[name[i]] = std::stoi(number.at(i));
}

/// Returns all rows of the tables that begin with this word, and checks their number.
std::vector<Answer> recorded(const std::string& word, std::size_t count) {
    const std::string here = kit::source_path(__FILE__);
    const std::string path = here.substr(0, here.rfind('/')) + "/recorded/occupancy_h200.txt";
    std::ifstream file(path);
    if (!file) SKIP("nobody has recorded tests/cpu/recorded/occupancy_h200.txt yet: see occupancy_table.cu");
    std::vector<Answer> answers;
    std::vector<std::vector<std::string>> head;
    for (std::string line; std::getline(file, line);) {
        if (line[0] == '#') continue;
        std::vector<std::vector<std::string>> parts;
        for (const std::string& part : split(line, '|')) parts.push_back(split(part, ' '));
        if (std::isalpha(static_cast<unsigned char>(line[0]))) {
            head = parts;
        } else if (head[0][0] == word) {
            CHECK(head[0].size() == parts[0].size() + 1 && head[1].size() == parts[1].size() + 1);
            for (std::size_t column = 0; column < parts[1].size(); ++column) {
                if (parts[1][column] == "-") continue;
                Answer& answer = answers.emplace_back();
                for (std::size_t i = 0; i < parts[0].size(); ++i)
                    note(answer, head[0].at(i + 1), parts[0][i]);
                note(answer, head[1][0], head[1].at(column + 1));
                note(answer, head[2][0], parts[1][column]);
            }
        }
    }
    CHECK_EQUAL(answers.size(), count);
    return answers;
}

/// Fails the case if the executor's result differs from the recorded one.
void compare(const Answer& answer, const char* name, long got) {
    if (got == answer.at(name)) return;
    std::string text;
    for (const auto& [what, number] : answer) text += what + ' ' + std::to_string(number) + ' ';
    CHECK_EQUAL(text, std::string("executor: ") + name + ' ' + std::to_string(got));
}

void only_on_h200() {
    cudaDeviceProp all{};
    REQUIRE_CUDA(cudaGetDeviceProperties(&all, 0));
    if (std::string(all.name) != "NVIDIA H200") SKIP("the table was recorded on an H200");
}

/// Calls body(kernel) for a kernel that has the attributes of the recorded query.
template <class Body>
void with_kernel(const Answer& asked, Body body) {
    const auto value = [&](const char* name, int otherwise) {
        return asked.count(name) ? asked.at(name) : otherwise;
    };
    const int bytes = asked.at("static");
    const auto one = [&](auto kernel) {
        kit::cpu::assume_registers(reinterpret_cast<const void*>(kernel), asked.at("registers"));
        CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        value("granted", 232448 - bytes)),
                   cudaSuccess);
        CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                        value("carveout", -1)),
                   cudaSuccess);
        body(kernel);
    };
    CHECK(bytes == 0 || bytes == 1024 || bytes == 5000);
    if (bytes == 0) one(plain<0>);
    if (bytes == 1024) one(plain<1024>);
    if (bytes == 5000) one(plain<5000>);
}

}  // namespace

CASE("recorded on an H200: the executor's formula for blocks per multiprocessor") {
    for (const Answer& asked : recorded("blocks", 1680)) {
        if (asked.at("carveout") != -1) continue;  // the formula does not support a carveout
        const auto shared = static_cast<std::size_t>(asked.at("static") + asked.at("dynamic"));
        compare(asked, "blocks",
                kit::cpu::resident_blocks("h200", asked.at("registers"), shared, asked.at("threads")));
    }
}

CASE("recorded on an H200: cudaOccupancyMaxActiveBlocksPerMultiprocessor, with carveouts") {
    only_on_h200();
    for (const Answer& asked : recorded("blocks", 1680))
        with_kernel(asked, [&](auto kernel) {
            int blocks = -1;
            CHECK_CUDA(
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, asked.at("threads"),
                                                              static_cast<std::size_t>(asked.at("dynamic"))),
                cudaSuccess);
            compare(asked, "blocks", blocks);
        });
}

CASE("recorded on an H200: cudaOccupancyMaxPotentialBlockSizeVariableSMem") {
    only_on_h200();
    for (const Answer& asked : recorded("best", 585))
        with_kernel(asked, [&](auto kernel) {
            int grid = 0, block = 0;
            CHECK_CUDA(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
                           &grid, &block, kernel, PerThread{asked.at("per_thread")}, asked.at("limit")),
                       cudaSuccess);
            compare(asked, "block", block);
            compare(asked, "grid", grid);
        });
}

CASE("recorded on an H200: cudaOccupancyAvailableDynamicSMemPerBlock") {
    only_on_h200();
    for (const Answer& asked : recorded("room", 112))
        with_kernel(asked, [&](auto kernel) {
            std::size_t bytes = 0;
            const cudaError_t error = cudaOccupancyAvailableDynamicSMemPerBlock(
                &bytes, kernel, asked.at("blocks"), asked.at("threads"));
            cudaGetLastError();
            compare(asked, "bytes", error == cudaSuccess ? static_cast<long>(bytes) : -1);
        });
}

CASE("recorded on an H200: how many clusters fit, to within an eighth") {
    only_on_h200();
    for (const Answer& asked : recorded("clusters", 63)) {
        if (asked.at("size") == 0) continue;
        with_kernel(asked, [&](auto kernel) {
            CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                       cudaSuccess);
            cudaLaunchAttribute size = {};
            size.id = cudaLaunchAttributeClusterDimension;
            size.val.clusterDim.x = static_cast<unsigned>(asked.at("size"));
            size.val.clusterDim.y = size.val.clusterDim.z = 1;
            cudaLaunchConfig_t config = {};
            config.gridDim = dim3(96 * size.val.clusterDim.x);
            config.blockDim = dim3(static_cast<unsigned>(asked.at("threads")));
            config.dynamicSmemBytes = static_cast<std::size_t>(asked.at("dynamic"));
            config.attrs = &size;
            config.numAttrs = 1;
            int clusters = 0;
            CHECK_CUDA(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config), cudaSuccess);
            const int want = asked.at("clusters");
            if (std::abs(clusters - want) > want / 8 + 1) compare(asked, "clusters", clusters);
        });
    }
}

#else

CASE("recorded on an H200") {
    SKIP("this compares the CPU executor with what a GPU has answered");
}

#endif

CONFORMANCE_MAIN("occupancy_recorded")
