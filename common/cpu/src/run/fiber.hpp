// Fibers: the stacks on which waiting CUDA threads sleep, and the switch between them.
//
// A fiber is not a CUDA thread. It is a runner that calls the kernel for one thread after another; when a
// thread has to wait, the fiber sleeps with it and the worker takes another runner for the threads that
// follow. A kernel without barriers therefore needs one fiber, and a thread of it costs a function call.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "stack_switch.hpp"

namespace kit::cpu {

struct Fiber {
    void* stack = nullptr;      ///< where it sleeps; null: it is new
    char* stack_low = nullptr;  ///< lowest usable byte; the page below it is a guard
    char* stack_high = nullptr;
    bool used = false;  ///< runs, or sleeps with a thread

    bool holds(const void* address) const { return address >= stack_low && address < stack_high; }
};

/// Runner fibers of one worker. `take` reuses sleeping ones; stacks are mapped once and kept.
class FiberPool {
  public:
    FiberPool() = default;
    ~FiberPool();
    FiberPool(const FiberPool&) = delete;
    FiberPool& operator=(const FiberPool&) = delete;

    /// A fiber that will begin with fiber_body() (new) or continue in it (idle). Null when no more stacks can be mapped.
    Fiber* take();

    /// Returns a fiber that sleeps at the end of its round in fiber_body().
    void give(Fiber* fiber) {
        fiber->used = false;
        idle_.push_back(fiber);
    }

    /// Returns the fiber that this stack belongs to, whose thread was stopped, unless that was done before.
    void abandon(const void* stack);

    /// The fiber whose stack, or the guard page below it, holds this address; null if it is none's.
    Fiber* find(const void* stack) const;

    /// Is the address in any of the stacks?
    bool owns(const void* address) const { return slab_of(address) != slabs_.end(); }

    /// Is the address in the guard page below one of the stacks? Safe in a signal handler.
    static bool is_guard(const Fiber& fiber, const void* address);

  private:
    using Slabs = std::map<char*, std::size_t>;  ///< by where it begins: the number of its first fiber

    bool map_slab();
    Slabs::const_iterator slab_of(const void* address) const;

    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<Fiber*> idle_;
    Slabs slabs_;  // a launch of all threads of a device has thousands
};

}  // namespace kit::cpu
