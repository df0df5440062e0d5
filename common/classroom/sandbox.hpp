// The sandbox (bubblewrap) in which a student's code is compiled and run.
//
// The sandbox contains the system's software (/usr) and the given files, read only, and a scratch folder /tmp
// in memory with a limited size. The sandbox has no network, no other processes, and only the devices that a
// terminal program needs. When the sandbox ends, all processes in it are killed.
#pragma once

#include "classroom.hpp"
#include "limited_run.hpp"

namespace classroom {

class Sandbox {
  public:
    /// With `off`, there is no sandbox, and programs run with the rights of this process.
    explicit Sandbox(bool off = false) : off_(off) {}

    /// Returns why the sandbox does not work on this machine, and what to do; empty if it works.
    std::string trouble() const;

    /// Returns the command that runs `inner` in the sandbox. `visible`: files and folders that are readable
    /// at their own paths, if they exist.
    std::vector<std::string> command(const std::vector<std::string>& inner,
                                     const std::vector<fs::path>& visible, const RunLimits& limits) const;

  private:
    bool off_;
};

// A hard limit on processes and memory, which holds even if a program starts processes and allocates very
// fast. For root, it is a control group of the kernel, because other limits do not apply to root. For other
// users, it is the limit on the processes of a user.

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
