// The lock of the host API.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace kit::cpu {

/// A recursive mutex that serves threads in the order of their requests. The owner can release the mutex
/// completely, as a kernel does while it waits for a different kernel. Among threads that take turns
/// (turns.hpp), only the one whose turn it is can lock the mutex.
class ApiMutex {
  public:
    void lock();
    bool try_lock();
    void unlock();

    /// Releases the mutex completely, and returns how many times the calling thread had locked it, for
    /// take(). The next thread gets the turn. If the calling thread `sleeps`, it gets no turn until something
    /// changes.
    unsigned let_go(bool sleeps);
    void take(unsigned times);

  private:
    bool is_mine() const { return times_ > 0 && owner_ == std::this_thread::get_id(); }

    std::mutex mutex_;
    std::condition_variable free_;
    std::thread::id owner_;
    unsigned times_ = 0;
    std::uint64_t next_ticket_ = 0, served_ = 0;  ///< the next number to give to a waiting thread, and the
                                                  ///< number that may lock the mutex
};

/// Protects the state of the host API. The lock is held while queued work runs, so that no work runs twice.
ApiMutex& api_mutex();

/// Set while this thread runs a function queued by cudaLaunchHostFunc, which must not call CUDA.
bool& in_host_function();

}  // namespace kit::cpu
