// The turns of host threads that stand for processes, such as the PEs of NVSHMEM. One of them goes on at a time, until it waits, and
// then the next one by number that has something to do. So a program does the same in every run.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace kit::cpu {

/// All functions may be called by any thread; those without a number have no turn and never wait for one.
class Turns {
  public:
    /// The calling thread takes part from now on, under this number.
    void join(unsigned number);
    void leave();
    /// Returns the number of the calling thread; -1: it has none.
    static int number();

    /// Waits until it is the calling thread's turn: the API may be used. Always true at once for a thread without a number.
    void wait();
    bool is_mine();
    /// The calling thread leaves the API and keeps its turn.
    void outside();
    /// Another thread's turn. A thread that sleeps gets no turn before wake_all(), unless all sleep: then any of them may look
    /// whether that makes sense.
    void pass_on(bool sleeps);
    void wake_all();
    /// All have come: the turn is of the one with the lowest number.
    void begin_with_first();

  private:
    enum class State { absent, ready, asleep };
    using Clock = std::chrono::steady_clock;

    bool may_go(int number) const { return turn_ == number || turn_ == nobody; }
    void choose_after(int number);

    static constexpr int nobody = -1;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<State> states_;  ///< by number
    int turn_ = nobody, last_ = nobody;
    bool inside_ = false;      ///< the API is used by the thread whose turn it is
    bool only_looks_ = false;  ///< it has its turn because all sleep
    Clock::time_point left_;   ///< when it left the API
};

Turns& turns();

}  // namespace kit::cpu
