// Streams, events and pinned memory that clean up, for tests and demos: exercises make and destroy theirs by the runtime's own calls.
// Nothing is checked here: whoever uses a handle that could not be made gets the error.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace kit {

/// While one lives, this device is the current one of the host thread.
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

/// A stream that the legacy default stream does not wait for: of the current device, or of the one given.
struct Stream {
    Stream() { cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking); }
    explicit Stream(int device) {
        const OnDevice here(device);
        cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking);
    }
    ~Stream() { cudaStreamDestroy(handle); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return handle; }

    cudaStream_t handle = nullptr;
};

/// An event for order, and not for time: of the current device, or of the one given.
struct Event {
    Event() { cudaEventCreateWithFlags(&handle, cudaEventDisableTiming); }
    explicit Event(int device) {
        const OnDevice here(device);
        cudaEventCreateWithFlags(&handle, cudaEventDisableTiming);
    }
    ~Event() { cudaEventDestroy(handle); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    operator cudaEvent_t() const { return handle; }

    cudaEvent_t handle = nullptr;
};

/// Pinned memory of the host, for n values.
template <class T>
struct Pinned {
    explicit Pinned(std::size_t n) { cudaMallocHost(&data, n * sizeof(T)); }
    ~Pinned() { cudaFreeHost(data); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;

    T* data = nullptr;
};

}  // namespace kit
