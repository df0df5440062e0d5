// wrong: computed on the host (attack 13)
// diagnosis.cpu: fault: all_on_host
#include <vector>

#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    std::vector<float> values(n);
    CUDA_CHECK(cudaMemcpy(values.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost));
    double total = 0;
    for (float value : values) total += value;
    const float result = static_cast<float>(total);
    CUDA_CHECK(cudaMemcpy(out, &result, sizeof result, cudaMemcpyHostToDevice));
}
