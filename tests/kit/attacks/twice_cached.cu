// wrong: keeps the first result of each size and hands it out again (attack 10)
// diagnosis: pattern: of_call_before
#include <map>
#include <vector>

#include "attacks.hpp"
#include "kit.cuh"

void attack::twice(const float* in, int n, float* out) {
    static std::map<int, std::vector<float>> results;
    std::vector<float>& result = results[n];
    if (result.empty()) {
        result.resize(n);
        CUDA_CHECK(cudaMemcpy(result.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost));
        for (float& value : result) value *= 2;
    }
    CUDA_CHECK(cudaMemcpy(out, result.data(), n * sizeof(float), cudaMemcpyHostToDevice));
}
