// The time limit of kernels: one thread that looks ten times a second.
#include "watchdog.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
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

std::mutex mutex;
Grid* watched = nullptr;
Clock::time_point deadline;
bool interrupted = false;

void watch() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        std::lock_guard lock(mutex);
        if (!watched || watched->stopped() || Clock::now() < deadline) continue;
        // A thread that runs is stopped where it is and can tell its line; where none runs, all of them keep
        // yielding.
        if (!std::exchange(interrupted, true)) {
            for (pthread_t thread : worker_threads()) interrupt_worker(thread);
        } else if (!watched->fault_noted) {  // a worker that was stopped is looking up its line
            watched->stop(
                cudaErrorLaunchTimeout,
                {"timeout",
                 "`" + watched->launch.name +
                     "` did not end within its time limit: its threads wait in a loop for each other",
                 watched->launch.place});
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

Watched::Watched(Grid& grid) {
    static const bool started = [] {
        std::thread(watch).detach();
        return true;
    }();
    (void)started;
    std::lock_guard lock(mutex);
    watched = &grid;
    interrupted = false;
    deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit()));
}

Watched::~Watched() {
    std::lock_guard lock(mutex);
    watched = nullptr;
}

}  // namespace kit::cpu
