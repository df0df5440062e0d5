// Switches between threads that need no call of the executor: in a loop, when the previous thread has
// returned, and at a barrier, when the previous thread has reached it. Such switches make programs fast that
// are compiled without the checks. With the checks, the executor chooses each thread.
#pragma once

#include <kit_cpu/stack_switch.hpp>
#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// A number with a separate type, so that the compiler knows that no store of a kernel changes it.
enum class Count : unsigned {};

/// How many threads of the current block can run without the executor, in the order of their ranks. The
/// executor sets these numbers when it chooses a thread, and resets them first when it is called
/// (Block::settle).
struct Turn {
    Count loop{};  ///< how many threads after the chosen one can start in a loop, up to the end of its row
    Count
        first{};  ///< threadIdx.x of the chosen thread; together with the current threadIdx.x, it identifies
                  ///< the running thread
    Count relay{};  ///< how many threads that wait at a barrier can continue, each when the previous one
                    ///< reaches this barrier
    Count ahead{};  ///< number of threads between the chosen thread and the running one
    int line = 0;   ///< line of the barrier; 0 if no thread waits at a barrier
    const char* file = "";
    void** stacks = nullptr;  ///< stacks of the chosen thread and of the threads after it
};
extern __thread Turn turn;

/// The shared memory of the current block. No other OS thread accesses this memory.
extern __thread const char* shared_memory;
constexpr unsigned long most_shared_memory = 512 * 1024;
/// A number that identifies the current block among all blocks that this OS thread runs.
extern __thread unsigned long block_number;

/// Returns whether the caller can update this address without an atomic instruction. With the checks, the
/// instruction is always needed.
[[gnu::always_inline]] inline bool is_ours_alone([[maybe_unused]] const void* address) {
#ifdef __SANITIZE_THREAD__
    return false;
#else
    return reinterpret_cast<unsigned long>(address) - reinterpret_cast<unsigned long>(shared_memory) <
           most_shared_memory;
#endif
}

/// Called when a thread has returned. If the next thread can start, makes it the running thread and returns
/// true.
bool begin_next_thread();

[[gnu::always_inline]] inline bool next_thread() {
#ifdef __SANITIZE_THREAD__
    return begin_next_thread();
#else
    if (turn.loop == Count{} ||
        threadIdx.x == static_cast<unsigned>(turn.first) + static_cast<unsigned>(turn.loop))
        return false;
    ++threadIdx.x;
    return true;
#endif
}

/// Calls the kernel for all threads that can start in this turn. While the kernel calls no function that
/// could read the index, the compiler keeps the index in a register, and omits all stores except the last.
template <class Kernel>
[[gnu::always_inline]] inline void for_each_in_row(const Kernel& kernel) {
    const Count loop = turn.loop;
    unsigned x = threadIdx.x;
    const unsigned last = x + static_cast<unsigned>(loop);
    for (;;) {
        kernel();
        if (turn.loop != loop) return;  // the executor was called, and has reset the turn
        if (x == last) break;
        threadIdx.x = ++x;
    }
    threadIdx.x = last;
}

#if defined(KIT_CPU_OWN_SWITCH) && !defined(__SANITIZE_THREAD__)
#define KIT_CPU_RELAY 1

/// Called when the running thread reaches a barrier. If the next thread can continue, it runs now, and this
/// one continues when the barrier ends.
[[gnu::always_inline]] inline bool relayed(Place place) {
    if (turn.ahead >= turn.relay || turn.line != place.line || turn.file != place.file) return false;
    void** const mine = turn.stacks + static_cast<unsigned>(turn.ahead);
    turn.ahead = Count(static_cast<unsigned>(turn.ahead) + 1);
    if (++threadIdx.x == blockDim.x) {
        threadIdx.x = 0;
        if (++threadIdx.y == blockDim.y) threadIdx.y = 0, ++threadIdx.z;
    }
    const char* const soon = static_cast<const char*>(mine[3]);
    __builtin_prefetch(soon - 16);
    __builtin_prefetch(soon + 48);
    switch_stack(mine, mine[1]);  // the thread that switches back sets the index
    return true;
}

#endif

}  // namespace kit::cpu
