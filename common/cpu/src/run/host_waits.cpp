// Replaces pthread_cond_wait, which std::condition_variable also calls. Queued work must run while the host
// waits: a host thread that sleeps until a stream's callback wakes it is waiting, and a GPU would work during
// that time.
#include "host_waits.hpp"

#include <pthread.h>

#include <cerrno>
#include <ctime>

#include "stream.hpp"

#ifdef __GLIBC__  // other C libraries may lack pthread_cond_clockwait

namespace {

constexpr long patience =
    2'000'000;  ///< nanoseconds between two polls, because other threads can queue work later

timespec after(long nanoseconds) {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_nsec += nanoseconds;
    time.tv_sec += time.tv_nsec / 1'000'000'000;
    time.tv_nsec %= 1'000'000'000;
    return time;
}

}  // namespace

extern "C" int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    for (;;) {
        timespec until = after(patience);
        if (kit::cpu::is_executor_thread) until.tv_sec += 3600;
        const int result = pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &until);
        if (result != ETIMEDOUT) return result;
        if (kit::cpu::is_executor_thread) continue;
        // The queued work may need the mutex. A wait can end spuriously, so the caller checks its condition
        // again.
        pthread_mutex_unlock(mutex);
        kit::cpu::run_for_polling_host();
        return pthread_mutex_lock(mutex);
    }
}

#endif
