// What exercises with several devices include besides the contract: a guard that restores the current device.
#pragma once

#include "kit.cuh"

namespace multi_gpu {

/// At the end of its scope, the device is current that was current when the guard was created.
class DeviceGuard {
  public:
    DeviceGuard() { CUDA_CHECK(cudaGetDevice(&device_)); }
    ~DeviceGuard() { CUDA_CHECK(cudaSetDevice(device_)); }
    DeviceGuard(const DeviceGuard&) = delete;
    DeviceGuard& operator=(const DeviceGuard&) = delete;

  private:
    int device_ = 0;
};

}  // namespace multi_gpu
