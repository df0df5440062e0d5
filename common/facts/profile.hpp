// The requests of a kernel's warps to memory, line by line, and the work queued in streams, as data for the tables of common/words.
#pragma once

#include <cstdint>
#include <facts/finding.hpp>
#include <string>
#include <vector>

namespace kit::facts {

/// The accesses of one kind that the warps of a kernel make at one line. The cost of a request is counted in sectors (global memory),
/// wavefronts (shared memory) or addresses (atomics).
struct Requests {
    enum class Kind { load, store, shared_load, shared_store, atomic };

    Kind kind = Kind::load;
    std::uint64_t count = 0;
    double lanes = 0, units = 0, ideal = 0;  ///< averages per request
    bool is_ideal = false;                   ///< no request took more units than it needs
    long stride = 0;     ///< bytes from lane to lane in the most expensive request; 0: they differ
    unsigned bytes = 0;  ///< bytes per lane in that request
};

struct ProfiledLine {
    Line line;
    std::vector<Requests> requests;  ///< only the kinds that occur at the line
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
        int line = 0;  ///< line of the wait for an event; 0: unknown
    };

    Kind kind = Kind::other;
    std::string what;  ///< the kernel, or the function that was called
    bool pageable = false;
    int stream = 0, line = 0;  ///< the stream and the line, as in `Queued`
    std::uint64_t row = 0;
    unsigned step = 0;
    std::vector<After> after;
};

}  // namespace kit::facts
