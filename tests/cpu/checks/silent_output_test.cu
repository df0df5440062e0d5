// Correct output and results of kernels: strings that a GPU can read, and functions that return on every path
// that is taken.
#include <cstring>

#include "checks.cuh"

struct Name {
    int number;
    char text[12];
};
__constant__ char title[] = "constant";
__device__ char notice[] = "variable";

__global__ void say_own(Name name) {
    __shared__ char shared[4];
    char local[4] = {'l', 'o', 'c', 0};
    for (int i = 0; i < 4; ++i) shared[i] = local[i];
    printf("%s %s %s %s|%s %s\n", name.text, title, notice, "literal", shared, local);
}
SILENT("strings of device code") {
    conformance::Capture capture(1);
    say_own<<<1, 1>>>(Name{3, "name"});
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(capture.text(), std::string("name constant variable literal|loc loc\n"));
}

__global__ void say_given(const char* device, const char* managed, const char* pinned) {
    printf("%s %s %s\n", device, managed, pinned);
}
SILENT("strings of memory that a GPU can read") {
    conformance::Capture capture(1);
    Buffer<char> device(std::vector<char>{'d', 'e', 'v', 0});
    char *managed = nullptr, *pinned = nullptr;
    CHECK_CUDA(cudaMallocManaged(&managed, 8), cudaSuccess);
    CHECK_CUDA(cudaMallocHost(&pinned, 8), cudaSuccess);
    std::strcpy(managed, "man");
    std::strcpy(pinned, "pin");
    say_given<<<1, 1>>>(device, managed, pinned);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(capture.text(), std::string("dev man pin\n"));
    cudaFree(managed);
    cudaFreeHost(pinned);
}

__global__ void say_formatted(int number) {
    const char* const chosen = number > 1 ? "many" : "one";
    printf("%5d|%*d|%-8s|%.2s|%c|%lf|%lu|%%.*|%s\n", number, 3, number, chosen, chosen, 'c', 0.5, 7ul,
           chosen);
}
SILENT("formats that a GPU knows: it takes no precision from an argument, and no hh") {
    conformance::Capture capture(1);
    say_formatted<<<1, 1>>>(3);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(capture.text(), std::string("    3|  3|many    |ma|c|0.500000|7|%.*|many\n"));
}

enum class Sign { negative, positive };
__device__ int value_of(Sign sign) {
    switch (sign) {
        case Sign::negative:
            return -1;
        case Sign::positive:
            return 1;
    }
    __trap();
}
__device__ int first_positive(const int* in) {
    for (int i = 0;; ++i)
        if (in[i] > 0) return i;
}
__global__ void returns(const int* in, int* out) {
    out[threadIdx.x] = value_of(threadIdx.x % 2 ? Sign::positive : Sign::negative) * first_positive(in);
}
SILENT("functions that end in a loop, or in __trap()") {
    Buffer<int> in(std::vector<int>{0, 0, 5}), out(32);
    returns<<<1, 32>>>(in, out);
    CHECK_EQUAL(out.read()[1], 2);
}

CHECKS_MAIN("silent_output")
