// expect: wrong; task 2|3; cause: on the host | host
#include <vector>
#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction {

__global__ void put(float value, float* where) { *where = value; }

void tree_divergent(const float* in, int n, float* block_sums) {
    std::vector<float> values(n);
    if (n == 0) return;
    CUDA_CHECK(cudaMemcpy(values.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int b = 0; b * kBlock < n; ++b) {
        float sum = 0;
        for (int i = b * kBlock; i < n && i < (b + 1) * kBlock; ++i) sum += values[i];
        put<<<1, 1>>>(sum, block_sums + b);
    }
    CUDA_CHECK_LAUNCH();
}

}  // namespace reduction
