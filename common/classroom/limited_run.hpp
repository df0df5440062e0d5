// Running a program that nobody trusts: what it may use, what it prints, and how it ended.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace classroom {

/// What a program, and all that it starts, may use together.
struct RunLimits {
    double seconds = 300;             ///< by the clock
    std::size_t memory = 4ull << 30;  ///< bytes in main memory
    std::size_t processes = 64;       ///< processes and threads
    std::size_t output = 1 << 20;     ///< bytes kept of each of the two outputs; what comes behind is dropped
    std::size_t disk = 256ull << 20;  ///< bytes of its scratch folder, which lies in memory (sandbox.hpp)
    bool spare_parent = false;  ///< who exceeds memory or processes is a child of the program, and ends alone
};

struct Ended {
    int status = 0;        ///< as a shell has it: 128 + N for signal N, 127 if it could not be started
    std::string out, err;  ///< the beginning of what it printed
    std::string
        stopped_for;  ///< which limit ended it, or a child of it, in words: "used more than 4096 MB of memory"
    double seconds = 0;
};

/// `environment` is all that the program gets. Whatever it leaves running is killed.
Ended run_limited(const std::vector<std::string>& command,
                  const std::map<std::string, std::string>& environment, const RunLimits& limits);

/// What a process and its descendants use now.
struct Usage {
    std::size_t memory = 0, processes = 0;
    std::vector<pid_t> members;  ///< parents before children
};
Usage usage_of(pid_t process);

}  // namespace classroom
