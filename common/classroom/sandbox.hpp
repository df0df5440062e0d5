// The sandbox in which a student's code is compiled and run: the distribution's bubblewrap.
//
// The sandbox contains the system's software (/usr) and the named files, read only, and a scratch folder /tmp in memory with limited
// size. It has no network, no other process, and only the devices that a terminal program needs. At its end, all its processes are killed.
#pragma once

#include "classroom.hpp"
#include "limited_run.hpp"

namespace classroom {

class Sandbox {
  public:
    /// With `off`, programs run with our own rights.
    explicit Sandbox(bool off = false) : off_(off) {}

    /// Returns why it does not work on this machine, and what to do; empty if it works.
    std::string trouble() const;

    /// Returns the command that runs inside. `visible`: files and folders that are readable at their own paths; missing ones are omitted.
    std::vector<std::string> command(const std::vector<std::string>& inner,
                                     const std::vector<fs::path>& visible, const RunLimits& limits) const;

  private:
    bool off_;
};

}  // namespace classroom
