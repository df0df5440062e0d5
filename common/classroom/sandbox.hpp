// The sandbox that a student's code is compiled and run in: bubblewrap, as the distribution has it.
//
// Inside there is the system's software (/usr), read only, and what is named; a scratch folder /tmp in memory, of limited size; no
// network, no other process, no device but those that a terminal program needs. When it ends, all that runs in it is killed.
#pragma once

#include "classroom.hpp"
#include "limited_run.hpp"

namespace classroom {

class Sandbox {
  public:
    /// With `off`, programs run with our own rights.
    explicit Sandbox(bool off = false) : off_(off) {}

    /// Why nothing can be run in it here, and what to do; empty: it works.
    std::string trouble() const;

    /// The command as it is run inside. `visible`: files and folders, readable in their own places; what does not exist is left out.
    std::vector<std::string> command(const std::vector<std::string>& inner,
                                     const std::vector<fs::path>& visible, const RunLimits& limits) const;

  private:
    bool off_;
};

}  // namespace classroom
