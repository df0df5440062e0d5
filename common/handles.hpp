// Classes that own streams, events and pinned memory, for tests and demos. Exercises call the functions of
// the runtime themselves. These classes do not check errors: if a handle could not be created, its first use
// returns an error.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace kit {

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

/// A non-blocking stream, on the current device or on the given one.
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

/// An event without timing, on the current device or on the given one.
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

/// Pinned host memory for n values.
template <class T>
struct Pinned {
    explicit Pinned(std::size_t n) { cudaMallocHost(&data, n * sizeof(T)); }
    ~Pinned() { cudaFreeHost(data); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;

    T* data = nullptr;
};

}  // namespace kit
