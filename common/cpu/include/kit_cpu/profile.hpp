// What the warps of a kernel did, by source line, as the profiler of a GPU counts it.
#pragma once

#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// One kind of access by one line. A request is one access by a warp, with the lanes that take part.
///
/// Global memory: `units` are sectors, aligned pieces of 32 bytes of which the lanes use at least one byte; `ideal` is what the
/// same bytes need when they lie side by side. Shared memory: `units` are wavefronts, each of which takes from each of the 32
/// banks one word of 4 bytes; `ideal` without conflicts: 1 for lanes of up to 4 bytes, 1 for each half of a warp for 8, and for
/// each quarter for 16. Atomic updates: `units` are the distinct addresses within a request, `ideal` the lanes.
struct RequestCounts {
    std::uint64_t requests = 0, lanes = 0, units = 0, ideal = 0;
    std::uint64_t used = 0;  ///< bytes of all lanes together

    std::uint64_t worst = 0;  ///< most units of a request,
    long stride = 0;          ///< and of that one the bytes from lane to lane; 0 if they differ, or are none
    unsigned bytes = 0;       ///< of a lane, in that request

    double per_request() const { return requests ? double(units) / double(requests) : 0; }
    double ideal_per_request() const { return requests ? double(ideal) / double(requests) : 0; }
    double lanes_per_request() const { return requests ? double(lanes) / double(requests) : 0; }
    /// Units for each 128 bytes that lanes use: what 32 lanes of 4 bytes cost, whatever the width. 4 sectors or 1 wavefront are ideal;
    /// lanes that go alone pay 32 of either, and lanes that read the same address less than the ideal.
    double per_128_bytes() const { return used ? 128.0 * double(units) / double(used) : 0; }
    void add(const RequestCounts& other);
};

enum class RequestKind { load, store, shared_load, shared_store, atomic };
constexpr std::size_t request_kinds = 5;

struct LineCounts {
    Place place;
    RequestCounts requests[request_kinds];
    std::uint64_t repeated =
        0;  ///< of the global loads: all their sectors were read by the warp's last 8 loads already
    std::uint64_t addresses = 0;  ///< of the atomics: distinct ones in the whole kernel
    std::uint64_t barriers = 0;   ///< passed by warps
    /// Divergent branches: so often only some of the lanes of a warp that had come together went on with this line. A branch counts
    /// if a way through it has an access or a shuffle before all are together again, once for each such way but the last.
    std::uint64_t divergent = 0;

    RequestCounts& of(RequestKind kind) { return requests[static_cast<std::size_t>(kind)]; }
    const RequestCounts& of(RequestKind kind) const { return requests[static_cast<std::size_t>(kind)]; }
};

struct KernelProfile {
    std::string kernel;
    std::uint64_t launches = 0, blocks = 0, threads = 0;
    dim3 grid, block;               ///< of the first launch
    std::size_t shared_bytes = 0;   ///< of its block, static and dynamic, in the first launch
    bool is_cooperative = false;    ///< the first launch
    bool is_child = false;          ///< launched by a kernel, the first time
    std::vector<LineCounts> lines;  ///< in the order of file and line

    /// All lines together.
    RequestCounts total(RequestKind kind) const;
    std::uint64_t divergent() const;
};

/// From now on kernels are counted; as often as it was begun it must end. Where the checks are off (KIT_CHECKS=0) nothing is.
void begin_profile();
void end_profile();

/// What was counted since the last call, by kernel, in the order of their first launches.
std::vector<KernelProfile> take_profile();

/// What the requests of this kind cost more than they need to, and why: "32 sectors per request, 4 are enough: neighbours are 128
/// bytes apart". Empty if they cost nothing more.
std::string cost_in_words(const LineCounts& line, RequestKind kind);

/// Adds a finding, "sectors" or "bank_conflicts", if the requests of this kind take more than so many units for each 128 bytes. It
/// names the line that wastes most.
void demand_at_most(double units, RequestKind kind, const std::vector<KernelProfile>& profile);

/// Adds a finding, "divergence", if fewer than so many lanes take part in a request of this kind, on average. It names the line that
/// the most lanes miss.
void demand_lanes_at_least(double lanes, RequestKind kind, const std::vector<KernelProfile>& profile);

/// Adds a finding, "divergence", if there are more divergent branches. It names the line that has the most.
void demand_divergent_at_most(std::uint64_t branches, const std::vector<KernelProfile>& profile);

/// Prints and writes what `--profile` or KIT_PROFILE asks for, unless it is done. A program that ends without exit() calls it.
void finish_profile();

/// The profile as a table.
std::string in_words(const std::vector<KernelProfile>& profile);

}  // namespace kit::cpu
