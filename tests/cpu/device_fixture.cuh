// For tests with several devices. The executor simulates two devices; on a machine with one GPU, the tests
// are skipped.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
[[maybe_unused]] static const bool two_devices_here = (kit::cpu::assume_devices(2), true);
#endif

/// Returns whether there are two devices that can access each other's memory.
inline bool two_peers() {
    int count = 0, forth = 0, back = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count < 2) return false;
    cudaDeviceCanAccessPeer(&forth, 0, 1);
    cudaDeviceCanAccessPeer(&back, 1, 0);
    return forth && back;
}

/// Makes a device the current device of the host thread during the lifetime of the object.
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

/// A stream, an event and memory for n integers on one device. All integers start with the same value.
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
        cudaDeviceSynchronize();  // a small copy can return before it has arrived, and work on another device
                                  // would not wait for it
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

    /// Waits for the device, and returns the values in its memory.
    std::vector<int> read() const {
        const OnDevice here(device);
        cudaDeviceSynchronize();
        std::vector<int> values(n);
        cudaMemcpy(values.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost);
        return values;
    }
};

/// Lets kernels of each device access the other device's memory during the lifetime of the object.
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
