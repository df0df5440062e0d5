// Turns of host threads that stand for processes, such as the PEs of NVSHMEM. One thread runs at a time,
// until it waits. Then the thread with the next number that can continue gets the turn. As a result, a
// program behaves the same in every run.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace kit::cpu {

/// The turns of host threads. Any thread can call these functions. A thread without a number has no turn and
/// never waits for one.
class Turns {
  public:
    /// Makes the calling thread take part with this number.
    void join(unsigned number);
    void leave();
    /// Returns the number of the calling thread; -1 if it has none.
    static int number();

    /// Waits until it is the calling thread's turn to use the API. Returns immediately for a thread without a
    /// number.
    void wait();
    bool is_mine();
    /// Records that the calling thread leaves the API and keeps its turn.
    void outside();
    /// Gives the turn to another thread. A thread that sleeps gets no turn before wake_all(), unless all
    /// threads sleep. In that case, each thread in turn can check whether it can continue.
    void pass_on(bool sleeps);
    void wake_all();
    /// Called when all threads have joined. The thread with the lowest number gets the first turn.
    void begin_with_first();

  private:
    enum class State { absent, ready, asleep };
    using Clock = std::chrono::steady_clock;

    bool may_go(int number) const { return turn_ == number || turn_ == no_thread; }
    void choose_after(int number);

    static constexpr int no_thread = -1;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<State> states_;  ///< states of the threads, by number
    int turn_ = no_thread, last_ = no_thread;
    bool inside_ = false;      ///< whether the thread whose turn it is is using the API
    bool only_looks_ = false;  ///< whether that thread has the turn only because all threads sleep
    Clock::time_point left_;   ///< time when that thread left the API
};

Turns& turns();

}  // namespace kit::cpu
