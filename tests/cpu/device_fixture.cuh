// What the tests of several devices share: on the executor there are two; on a GPU machine with one they skip.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
[[maybe_unused]] static const bool two_devices_here = (kit::cpu::assume_devices(2), true);
#endif

/// Is there a second device, and may each touch the other's memory?
inline bool two_peers() {
    int count = 0, forth = 0, back = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count < 2) return false;
    cudaDeviceCanAccessPeer(&forth, 0, 1);
    cudaDeviceCanAccessPeer(&back, 1, 0);
    return forth && back;
}

/// While one lives, this is the host thread's device.
class OnDevice {
  public:
    explicit OnDevice(int device) {
        cudaGetDevice(&before_);
        cudaSetDevice(device);
    }
    ~OnDevice() { cudaSetDevice(before_); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

  private:
    int before_ = 0;
};

/// A stream and an event of a device, and memory of n integers there that have one value.
struct Place {
    int device;
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    int* data = nullptr;
    std::size_t n;

    explicit Place(int device, std::size_t n = 64, int value = 0) : device(device), n(n) {
        const OnDevice here(device);
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        cudaMalloc(&data, n * sizeof(int));
        const std::vector<int> values(n, value);
        cudaMemcpy(data, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        cudaDeviceSynchronize();  // a small copy returns before it is there, and a kernel of another device knows no order
    }
    ~Place() {
        const OnDevice here(device);
        cudaDeviceSynchronize();
        cudaStreamDestroy(stream);
        cudaEventDestroy(event);
        cudaFree(data);
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    /// What is there when the device's work is done.
    std::vector<int> read() const {
        const OnDevice here(device);
        cudaDeviceSynchronize();
        std::vector<int> values(n);
        cudaMemcpy(values.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost);
        return values;
    }
};

/// While one lives, kernels of either device may touch the other's memory.
struct Peers {
    Peers() {
        for (int device = 0; device < 2; ++device) {
            const OnDevice here(device);
            cudaDeviceEnablePeerAccess(1 - device, 0);
        }
    }
    ~Peers() {
        for (int device = 0; device < 2; ++device) {
            const OnDevice here(device);
            cudaDeviceDisablePeerAccess(1 - device);
        }
    }
    Peers(const Peers&) = delete;
    Peers& operator=(const Peers&) = delete;
};
