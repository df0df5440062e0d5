// Allocates memory once, uses it for all calls, and enlarges it if needed: this is not a leak, so it is graded as passed.
#include "attacks.hpp"
#include "kit.cuh"

namespace {

__global__ void sum_kernel(const float* in, int n, float* room, float* out) {
    float total = 0;
    for (int i = 0; i < n; ++i) total += in[i];
    room[n] = total;
    *out = room[n];
}

}  // namespace

void attack::sum(const float* in, int n, float* out) {
    static float* room = nullptr;
    static int size = 0;
    if (n + 1 > size) {
        CUDA_CHECK(cudaFree(room));
        size = n + 1;
        CUDA_CHECK(cudaMalloc(&room, sizeof(float) * static_cast<std::size_t>(size)));
    }
    sum_kernel<<<1, 1>>>(in, n, room, out);
    CUDA_CHECK_LAUNCH();
}
