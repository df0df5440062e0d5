// Threads that pass the turn on among themselves, without a call of the executor: in a loop, each after the one before it has
// returned, or at a barrier, each when the one before it has come there. This is what a program that is compiled without the
// checks gains; with them each thread is the executor's to choose.
#pragma once

#include <kit_cpu/stack_switch.hpp>
#include <kit_cpu/thread.hpp>

namespace kit::cpu {

/// A number with a type of its own: the compiler knows that no store of a kernel changes it.
enum class Count : unsigned {};

/// How far the threads of the block at hand may go by themselves, in the order of their ranks. The executor says so when it
/// chooses a thread, and takes it back as soon as it is called (Block::settle).
struct Turn {
    Count loop{};   ///< so many after the chosen one may begin in a loop, to the end of its row,
    Count first{};  ///< which it begins here: by threadIdx.x one sees who is running;
    Count relay{};  ///< or so many stand at a barrier, and may go on when those before have come to this one:
    Count ahead{};  ///< the running thread is so many behind the chosen one
    int line = 0;   ///< 0 where nobody waits at a barrier
    const char* file = "";
    void** stacks = nullptr;  ///< where the chosen one slept, and behind it those after it
};
extern __thread Turn turn;

/// The shared memory of the block at hand; no other thread of the machine touches it.
extern __thread const char* shared_memory;
constexpr unsigned long most_shared_memory = 512 * 1024;
/// A number that no other block of this thread of the machine has had.
extern __thread unsigned long block_number;

/// May the caller change this without an atomic instruction? The checks want to see the instruction.
[[gnu::always_inline]] inline bool is_ours_alone([[maybe_unused]] const void* address) {
#ifdef __SANITIZE_THREAD__
    return false;
#else
    return reinterpret_cast<unsigned long>(address) - reinterpret_cast<unsigned long>(shared_memory) <
           most_shared_memory;
#endif
}

/// A thread has returned. True when the next one may begin: the caller then runs as that.
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

/// Calls the kernel for all that may begin in this turn. As long as it calls nobody who might want to know the thread, the
/// compiler counts in a register and leaves out all stores of the index but the last.
template <class Kernel>
[[gnu::always_inline]] inline void for_each_in_row(const Kernel& kernel) {
    const Count loop = turn.loop;
    unsigned x = threadIdx.x;
    const unsigned last = x + static_cast<unsigned>(loop);
    for (;;) {
        kernel();
        if (turn.loop != loop) return;  // the executor was called, and has taken it back
        if (x == last) break;
        threadIdx.x = ++x;
    }
    threadIdx.x = last;
}

#if defined(KIT_CPU_OWN_SWITCH) && !defined(__SANITIZE_THREAD__)
#define KIT_CPU_RELAY 1

/// The running thread comes to a barrier: the next one goes on if it may, and this one when the barrier is complete.
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
    switch_stack(mine, mine[1]);  // whoever switches back has set the index
    return true;
}

#endif

}  // namespace kit::cpu
