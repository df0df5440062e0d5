// The time limit of kernels: one thread that looks ten times a second.
#include "watchdog.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "faults.hpp"
#include "grid.hpp"
#include "pool.hpp"

namespace kit::cpu {
namespace {

using Clock = std::chrono::steady_clock;

double limit_from_environment() {
    const char* text = std::getenv("KIT_KERNEL_SECONDS");
    if (!text || !*text) return 10;
    char* end = nullptr;
    const double seconds = std::strtod(text, &end);
    if (*end || !(seconds > 0)) {
        std::fprintf(stderr, "KIT_KERNEL_SECONDS=%s is not a time: use a positive number of seconds.\n",
                     text);
        std::exit(2);
    }
    return seconds;
}

std::atomic<double>& limit() {
    static std::atomic<double> seconds = limit_from_environment();
    return seconds;
}

std::mutex watch_mutex;
Grid* watched = nullptr;
Clock::time_point begun;
double computed_before = 0;
unsigned interrupts = 0;

/// Seconds of processor time that this process has had. A kernel's limit counts these: who waits for his turn, because others
/// use the machine, has not computed.
double computed() {
    timespec time = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// For kernels that wait and do not compute.
constexpr double most_patience = 20;

/// Has the kernel had its time? Workers compute side by side, so that each has a share of what was computed.
bool late(double limit_seconds) {
    const double workers = static_cast<double>(std::max<std::size_t>(worker_threads().size(), 1));
    const double passed = std::chrono::duration<double>(Clock::now() - begun).count();
    return (computed() - computed_before) / workers >= limit_seconds ||
           passed >= most_patience * limit_seconds;
}

/// Where a signal always finds the executor itself at work, nothing can be said of a line.
constexpr unsigned most_interrupts = 20;

void watch() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        std::lock_guard lock(watch_mutex);
        if (!watched || watched->stopped() || !late(limit())) continue;
        if (watched->fault_noted) continue;  // a worker that was stopped is looking up its line
        // A thread that runs is stopped where it is and can tell its line.
        if (interrupts++ < most_interrupts) {
            for (pthread_t thread : worker_threads()) interrupt_worker(thread);
        } else {
            stop_late(*watched, {}, Place{});
        }
    }
}

}  // namespace

double kernel_time_limit() {
    return limit();
}

void set_kernel_time_limit(double seconds) {
    limit() = seconds;
}

void stop_late(Grid& grid, const facts::Who& thread, const Spot& spot) {
    const Place begun_at = grid.launch.place;
    const std::uint64_t begun = std::min<std::uint64_t>(grid.taken * grid.cluster_blocks, grid.blocks);
    Finding late = spot.place.line ? finding(facts::Rule::endless_kernel, spot).by(thread)
                                   : finding_about(facts::Rule::endless_grid, begun_at)
                                         .with("begun", begun)
                                         .with("blocks", grid.blocks);
    grid.stop(cudaErrorLaunchTimeout, late.in(grid.launch.name).with("seconds", kernel_time_limit()));
}

Watched::Watched(Grid& grid) {
    static const bool started = [] {
        std::thread(watch).detach();
        return true;
    }();
    (void)started;
    std::lock_guard lock(watch_mutex);
    watched = &grid;
    interrupts = 0;
    begun = Clock::now();
    computed_before = computed();
}

NotWatched::NotWatched(bool stands_still) : stands_still_(stands_still) {
    std::lock_guard lock(watch_mutex);
    grid_ = std::exchange(watched, nullptr);
    interrupts_ = interrupts;
    begun_ = begun;
    passed_ = Clock::now() - begun;
    computed_before_ = computed_before;
    computed_ = computed() - computed_before;
}

NotWatched::~NotWatched() {
    std::lock_guard lock(watch_mutex);
    watched = grid_;
    interrupts = interrupts_;
    begun = stands_still_ ? Clock::now() - passed_ : begun_;
    computed_before = stands_still_ ? computed() - computed_ : computed_before_;
}

Watched::~Watched() {
    std::lock_guard lock(watch_mutex);
    watched = nullptr;
}

}  // namespace kit::cpu
