// Mistakes with output and results: strings in host memory, and functions without a return statement.
#include <string>

#include "checks.cuh"

// nvcc and GCC warn about these functions, whose mistakes are intended.
#pragma GCC diagnostic ignored "-Wreturn-type"
#ifdef __CUDACC__
#pragma nv_diag_suppress 940
#endif

__global__ void say(const char* text) {
    printf("%s\n", text);  // <-
}
PLANTED("a literal of the host is printed", "host_pointer", "a string that is in host memory") {
    say<<<1, 1>>>("text of the host");
}

__global__ void say_with_numbers(int i, double d, const char* text) {
    printf("%d %*d %.3f %lld %s\n", i, 4, i, d, 1ll << 40, text);  // <-
}
PLANTED("a string of the host's heap is printed after numbers", "host_pointer", "thread (0,0,0)") {
    const std::string text(100, 'x');
    say_with_numbers<<<1, 1>>>(1, 2.0, text.c_str());
    cudaDeviceSynchronize();
}

struct Label {
    int number;
    const char* name;
};
__global__ void say_name(Label label) {
    printf("%d: %s\n", label.number, label.name);  // <-
}
PLANTED("the pointer is in a structure", "host_pointer", "a string that is in host memory") {
    say_name<<<1, 1>>>({1, "one"});
}

__global__ void say_shortened(const char* text) {
    printf("%d%% %5.*s\n", 100, 2, text);  // <-
}
PLANTED("a precision from an argument", "argument", "Write the precision into the format") {
    Buffer<char> text(std::vector<char>{'l', 'o', 'n', 'g', 0});
    say_shortened<<<1, 1>>>(text);
}

__device__ int sum_of_three(const int* in) {  // <-
    if (in[0] > 0) return in[0] + in[1] + in[2];
}
__global__ void sums(const int* in, int* out) {
    out[threadIdx.x] = sum_of_three(in + threadIdx.x);
}
PLANTED("a path without its return statement", "trap", "Add the missing return statement") {
    Buffer<int> in(34, 0), out(32);
    sums<<<1, 32>>>(in, out);
}

template <class T>
__device__ T nothing(T) {  // <-
}
__global__ void uses_nothing(float* out) {
    out[threadIdx.x] = nothing(1.0f);
}
PLANTED("a function template without a return statement", "trap", "must return a value") {
    Buffer<float> out(32);
    uses_nothing<<<1, 32>>>(out);
}

CHECKS_MAIN("planted_output")
