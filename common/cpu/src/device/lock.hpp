// The lock of the host API, and who must not ask for it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace kit::cpu {

/// A recursive mutex that serves threads in the order in which they come, and that its owner can release completely: a kernel that
/// waits for a different kernel does so. Of threads with a turn (turns.hpp), only the one whose turn it is gets the mutex.
class ApiMutex {
  public:
    void lock();
    bool try_lock();
    void unlock();

    /// However often the calling thread has it, it has it no more; take() gives it back as often. The next thread has its turn;
    /// the calling one gets no further turn before something changes if it `sleeps`.
    unsigned let_go(bool sleeps);
    void take(unsigned times);

  private:
    bool is_mine() const { return times_ > 0 && owner_ == std::this_thread::get_id(); }

    std::mutex mutex_;
    std::condition_variable free_;
    std::thread::id owner_;
    unsigned times_ = 0;
    std::uint64_t next_ticket_ = 0, served_ = 0;  ///< the tickets of the waiting threads
};

/// Guards all state of the host API. Held while queued work runs, so that work is never run twice.
ApiMutex& api_mutex();

/// True while a function queued by cudaLaunchHostFunc runs on this thread; it must not call CUDA.
bool& in_host_function();

}  // namespace kit::cpu
