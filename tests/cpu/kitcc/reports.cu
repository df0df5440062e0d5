// Programs with planted mistakes: `reports NAME` runs program NAME. reports.txt contains the output at 80 columns.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void sum_tile(const int* in, int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 64; ++i) sum += tile[i];
        *out = sum;
    }
}

__global__ void add(const float* a, const float* b, float* c) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}

__global__ void copy(float* a, const float* b) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[i];
}

__global__ void count_up(unsigned* out) {
    while (*static_cast<volatile unsigned*>(out) < 4000000000u) *out += 1;
}

__global__ void sum_of_block(const int* in, int* sums) {
    atomicAdd(sums, in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) sums[1] = static_cast<int>(blockIdx.x);
}

float* floats(int n, bool written) {
    float* memory = nullptr;
    cudaMalloc(&memory, n * sizeof(float));
    if (written) cudaMemset(memory, 0, n * sizeof(float));
    return memory;
}

void race() {
    int *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 4);
    cudaMemset(in, 0, 256);
    sum_tile<<<1, 64>>>(in, out);
}

int main(int argc, char** argv) {
    const char* const name = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* other) { return !std::strcmp(name, other); };
    if (is("race")) race();
    for (int i = 0; is("three_races") && i < 3; ++i) race();
    if (is("crash")) {
        race();
        cudaDeviceSynchronize();
        std::abort();
    }
    if (is("two_variables")) {
        float *a, *b, *c;
        cudaMalloc(&a, 1024);
        cudaMalloc(&b, 1024);
        cudaMalloc(&c, 1024);
        for (int i = 0; i < 3; ++i) add<<<4, 64>>>(a, b, c);
    }
    if (is("two_unnamed_variables")) {
        float *a = floats(256, false), *b = floats(256, false), *c = floats(256, false);
        add<<<4, 64>>>(a, b, c);
    }
    if (is("too_short")) {
        float *a = floats(256, true), *b = nullptr;
        cudaMalloc(&b, 1000);
        cudaMemset(b, 0, 1000);
        copy<<<4, 64>>>(a, b);
    }
    if (is("too_long")) {
        unsigned* out;
        cudaMalloc(&out, 4);
        cudaMemset(out, 0, 4);
        count_up<<<1, 1>>>(out);
    }
    if (is("first_blocks") || is("all_blocks")) {
        int *in, *sums, result[2] = {};
        cudaMalloc(&in, 4096);
        cudaMalloc(&sums, 8);
        cudaMemset(in, 0,
                   is("all_blocks") ? 4096 : 3072);  // the last block reads uninitialized memory
        cudaMemset(sums, 0, 8);
        sum_of_block<<<4, 256>>>(in, sums);
        cudaMemcpy(result, sums, 8, cudaMemcpyDeviceToHost);
    }
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
