// Output of kernels, and functions that end a kernel or read a clock: printf, assert, __trap, clock64.
#undef NDEBUG  // this test needs assert
#include <algorithm>
#include <cassert>
#include <sstream>

#include "conformance.cuh"

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    std::sort(lines.begin(), lines.end());
    return lines;
}

__global__ void greet() {
    printf("block %u thread %u\n", blockIdx.x, threadIdx.x);
}

CASE("printf: every thread's line is there after the synchronisation") {
    Capture capture(1);
    greet<<<2, 3>>>();
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(lines_of(capture.text()),
                std::vector<std::string>{"block 0 thread 0", "block 0 thread 1", "block 0 thread 2",
                                         "block 1 thread 0", "block 1 thread 1", "block 1 thread 2"});
}

__global__ void formats(int i, double d, unsigned long long wide) {
    printf("%d|%5d|%-5d|%05d|%x|%c|%s|%%\n", i, i, i, i, i, 'k', "text");
    printf("%.2f|%8.3f|%g|%e|%llu|%lld\n", d, d, 0.5f, d, wide, -1ll);
}

CASE("printf: formats") {
    Capture capture(1);
    formats<<<1, 1>>>(42, 3.14159, 1ull << 40);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(capture.text(), std::string("42|   42|42   |00042|2a|k|text|%\n"
                                            "3.14|   3.142|0.5|3.141590e+00|1099511627776|-1\n"));
}

__global__ void clocks(long long* out) {
    const long long start = clock64();
    long long sum = 0;
    for (int i = 0; i < 1000; ++i) sum += atomicAdd(reinterpret_cast<unsigned long long*>(out), 1ull) & 1;
    out[1] = clock64() - start;
    out[2] = sum;
}

CASE("clock64 advances") {
    Buffer<long long> out(3);
    clocks<<<1, 1>>>(out);
    CHECK(out.read()[1] > 0);
}

__global__ void spin(long long cycles, int* out) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
    *out = 1;
}

CASE("a kernel may spin on clock64") {
    Buffer<int> out(1);
    spin<<<1, 1>>>(100000, out);
    CHECK_EQUAL(out.read()[0], 1);
}

__global__ void clocks_side_by_side(int cycles, unsigned* out) {
    const unsigned start = static_cast<unsigned>(clock());
    const long long from = clock64();
    while (clock64() - from < cycles) {
    }
    *out = static_cast<unsigned>(clock()) - start;
}

CASE("clock and clock64 count the same") {
    Buffer<unsigned> out(1);
    clocks_side_by_side<<<1, 1>>>(1'000'000, out);
    CHECK(out.read()[0] >= 1'000'000);
}

__global__ void asserting(int limit) {
    assert(static_cast<int>(threadIdx.x) < limit);
}

CASE("assert that holds does nothing") {
    asserting<<<1, 4>>>(4);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
}

CASE_FATAL("assert that fails: cudaErrorAssert, and a message with expression, block and thread") {
    Capture capture(2);
    asserting<<<1, 4>>>(3);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorAssert);
    const std::string text = capture.text();
    for (const char* part : {"device_output_test.cu", "static_cast<int>(threadIdx.x) < limit", "asserting",
                             "block: [0,0,0]", "thread: [3,0,0]", "failed"})
        if (text.find(part) == std::string::npos)
            conformance::fail(__FILE__, __LINE__, part + (" not in: " + text));
}

CASE_FATAL("a failed assert is sticky") {
    Capture capture(2);
    asserting<<<1, 4>>>(0);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorAssert);
    void* p = nullptr;
    CHECK_CUDA(cudaMalloc(&p, 4), cudaErrorAssert);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorAssert);
}

__global__ void trapping(int i) {
    if (static_cast<int>(threadIdx.x) == i) __trap();
}

CASE("a __trap() that nobody reaches does nothing") {
    trapping<<<1, 32>>>(32);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
}

CASE_FATAL("__trap() ends the kernel with cudaErrorLaunchFailure") {
    trapping<<<1, 32>>>(5);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

CONFORMANCE_MAIN("device_output")
