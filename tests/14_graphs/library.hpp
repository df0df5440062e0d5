// Represents a library that initializes itself at the first call: many libraries allocate memory, create handles, or fill
// a table.
#pragma once

#include <vector>

#include "kit.cuh"

namespace graphs {

/// Returns 256 odd factors in device memory. The first call allocates and copies; later calls only return the
/// pointer.
inline const unsigned int* coefficients() {
    static const unsigned int* const table = [] {
        std::vector<unsigned int> values(256);
        for (unsigned int i = 0; i < 256; ++i) values[i] = (i * 2654435761u) | 1u;
        unsigned int* memory = nullptr;
        CUDA_CHECK(cudaMalloc(&memory, 256 * sizeof(unsigned int)));
        CUDA_CHECK(cudaMemcpy(memory, values.data(), 256 * sizeof(unsigned int), cudaMemcpyHostToDevice));
        return memory;
    }();
    return table;
}

}  // namespace graphs
