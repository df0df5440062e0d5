// The turns of host threads that stand for processes, such as the PEs of NVSHMEM. One of them continues at a time, until it waits. Then the
// next one by number that can continue gets the turn. So a program behaves the same in every run.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace kit::cpu {

/// Any thread can call these functions. A thread without a number has no turn and never waits for one.
class Turns {
  public:
    /// The calling thread takes part from now on, with this number.
    void join(unsigned number);
    void leave();
    /// Returns the number of the calling thread; -1 if it has none.
    static int number();

    /// Waits until the calling thread has the turn, and so can use the API. Returns immediately for a thread without a number.
    void wait();
    bool is_mine();
    /// The calling thread leaves the API and keeps its turn.
    void outside();
    /// Gives the turn to another thread. A thread that sleeps gets no turn before wake_all(), unless all sleep. In that case, any of them
    /// may check whether it can continue.
    void pass_on(bool sleeps);
    void wake_all();
    /// Called when all threads have joined: the thread with the lowest number gets the turn.
    void begin_with_first();

  private:
    enum class State { absent, ready, asleep };
    using Clock = std::chrono::steady_clock;

    bool may_go(int number) const { return turn_ == number || turn_ == nobody; }
    void choose_after(int number);

    static constexpr int nobody = -1;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<State> states_;  ///< states by number
    int turn_ = nobody, last_ = nobody;
    bool inside_ = false;      ///< whether the thread with the turn is using the API
    bool only_looks_ = false;  ///< whether it has the turn only because all threads sleep
    Clock::time_point left_;   ///< time when it left the API
};

Turns& turns();

}  // namespace kit::cpu
