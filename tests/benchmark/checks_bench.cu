// Measures what the CPU executor's checks cost for kernels of the course: prints the time of each kernel.
// measure.sh compares runs with and without KIT_CHECKS=0.
//
// build: cmake --build --preset solutions -t benchmark.checks
// run  : build/course/benchmark/checks      prints lines of: name, milliseconds of processor time (the best of five)
//
// Also measures kernels that access memory byte by byte, and the memory that the checks use: by how much the
// process grows while a kernel accesses the first 4 KB of 256 MiB, 32 MiB of 4-byte words, and arrays of
// bytes.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "06_histogram/06_histogram.hpp"
#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace {

/// Returns the processor time of the process, in which other work on the machine does not count.
template <class Body>
void time(const char* name, Body body) {
    double best = 1e30;
    for (int run = 0; run < 5; ++run) {
        const std::clock_t start = std::clock();
        body();
        CUDA_CHECK(cudaDeviceSynchronize());
        best = std::min(best, static_cast<double>(std::clock() - start) * 1e3 / CLOCKS_PER_SEC);
    }
    std::printf("%-32s %10.3f\n", name, best);
}

__global__ void set(int* data, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) data[i] = i;
}

using Byte = unsigned char;

__device__ unsigned place() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void copy_bytes(const Byte* in, int n, Byte* out) {
    for (unsigned i = place(); i < static_cast<unsigned>(n); i += gridDim.x * blockDim.x) out[i] = in[i];
}

/// Three threads read each byte.
__global__ void blur_bytes(const Byte* in, int n, Byte* out) {
    const int i = static_cast<int>(place());
    if (i > 0 && i < n - 1) out[i] = static_cast<Byte>((in[i - 1] + 2 * in[i] + in[i + 1]) / 4);
}

/// Two threads in different blocks write each byte, which is a race that is reported once.
__global__ void race_on_bytes(Byte* out, int n) {
    const unsigned i = place() % static_cast<unsigned>(n);
    out[i] = static_cast<Byte>(blockIdx.x);
}

/// Returns the resident memory of this process in bytes; 0 if the operating system does not report it.
double resident() {
    long pages = 0, all = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld %ld", &all, &pages) != 2) pages = 0;
        std::fclose(file);
    }
    return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

template <class Launch>
void weigh(const char* name, double touched, Launch launch) {
    const double before = resident();
    launch();
    CUDA_CHECK(cudaDeviceSynchronize());
    const double grown = resident() - before;
    std::printf("%-32s %10.2f MiB %6.2f per byte\n", name, grown / (1 << 20), grown / touched);
}

/// Memory that is never freed, so that each kernel gets memory that no kernel has accessed.
template <class T>
T* fresh(std::size_t n) {
    T* data = nullptr;
    CUDA_CHECK(cudaMalloc(&data, n * sizeof(T)));
    CUDA_CHECK(cudaMemset(data, 0, n * sizeof(T)));
    return data;
}

void weigh_words(const char* name, std::size_t bytes, int touched) {
    int* const data = fresh<int>(bytes / sizeof(int));
    weigh(name, touched * 4.0, [=] { set<<<kit::ceil_div(touched, 256), 256>>>(data, touched); });
}

void weigh_bytes() {
    constexpr int n = 4 << 20, blocks = n / 256;
    Byte *const in = fresh<Byte>(n), *const out = fresh<Byte>(n), *const blurred = fresh<Byte>(n),
                *const unblurred = fresh<Byte>(n), *const raced = fresh<Byte>(n);
    weigh("bytes copied", 2.0 * n, [=] { copy_bytes<<<blocks, 256>>>(in, n, out); });
    weigh("bytes blurred", 2.0 * n, [=] { blur_bytes<<<blocks, 256>>>(unblurred, n, blurred); });
    weigh("bytes raced for", n, [=] { race_on_bytes<<<2 * blocks, 256>>>(raced, n); });
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

    kit::DeviceBuffer<Byte> copied(bytes);
    time("bytes copied", [&] { copy_bytes<<<n / 256, 256>>>(data.data(), n, copied.data()); });
    time("bytes copied, long strides", [&] { copy_bytes<<<1, 32>>>(data.data(), n, copied.data()); });
    time("bytes blurred", [&] { blur_bytes<<<n / 256, 256>>>(data.data(), n, copied.data()); });

    weigh_words("4 KiB touched of 256 MiB", std::size_t{256} << 20, 1024);
    weigh_words("32 MiB touched", std::size_t{32} << 20, 8 << 20);
    weigh_bytes();
    return 0;
}
