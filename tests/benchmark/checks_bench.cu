// What the checks of the CPU executor cost on the kernels of the course: the time of each, for measure.sh to compare
// with and without KIT_CHECKS=0.
//
//   build: cmake --build --preset solutions -t benchmark.checks
//   run  : build/solutions/benchmark/checks            lines of: name, milliseconds (the best of five)
//
// Also what the shadow memory weighs: how much the process grows while a kernel touches the first 4 KB of 256 MiB, and
// while one touches 32 MiB of 4-byte words.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "06_histogram/06_histogram.hpp"
#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace {

template <class Body>
void time(const char* name, Body body) {
    double best = 1e30;
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        body();
        CUDA_CHECK(cudaDeviceSynchronize());
        best = std::min(
            best,
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::printf("%-32s %10.3f\n", name, best);
}

__global__ void set(int* data, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) data[i] = i;
}

/// Resident memory of this process in bytes; 0 where the system does not tell.
double resident() {
    long pages = 0, all = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld %ld", &all, &pages) != 2) pages = 0;
        std::fclose(file);
    }
    return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void weigh(const char* name, std::size_t bytes, int touched) {
    int* data = nullptr;
    CUDA_CHECK(cudaMalloc(&data, bytes));
    const double before = resident();
    set<<<kit::ceil_div(touched, 256), 256>>>(data, touched);
    CUDA_CHECK(cudaDeviceSynchronize());
    std::printf("%-32s %10.2f MiB\n", name, (resident() - before) / (1 << 20));
    CUDA_CHECK(cudaFree(data));
}

}  // namespace

int main() {
    constexpr int n = 1 << 18;
    std::vector<float> numbers(n);
    std::vector<unsigned char> bytes(n);
    std::vector<char> text(n);
    for (int i = 0; i < n; ++i) {
        numbers[i] = static_cast<float>(i % 17);
        bytes[i] = static_cast<unsigned char>(i * 7919 >> 3);
        text[i] = static_cast<char>('a' + i * 31 % 26);
    }
    kit::DeviceBuffer<float> in(numbers), sums(std::vector<float>(n, 0.0f));
    kit::DeviceBuffer<unsigned char> data(bytes);
    kit::DeviceBuffer<char> letters(text);
    kit::DeviceBuffer<unsigned int> bins(std::vector<unsigned int>(256, 0));
    kit::DeviceBuffer<double> total(std::vector<double>(1, 0.0));

    time("07 tree, divergent", [&] { reduction::tree_divergent(in.data(), n, sums.data()); });
    time("07 tree, converged", [&] { reduction::tree_converged(in.data(), n, sums.data()); });
    time("07 tree", [&] { reduction::tree(in.data(), n, sums.data()); });
    time("07 warp_shuffle", [&] { reduction::warp_shuffle(in.data(), n, sums.data()); });
    time("07 atomic_per_block", [&] { reduction::atomic_per_block(in.data(), n, total.data()); });
    time("06 sections", [&] { histogram::sections(letters.data(), n, bins.data()); });
    time("06 interleaved", [&] { histogram::interleaved(letters.data(), n, bins.data()); });
    time("06 privatized", [&] { histogram::privatized(letters.data(), n, bins.data(), 256); });
    time("06 byte_histogram", [&] { histogram::byte_histogram(data.data(), n, bins.data()); });
    time("06 aggregated_letters", [&] { histogram::aggregated_letters(letters.data(), n, bins.data()); });
    time("06 aggregated_bytes", [&] { histogram::aggregated_bytes(data.data(), n, bins.data()); });

    weigh("4 KiB touched of 256 MiB", std::size_t{256} << 20, 1024);
    weigh("32 MiB touched", std::size_t{32} << 20, 8 << 20);
    return 0;
}
