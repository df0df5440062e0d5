// Shared by the tests of the topic: several devices or a reason to skip, and gates that hold a stream back.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
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

/// All devices of the machine, but at most this many.
constexpr int most_devices = 8;

#ifdef KIT_CPU
[[maybe_unused]] static const bool devices_here = (kit::cpu::assume_devices(4), true);

/// Numbers of devices with which a case runs: 2, 3 and 4, and more if KIT_DEVICES says so.
inline std::vector<int> device_counts() {
    const char* const said = std::getenv("KIT_DEVICES");
    const int all = said ? std::min(std::atoi(said), most_devices) : 4;
    std::vector<int> counts = {2};
    for (int count = 3; count <= std::min(all, 4); ++count) counts.push_back(count);
    if (all > 4) counts.push_back(all);
    return counts;
}
inline std::string devices_in_words(int count) {
    return kit::count_of(count, "device");
}
#else
/// A GPU machine runs each case with all its devices. The parent process of the grader must not ask how many there are.
constexpr int all_devices = 0;
inline std::vector<int> device_counts() {
    return {all_devices};
}
inline std::string devices_in_words(int count) {
    return count == all_devices ? "all devices" : kit::count_of(count, "device");
}
#endif

/// Returns the number of devices of a case: `wanted`, or all if this is 0. Ends the case as skipped, with the reason, if there are
/// fewer, or if some of them cannot access each other's memory.
inline int devices_of(kit::Case& test, int wanted) {
    int available = 0;
    test.cuda(cudaGetDeviceCount(&available));
    const int count = wanted > 0 ? wanted : std::clamp(available, 2, most_devices);
    if (available < count)
        test.skip("this needs " + kit::count_of(count, "GPU") + "; with -DKIT_BACKEND=CPU the executor has " +
                  (count > 4 ? "as many as KIT_DEVICES says" : "four"));
    for (int device = 0; device < count; ++device)
        for (int peer = 0; peer < count; ++peer) {
            int possible = device == peer;
            if (device != peer) test.cuda(cudaDeviceCanAccessPeer(&possible, device, peer));
            if (!possible)
                test.skip("GPU " + std::to_string(device) + " cannot access the memory of GPU " +
                          std::to_string(peer) + "; see nvidia-smi topo -p2p r");
        }
    return count;
}

/// Waits for all work of the devices 0 to count - 1.
inline void wait_for(kit::Case& test, int count) {
    for (int device = 0; device < count; ++device) {
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
