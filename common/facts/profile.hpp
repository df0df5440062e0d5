// The profile as data, for the tables of common/words: requests of a kernel's warps to memory, by line, and
// the work queued in streams.
#pragma once

#include <cstdint>
#include <facts/finding.hpp>
#include <string>
#include <vector>

namespace kit::facts {

/// The accesses of one kind that the warps of a kernel make at one line. The cost of the accesses is counted
/// in sectors (global memory), wavefronts (shared memory) or addresses (atomics).
struct Requests {
    enum class Kind { load, store, shared_load, shared_store, atomic };

    Kind kind = Kind::load;
    std::uint64_t count = 0;
    double lanes = 0, units = 0, ideal = 0;  ///< averages per request
    bool is_ideal = false;                   ///< whether no request has more units than necessary
    long stride = 0;     ///< distance in bytes from lane to lane in the request with the most units; 0 if it
                         ///< varies
    unsigned bytes = 0;  ///< bytes of each lane in that request
};

struct ProfiledLine {
    Line line;
    std::vector<Requests> requests;  ///< contains only the kinds of requests that occur at the line
    std::uint64_t repeated = 0, addresses = 0, divergent = 0, barriers = 0;
    std::uint64_t products = 0, multiplications = 0;  ///< operations of tensor cores, one per warp
};

struct ProfiledKernel {
    std::string name;
    std::uint64_t launches = 0, blocks = 0, threads = 0;
    std::vector<ProfiledLine> lines;
};

/// A piece of queued work in the timeline.
struct Piece {
    enum class Kind { kernel, copy_in, copy_out, copy, fill, host_function, other };
    enum class Because { event, default_stream, host, graph };
    struct After {
        std::size_t piece = 0;
        Because because = Because::event;
        int line = 0;  ///< line of the wait for an event; 0 if unknown
    };

    Kind kind = Kind::other;
    std::string what;  ///< name of the kernel, or of the called function
    bool pageable = false;
    int stream = 0, line = 0;  ///< stream and line, as in `Queued`
    std::uint64_t row = 0;
    unsigned step = 0;
    std::vector<After> after;
};

}  // namespace kit::facts
