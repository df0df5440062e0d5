// A hard limit on processes and memory, which holds even if a program starts processes and allocates very fast. For root, it is a
// control group of the kernel, because no other limit applies to root. For other users, it is the limit on a user's processes.
#pragma once

#include "limited_run.hpp"

namespace classroom {

class Cage {
  public:
    explicit Cage(const RunLimits& limits);
    Cage(const Cage&) = delete;
    Cage& operator=(const Cage&) = delete;
    /// Kills the processes that are left in it.
    ~Cage();

    /// Puts the calling process into it: called in the child, before it becomes the program.
    void enter() const;

    /// Returns which limit a process in it has exceeded, in the words of RunLimits; empty if none.
    std::string excess() const;

    /// Returns why this machine has no such limit, and what to do; empty if it has.
    static std::string trouble();

  private:
    std::vector<std::string>
        groups_;  ///< folders of the control group; version 1 has one for each kind of limit
    RunLimits limits_;
    std::size_t processes_before_ = 0;  ///< number of this user's processes at the beginning
};

}  // namespace classroom
