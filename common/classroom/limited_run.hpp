// Runs an untrusted program with limits, and reports its output and how it ended.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace classroom {

/// The limits of a program, together with all processes that it starts.
struct RunLimits {
    double seconds = 300;             ///< wall-clock time
    std::size_t memory = 4ull << 30;  ///< bytes of main memory
    std::size_t processes = 64;       ///< number of processes and threads
    std::size_t output = 1 << 20;     ///< bytes to keep of standard output and of standard error; the rest is
                                      ///< dropped
    std::size_t disk = 256ull << 20;  ///< bytes of the scratch folder, which is in memory (sandbox.hpp)
    bool spare_parent = false;  ///< whether only the child that exceeds memory or processes is ended, and not
                                ///< the program
};

struct Ended {
    int status = 0;        ///< exit status as in a shell: 128 + N after signal N, 127 if the program could
                           ///< not start
    std::string out, err;  ///< the beginning of each output
    std::string
        stopped_for;  ///< the limit that ended the program or a child, in words: "used more than 4096 MB of
                      ///< memory"
    double seconds = 0;
};

/// Runs the program with exactly this environment. At the end, kills every process that the program has left
/// running.
Ended run_limited(const std::vector<std::string>& command,
                  const std::map<std::string, std::string>& environment, const RunLimits& limits);

/// What a process and its descendants currently use.
struct Usage {
    std::size_t memory = 0, processes = 0;
    std::vector<pid_t> members;  ///< the processes, with parents before their children
};
Usage usage_of(pid_t process);

}  // namespace classroom
