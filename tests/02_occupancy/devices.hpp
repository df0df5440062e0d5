// Shared by the tests of this topic: the devices that they test with, and the resources of a multiprocessor of the current device.
#pragma once

#include <grader/devices.hpp>

#include "02_occupancy/02_occupancy.hpp"
#include "grader.cuh"

namespace occupancy_test {

using kit::CurrentDevice;
using kit::devices;

inline cudaDeviceProp properties(kit::Case& test) {
    int device = 0;
    cudaDeviceProp all;
    test.cuda(cudaGetDevice(&device));
    test.cuda(cudaGetDeviceProperties(&all, device));
    return all;
}

inline occupancy::Multiprocessor multiprocessor(kit::Case& test) {
    const cudaDeviceProp all = properties(test);
    return {all.maxThreadsPerMultiProcessor / 32,
            all.maxBlocksPerMultiProcessor,
            all.regsPerMultiprocessor,
            256,
            static_cast<int>(all.sharedMemPerMultiprocessor),
            all.major < 8 ? 256 : 128,
            static_cast<int>(all.reservedSharedMemPerBlock),
            all.maxThreadsPerBlock};
}

/// Allows the kernel all dynamic shared memory that a block can have.
inline int grant_all_shared(kit::Case& test, const void* kernel) {
    cudaFuncAttributes facts;
    test.cuda(cudaFuncGetAttributes(&facts, kernel));
    const int most = static_cast<int>(properties(test).sharedMemPerBlockOptin - facts.sharedSizeBytes);
    test.cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    return most;
}

}  // namespace occupancy_test
