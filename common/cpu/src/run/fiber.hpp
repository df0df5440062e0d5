// Fibers: the stacks on which waiting CUDA threads sleep, and the switch between them.
//
// A fiber is not a CUDA thread. One fiber calls the kernel for one thread after another. When a thread has to
// wait, the fiber sleeps with it, and the worker takes a different fiber for the following threads. A kernel
// without barriers therefore needs one fiber, and each thread costs a function call.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "stack_switch.hpp"

namespace kit::cpu {

struct Fiber {
    void* stack = nullptr;      ///< stack pointer while the fiber sleeps; null if the fiber is new
    char* stack_low = nullptr;  ///< lowest usable byte; the page below it is a guard page
    char* stack_high = nullptr;
    bool used = false;  ///< whether the fiber runs, or sleeps with a thread

    bool holds(const void* address) const { return address >= stack_low && address < stack_high; }
};

/// The fibers of one worker. take() reuses sleeping fibers. Stacks are mapped once and kept.
class FiberPool {
  public:
    FiberPool() = default;
    ~FiberPool();
    FiberPool(const FiberPool&) = delete;
    FiberPool& operator=(const FiberPool&) = delete;

    /// Returns an idle fiber, which continues in fiber_body(), or a new one, which starts there. Null if no
    /// more stacks can be mapped.
    Fiber* take();

    /// Takes back a fiber that has finished its round in fiber_body() and sleeps.
    void give(Fiber* fiber) {
        fiber->used = false;
        idle_.push_back(fiber);
    }

    /// Takes back the fiber with this stack, whose thread was stopped, unless the pool has it already.
    void abandon(const void* stack);

    /// Returns the fiber whose stack or guard page contains this address, or null.
    Fiber* find(const void* stack) const;

    /// Returns whether the address is in one of the stacks of this pool.
    bool owns(const void* address) const { return slab_of(address) != slabs_.end(); }

    /// Returns whether the address is in the guard page below the fiber's stack. A signal handler can call
    /// this.
    static bool is_guard(const Fiber& fiber, const void* address);

  private:
    using Slabs = std::map<char*, std::size_t>;  ///< for each slab of stacks, by its first address: the
                                                 ///< number of its first fiber

    bool map_slab();
    Slabs::const_iterator slab_of(const void* address) const;

    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<Fiber*> idle_;
    Slabs slabs_;  // one launch that fills a device can have thousands of slabs
};

}  // namespace kit::cpu
