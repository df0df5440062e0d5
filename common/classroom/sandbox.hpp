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

}  // namespace classroom
