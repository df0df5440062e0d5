// The time limit of kernels. One thread checks this limit ten times a second.
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

#include "block.hpp"
#include "events.hpp"
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
KernelTime time_watched;
unsigned interrupts = 0;

/// Returns the processor time in seconds that a thread has used. The limit is a limit of processor time,
/// because a thread that waits for a core on a busy machine makes no progress.
double computed_by(pthread_t thread) {
    clockid_t clock;
    timespec time = {};
    if (pthread_getcpuclockid(thread, &clock) == 0) clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A kernel that waits uses little processor time, so it is stopped after `most_patience` times the limit in
/// wall-clock time. On a busy machine, a kernel that computes gets a larger share of the processor than a
/// kernel that waits.
constexpr double most_patience = 20, most_by_waiting = 0.005;

/// If this many signals have interrupted the executor itself, the report says that the line of the thread is
/// unknown.
constexpr unsigned most_interrupts = 20;

void watch() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        std::lock_guard lock(watch_mutex);
        if (!watched || watched->stopped() || !time_watched.is_over(limit())) continue;
        if (watched->fault_noted) continue;  // the stopped worker is finding its source line
        // The signal stops a running thread at its current instruction, so the report can name its line.
        if (interrupts++ < most_interrupts) {
            for (pthread_t thread : worker_threads()) interrupt_worker(thread);
        } else {
            stop_late(*watched, {}, Place{});
        }
    }
}

}  // namespace

/// Returns the time of the worker that has computed longest. An average over the workers would be too small:
/// if one thread waits forever, the other workers have nothing to do.
double KernelTime::computed_by_busiest() {
    double most = 0;
    for (pthread_t worker : worker_threads()) {
        const double now = computed_by(worker);
        const auto begin = std::find_if(begins_.begin(), begins_.end(), [&](const Begin& one) {
            return pthread_equal(one.worker, worker) != 0;
        });
        if (begin == begins_.end())
            begins_.push_back({worker, now});
        else
            most = std::max(most, now - begin->computed);
    }
    return most;
}

bool KernelTime::is_over(double limit) {
    const Passed now = passed();
    const double real = std::chrono::duration<double>(now.real).count();
    return now.computed >= limit || (real >= most_patience * limit && now.computed < most_by_waiting * real);
}

KernelTime::Passed KernelTime::passed() {
    return {Clock::now() - begun_, computed_before_ + computed_by_busiest()};
}

void KernelTime::continue_after(const Passed& before) {
    begun_ = Clock::now() - before.real;
    computed_before_ = before.computed;
    begins_.clear();
}

double kernel_time_limit() {
    return limit();
}

void set_kernel_time_limit(double seconds) {
    limit() = seconds;
}

void stop_late(Grid& grid, const facts::Who& thread, const Spot& spot, Block* block) {
    const Place begun_at = grid.launch.place;
    const std::uint64_t begun = std::min<std::uint64_t>(grid.taken * grid.cluster_blocks, grid.blocks);
    Finding late = spot.place.line ? finding(facts::Rule::endless_kernel, spot).by(thread)
                                   : finding_about(facts::Rule::endless_grid, begun_at)
                                         .with("begun", begun)
                                         .with("blocks", grid.blocks);
    if (block && spot.place.line) block->add_state(late);
    grid.stop(cudaErrorLaunchTimeout,
              late.in(grid.launch.name).with("seconds", kernel_time_limit()).with("checked", observed()));
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
    time_watched = KernelTime();
}

NotWatched::NotWatched(bool stands_still) : stands_still_(stands_still) {
    std::lock_guard lock(watch_mutex);
    grid_ = std::exchange(watched, nullptr);
    interrupts_ = interrupts;
    time_ = time_watched;
    passed_ = time_watched.passed();
}

NotWatched::~NotWatched() {
    std::lock_guard lock(watch_mutex);
    watched = grid_;
    interrupts = interrupts_;
    time_watched = time_;
    if (stands_still_) time_watched.continue_after(passed_);
}

Watched::~Watched() {
    std::lock_guard lock(watch_mutex);
    watched = nullptr;
}

}  // namespace kit::cpu
