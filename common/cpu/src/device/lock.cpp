// The lock of the host API, one for the process.
#include "lock.hpp"

#include <chrono>

#include "turns.hpp"

namespace kit::cpu {

void ApiMutex::lock() {
    take(1);
}

/// Calls the executor's own wait_for. A wait without a time limit would run queued work in the meantime
/// (run/host_waits.cpp).
void ApiMutex::take(unsigned times) {
    if (times == 0) return;
    std::unique_lock lock(mutex_);
    if (is_mine()) {
        times_ += times;
        return;
    }
    lock.unlock();
    turns().wait();
    lock.lock();
    const std::uint64_t ticket = next_ticket_++;
    while (times_ > 0 || served_ != ticket) free_.wait_for(lock, std::chrono::seconds(1));
    ++served_;
    owner_ = std::this_thread::get_id();
    times_ = times;
}

bool ApiMutex::try_lock() {
    const std::lock_guard lock(mutex_);
    if (!is_mine()) {
        if (times_ > 0 || served_ != next_ticket_ || !turns().is_mine()) return false;
        owner_ = std::this_thread::get_id();
    }
    ++times_;
    return true;
}

void ApiMutex::unlock() {
    const std::lock_guard lock(mutex_);
    if (--times_ > 0) return;
    turns().outside();
    if (served_ != next_ticket_) free_.notify_all();
}

unsigned ApiMutex::let_go(bool sleeps) {
    const std::lock_guard lock(mutex_);
    if (!is_mine()) return 0;
    const unsigned times = times_;
    times_ = 0;
    turns().pass_on(sleeps);
    if (served_ != next_ticket_) free_.notify_all();
    return times;
}

ApiMutex& api_mutex() {
    static auto* mutex = new ApiMutex;  // never destroyed, because threads may run after main has returned
    return *mutex;
}

bool& in_host_function() {
    static thread_local bool inside = false;
    return inside;
}

}  // namespace kit::cpu
