// A lock that a signal handler can take. The code that holds it must not cause that signal.
#pragma once

#include <atomic>

namespace kit::cpu {

class SpinLock {
  public:
    void lock() {
        while (taken_.test_and_set(std::memory_order_acquire)) {
        }
    }
    void unlock() { taken_.clear(std::memory_order_release); }

  private:
    std::atomic_flag taken_ = ATOMIC_FLAG_INIT;
};

}  // namespace kit::cpu
