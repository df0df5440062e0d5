// Worker threads. The threads start when they are first needed and sleep between launches.
#include "pool.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include "counters.hpp"
#include "faults.hpp"
#include "host_waits.hpp"
#include "worker.hpp"

namespace kit::cpu {
namespace {

unsigned wanted_workers() {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const char* text = std::getenv("KIT_WORKERS");
    if (!text || !*text) return cores;
    char* end = nullptr;
    const long n = std::strtol(text, &end, 10);
    if (*end || n < 1 || n > 1024) {
        std::fprintf(stderr, "KIT_WORKERS=%s is not a number of threads: use 1 to 1024.\n", text);
        std::exit(2);
    }
    return static_cast<unsigned>(n);
}

void run_here(Worker& worker, const std::function<void()>& task) {
    prepare_faults();
    this_worker = &worker;
    unchecked_atomics = 0;
    task();
    this_worker = nullptr;
    worker.counters.atomics += unchecked_atomics;
    add_counters(std::exchange(worker.counters, {}));
}

/// The workers of the process. The pool is never destroyed, because its threads sleep on its condition
/// variable.
class Pool {
  public:
    void run(unsigned most, const std::function<void()>& task) {
        const unsigned helpers = std::min(most, size_) - 1;
        {
            std::lock_guard lock(mutex_);
            while (threads_.size() < 1 + helpers) {
                std::thread thread([this, number = threads_.size()] { serve(number); });
                threads_.push_back(thread.native_handle());
                thread.detach();
            }
            threads_[0] = pthread_self();
            task_ = &task;
            helpers_ = running_ = helpers;
            ++round_;
        }
        if (helpers) wake_.notify_all();
        run_here(first_, task);
        std::unique_lock lock(mutex_);
        finished_.wait(lock, [this] { return running_ == 0; });
    }

    /// Runs the task only on the calling thread, with a worker that belongs to this thread.
    void runs_here() {
        std::lock_guard lock(mutex_);
        threads_[0] = pthread_self();
        helpers_ = 0;
    }

    std::vector<pthread_t> threads() {
        std::lock_guard lock(mutex_);
        return {threads_.begin(), threads_.begin() + 1 + helpers_};
    }

  private:
    void serve(std::size_t number) {
        is_executor_thread = true;
        Worker worker;
        std::uint64_t seen = 0;
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return round_ != seen; });
            seen = round_;
            if (number > helpers_) continue;
            const std::function<void()>& task = *task_;
            lock.unlock();
            run_here(worker, task);
            lock.lock();
            if (--running_ == 0) finished_.notify_one();
        }
    }

    const unsigned size_ = wanted_workers();
    Worker first_;  ///< the worker of the calling thread
    std::mutex mutex_;
    std::condition_variable wake_, finished_;
    std::vector<pthread_t> threads_{1};  ///< threads_[0] is the calling thread
    const std::function<void()>* task_ = nullptr;
    std::size_t helpers_ = 0, running_ = 0;
    std::uint64_t round_ = 0;
};

Pool& pool() {
    static Pool* pool = new Pool;
    return *pool;
}

}  // namespace

void on_workers(unsigned most, const std::function<void()>& task) {
    pool().run(std::max(1u, most), task);
}

void on_this_thread(const std::function<void()>& task) {
    static thread_local Worker worker;
    pool().runs_here();
    run_here(worker, task);
}

void runs_on_this_thread() {
    pool().runs_here();
}

std::vector<pthread_t> worker_threads() {
    return pool().threads();
}

}  // namespace kit::cpu
