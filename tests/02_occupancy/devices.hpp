// What the tests of this topic share: the devices to ask, and what a multiprocessor of the current one has.
#pragma once

#include <string>
#include <vector>

#include "02_occupancy/02_occupancy.hpp"
#include "grader.cuh"

namespace occupancy_test {

/// The devices that can be tried here: the CPU executor stands for any of three, a GPU for itself.
inline std::vector<std::string> devices() {
#ifdef KIT_CPU
    return {"h200", "a100", "t4"};
#else
    return {"this GPU"};
#endif
}

/// While it lives, the CPU executor stands for the device.
class CurrentDevice {
  public:
    explicit CurrentDevice([[maybe_unused]] const std::string& key) {
#ifdef KIT_CPU
        kit::cpu::set_device(key.c_str());
#endif
    }
    ~CurrentDevice() {
#ifdef KIT_CPU
        kit::cpu::set_device(nullptr);
#endif
    }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;
};

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

/// Grants the kernel all the dynamic shared memory that a block may have.
inline int grant_all_shared(kit::Case& test, const void* kernel) {
    cudaFuncAttributes facts;
    test.cuda(cudaFuncGetAttributes(&facts, kernel));
    const int most = static_cast<int>(properties(test).sharedMemPerBlockOptin - facts.sharedSizeBytes);
    test.cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    return most;
}

}  // namespace occupancy_test
