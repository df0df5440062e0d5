// A hard limit on processes and memory, which holds even if a program starts processes and allocates very
// fast. For root, it is a control group of the kernel, because other limits do not apply to root. For other
// users, it is the limit on the processes of a user.
#pragma once

#include "limited_run.hpp"

namespace classroom {

class Cage {
  public:
    explicit Cage(const RunLimits& limits);
    Cage(const Cage&) = delete;
    Cage& operator=(const Cage&) = delete;
    /// Kills the processes that are still in the control group.
    ~Cage();

    /// Puts the calling process into the control group. The child process calls enter() before it executes
    /// the program.
    void enter() const;

    /// Returns the limit that a process in the group has exceeded, in the words of RunLimits; empty if there
    /// is none.
    std::string excess() const;

    /// Returns why this machine cannot set such a limit, and what to do; empty if it can.
    static std::string trouble();

  private:
    std::vector<std::string>
        groups_;  ///< folders of the control groups; version 1 has one folder for each kind of limit
    RunLimits limits_;
    std::size_t processes_before_ = 0;  ///< number of this user's processes when the limit was set
};

}  // namespace classroom
