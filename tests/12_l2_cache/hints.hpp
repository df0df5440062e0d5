// Shared by the tests of this topic: the limits of the device, streams, and the hints that the CPU backend recorded.
#pragma once

#include <grader/devices.hpp>
#include <string>
#include <vector>

#include "12_l2_cache/12_l2_cache.hpp"
#include "grader.cuh"
#ifdef KIT_CPU
#include <kit_cpu/cache_hints.hpp>
#endif

namespace l2_cache_test {

inline cudaDeviceProp properties(kit::Case& test) {
    cudaDeviceProp all;
    test.cuda(cudaGetDeviceProperties(&all, 0));
    return all;
}

inline std::size_t aside_now(kit::Case& test) {
    std::size_t bytes = 0;
    test.cuda(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize));
    return bytes;
}

/// The cache belongs to the whole process, so every case starts and ends with nothing set aside and no persisting line.
class FreshCache {
  public:
    explicit FreshCache(kit::Case& test) : test_(test) { clear(); }
    ~FreshCache() { clear(); }
    FreshCache(const FreshCache&) = delete;
    FreshCache& operator=(const FreshCache&) = delete;

  private:
    void clear() {
        if (cudaDeviceSynchronize() != cudaSuccess) return;
        if (properties(test_).persistingL2CacheMaxSize) {
            cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
            cudaCtxResetPersistingL2Cache();
        }
#ifdef KIT_CPU
        kit::cpu::reset_cache_hints();
#endif
    }
    kit::Case& test_;
};

class Stream {
  public:
    explicit Stream(kit::Case& test) : test_(test) {
        test.cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }

    cudaAccessPolicyWindow window() const {
        cudaStreamAttrValue value = {};
        test_.cuda(cudaStreamGetAttribute(stream_, cudaStreamAttributeAccessPolicyWindow, &value));
        return value.accessPolicyWindow;
    }

    /// Returns whether a kernel that is launched now would run under a window.
    bool has_window() const { return window().num_bytes > 0; }

  private:
    kit::Case& test_;
    cudaStream_t stream_ = nullptr;
};

/// Returns whether hints are recorded: not on a GPU, and not if the checks are off.
inline bool hints_are_kept() {
#ifdef KIT_CPU
    return kit::cpu::counters().global_loads > 0;
#else
    return false;
#endif
}

/// Demands that no line persists. The verdict names the source line that made a line persist.
inline void expect_nothing_left([[maybe_unused]] kit::Case& test, [[maybe_unused]] int task) {
#ifdef KIT_CPU
    test.demand("persisting lines", kit::cpu::left_persisting(), task);
#endif
}

}  // namespace l2_cache_test
