// Keeps a list of the kernels and host threads that wait, and decides whether anything can still wake them.
#include "pause.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

#include "device/devices.hpp"
#include "device/error.hpp"
#include "device/lock.hpp"
#include "device/turns.hpp"
#include "family.hpp"
#include "grid.hpp"
#include "pool.hpp"
#include "stream.hpp"
#include "watchdog.hpp"

namespace kit::cpu {
namespace {

using Clock = std::chrono::steady_clock;

enum class Thread { known, unknown, helper };

struct Waiter {
    Thread thread;
    int order;           ///< the order in which impossible waits are reported: kernels before host code
    std::uint64_t seen;  ///< number of changes (note_change) that the waiter has seen
};

auto& waiters = *new std::list<Waiter>;  // never destroyed, because threads may wait when the program ends
std::atomic<std::uint64_t> changes{0};
std::atomic<unsigned> asleep{0};
auto& sleep_mutex = *new std::mutex;  // never destroyed, as for `waiters`
auto& bell = *new std::condition_variable;
unsigned known_threads = 0, helpers = 0;
thread_local Thread this_thread = Thread::unknown;

/// Returns whether everything waits for a change that neither a kernel nor a host thread can cause.
bool is_stuck() {
    unsigned known = 0, helping = 0;
    for (const Waiter& waiter : waiters) {
        if (waiter.seen != changes) return false;
        known += waiter.thread == Thread::known;
        helping += waiter.thread == Thread::helper;
    }
    return known_threads > 0 && known == known_threads && helping == helpers;
}

/// Starts queued work for which no host thread waits. A GPU would start such work as well.
bool start_helper() {
    if (!work_could_begin()) return false;
    ++helpers;
    std::thread([] {
        this_thread = Thread::helper;
        const std::lock_guard lock(api_mutex());
        run_what_could_begin();
        --helpers;
        note_change();
    }).detach();
    return true;
}

bool is_first(const Waiter& mine) {
    return std::none_of(waiters.begin(), waiters.end(),
                        [&](const Waiter& other) { return other.order < mine.order; });
}

/// Sleeps for a short time without the lock. The waiter then checks whether it can continue.
void sleep_until_change(std::uint64_t seen) {
    const unsigned times = api_mutex().let_go(changes == seen);
    {
        std::unique_lock lock(sleep_mutex);
        ++asleep;
        bell.wait_for(lock, std::chrono::milliseconds(1), [seen] { return changes != seen; });
        --asleep;
    }
    api_mutex().take(times);
}

/// Releases the lock until note_change() is called. Returns false if no change is possible.
bool wait_for_change(int order) {
    const auto mine = waiters.insert(waiters.end(), {this_thread, order, changes.load()});
    const Clock::time_point begin = Clock::now();
    bool may_change = true;
    for (unsigned round = 0;; ++round) {
        sleep_until_change(mine->seen);
        if (changes != mine->seen || sticky_error() != cudaSuccess) break;
        const bool stuck = is_stuck();
        if (round > 0 && (stuck || known_threads == 0) && start_helper()) continue;
        const double waited = std::chrono::duration<double>(Clock::now() - begin).count();
        may_change = !(stuck && is_first(*mine)) && waited < kernel_time_limit();
        if (!may_change) break;
    }
    waiters.erase(mine);
    return may_change;
}

bool all_have_checked(std::uint64_t change) {
    return std::all_of(waiters.begin(), waiters.end(),
                       [change](const Waiter& waiter) { return waiter.seen >= change; });
}

/// Lets other kernels run while this one polls plain memory. No call reports writes to plain memory, so this
/// kernel continues without a signal. Waiting kernels check first, even if their OS threads wake up slowly,
/// so kernels do take turns. Returns false if no other kernel or host thread has done anything for a long
/// time.
bool let_others_run(const Grid& grid) {
    constexpr auto patience = std::chrono::milliseconds(100);
    constexpr unsigned many_turns = 5000;
    note_change();
    const std::uint64_t before = changes;
    const Clock::time_point begin = Clock::now();
    do {
        const unsigned times = api_mutex().let_go(false);
        std::this_thread::yield();
        api_mutex().take(times);
    } while (!all_have_checked(before) && Clock::now() - begin < patience);
    static thread_local struct {
        const Grid* grid = nullptr;
        unsigned turns = 0;
        Clock::time_point since;
    } idle;  // how long no other kernel or host thread has done anything
    if (changes != before || idle.grid != &grid) idle = {&grid, 0, Clock::now()};
    if (++idle.turns % 16 == 15) std::this_thread::sleep_for(std::chrono::microseconds(20));
    if (idle.turns > 2 && known_threads == 0 && start_helper()) return true;
    return idle.turns < many_turns ||
           std::chrono::duration<double>(Clock::now() - idle.since).count() < kernel_time_limit();
}

/// Returns the position of a host thread among those that report impossible waits: lower numbers report
/// first.
int host_order() {
    return most_devices + 1 + Turns::number();
}

}  // namespace

bool kernels_run_together() {
    return device_count() > 1;
}

void note_change() {
    ++changes;
    turns().wake_all();
    if (asleep == 0) return;
    const std::lock_guard lock(sleep_mutex);
    bell.notify_all();
}

void host_threads_expected(unsigned count) {
    known_threads += count;
}

void host_thread_joins(unsigned number) {
    this_thread = Thread::known;
    turns().join(number);
}

void host_thread_leaves() {
    this_thread = Thread::unknown;
    turns().leave();
    --known_threads;
    note_change();
}

bool wait_for_others(const std::function<bool()>& done) {
    while (!done()) {
        if (sticky_error() != cudaSuccess) return false;
        if (!wait_for_change(host_order())) return done();
    }
    return true;
}

void pause_kernel(Grid& grid, bool for_signals, const std::function<void()>& why) {
    observer().kernel_paused(grid);
    const Operation* const operation = exchange_running_operation(nullptr);
    Family* const family = exchange_running_family(nullptr);
    bool may_change = true;
    {
        const NotWatched unwatched(for_signals);
        if (for_signals)
            may_change = wait_for_change(grid.launch.device);
        else
            may_change = let_others_run(grid);
    }
    exchange_running_operation(operation);
    exchange_running_family(family);
    kernel_runs_on(grid.launch.device);
    runs_on_this_thread();
    observer().kernel_resumed(grid);
    if (sticky_error() != cudaSuccess)
        grid.stop_quietly(sticky_error());
    else if (!may_change)
        why();
}

}  // namespace kit::cpu
