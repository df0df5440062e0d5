// Replaces clock() of the C library. In a kernel, clock() returns the counter of the multiprocessor, like
// clock64(). In host code, clock() returns the processor time of the process in microseconds, as in the C
// library.
#include <time.h>

#include <kit_cpu/thread.hpp>

extern "C" clock_t clock() noexcept {
    const bool on_device = kit::cpu::in_kernel();
    if (on_device) kit::cpu::yield();  // a thread that polls the clock lets other threads run
    timespec now{};
    clock_gettime(on_device ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &now);
    return on_device ? now.tv_sec * 1'000'000'000 + now.tv_nsec
                     : now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / 1000;
}
