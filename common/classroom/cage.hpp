// A hard limit on processes and memory, which a program meets however fast it starts and allocates: a control group of the kernel
// where we are root, whom no other limit binds; for everybody else the limit on a user's processes.
#pragma once

#include "limited_run.hpp"

namespace classroom {

class Cage {
  public:
    explicit Cage(const RunLimits& limits);
    Cage(const Cage&) = delete;
    Cage& operator=(const Cage&) = delete;
    /// Kills what is left in it.
    ~Cage();

    /// In the child, before it becomes the program.
    void enter() const;

    /// Has a process in it been refused a child, or been killed for its memory? In words, as RunLimits has them.
    std::string excess() const;

    /// Why there can be none here, and what to do; empty: there can.
    static std::string trouble();

  private:
    std::vector<std::string>
        groups_;  ///< folders of the control group; version 1 has one for each kind of limit
    RunLimits limits_;
    std::size_t processes_before_ = 0;  ///< of this user
};

}  // namespace classroom
