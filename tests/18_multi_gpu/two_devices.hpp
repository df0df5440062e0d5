// Shared by the tests of the topic: two devices or a reason to skip, and gates that hold a
// stream back.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "grader.cuh"
#include "grader/timeline.hpp"
#include "handles.hpp"

namespace multi_gpu_test {

using kit::Event;
using kit::OnDevice;
using kit::Stream;

using Values = std::vector<unsigned>;

#ifdef KIT_CPU
[[maybe_unused]] static const bool two_devices_here = (kit::cpu::assume_devices(2), true);
#endif

/// Returns true if two devices can access each other's memory; otherwise the case is skipped, with the reason.
inline bool has_two_devices(kit::Case& test) {
    int count = 0, forth = 0, back = 0;
    test.cuda(cudaGetDeviceCount(&count));
    if (count < 2) {
        test.skip("this needs two GPUs; with -DKIT_BACKEND=CPU the executor has two");
        return false;
    }
    test.cuda(cudaDeviceCanAccessPeer(&forth, 0, 1));
    test.cuda(cudaDeviceCanAccessPeer(&back, 1, 0));
    if (!forth || !back)
        test.skip("these two GPUs cannot touch each other's memory; see nvidia-smi topo -p2p r");
    return forth && back;
}

/// Waits for all work of both devices.
inline void wait_for_both(kit::Case& test) {
    for (int device = 0; device < 2; ++device) {
        const OnDevice here(device);
        test.cuda(cudaDeviceSynchronize());
    }
}

/// Holds back the work that is queued in a stream after the gate, until the gate is opened. The executor never blocks; it runs the work
/// that a wait needs, so the gate records whether a wait needed it. On a GPU, a gate gives up after two seconds.
class Gate {
  public:
    explicit Gate(cudaStream_t stream) { cudaLaunchHostFunc(stream, hold, this); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    /// Waits for the stream, and returns whether all its work runs although the gate is closed.
    bool lets_pass(kit::Case& test, cudaStream_t stream) {
        test.cuda(cudaStreamSynchronize(stream));
        return !early_;
    }
    /// Returns whether the end of this stream is held back.
    bool holds(kit::Case& test, cudaStream_t stream) {
#ifdef KIT_CPU
        test.cuda(cudaStreamSynchronize(stream));
        return early_;
#else
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const cudaError_t state = cudaStreamQuery(stream);
        if (state != cudaErrorNotReady) test.cuda(state);
        return state == cudaErrorNotReady;
#endif
    }
    void open() {
        open_ = true;
    }

  private:
    static void CUDART_CB hold(void* gate) {
        Gate& self = *static_cast<Gate*>(gate);
#ifndef KIT_CPU
        const auto begin = std::chrono::steady_clock::now();
        while (!self.open_ && std::chrono::steady_clock::now() - begin < std::chrono::seconds(2))
            std::this_thread::yield();
#endif
        if (!self.open_) self.early_ = true;
    }

    std::atomic<bool> open_{false};
    std::atomic<bool> early_{false};  ///< the gate was reached, or gave up, before it was opened
};

/// Demands that `device`, which was current before the call, is still current.
inline void expect_device(kit::Case& test, int device, const char* function) {
    int now = -1;
    test.cuda(cudaGetDevice(&now));
    test.check(now == device, std::string(function) + " leaves device " + std::to_string(now) +
                                  " current, but device " + std::to_string(device) +
                                  " was current before: make it current again");
    cudaSetDevice(device);
}

/// Demands that the host does not wait; only the CPU backend counts waits. Returns whether it did not wait. `task`: the task to check
/// otherwise; may be empty.
template <class Function>
bool without_waiting(kit::Case& test, const std::string& function, const kit::Said& task, Function call) {
#ifdef KIT_CPU
    const auto before = kit::cpu::counters().synchronizations;
    call();
    const auto waits = kit::cpu::counters().synchronizations - before;
    test.demand("waits", kit::exactly(waits, 0),
                function + " makes the host wait " + kit::count_of(waits, "time") +
                    ": let streams wait for events instead" + (task.empty() ? "" : " (" + task + ")"));
    return waits == 0;
#else
    (void)function;
    (void)task;
    (void)test;
    call();
    return true;
#endif
}

/// Returns the rows of a drawn timeline.
inline std::vector<std::string> drawn_rows(const kit::Timeline& timeline) {
    std::vector<std::string> rows;
    for (std::size_t begin = 0, end; (end = timeline.drawn.find('\n', begin)) != std::string::npos;
         begin = end + 1)
        rows.push_back(timeline.drawn.substr(begin, end - begin));
    return rows;
}

inline Values random_values(kit::Random& random, std::size_t n) {
    Values values(n);
    for (unsigned& value : values) value = static_cast<unsigned>(random.next());
    return values;
}

}  // namespace multi_gpu_test
