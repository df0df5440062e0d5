// The profile of a kernel: counts of the accesses of its warps, by source line, as a GPU's profiler counts
// them.
#pragma once

#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// Counts of one kind of access at one line. A request is one access by a warp, with the lanes that take
/// part.
///
/// For global memory, `units` are sectors, which are aligned pieces of 32 bytes of which the lanes use at
/// least one byte. `ideal` is the number of sectors that the same bytes need if they are contiguous.
///
/// For shared memory, `units` are wavefronts. A wavefront reads or writes one word of 4 bytes in each of the
/// 32 banks. `ideal` is their number without conflicts: 1 for lanes of up to 4 bytes, 1 for each half of a
/// warp for 8 bytes, and 1 for each quarter for 16.
///
/// For atomic updates, `units` are the distinct addresses within a request, and `ideal` is the number of
/// lanes.
struct RequestCounts {
    std::uint64_t requests = 0, lanes = 0, units = 0, ideal = 0;
    std::uint64_t used = 0;  ///< size of the bytes that all lanes access

    std::uint64_t worst = 0;  ///< units of the request with the most units
    long stride = 0;  ///< distance in bytes from lane to lane in that request; 0 if it varies, or if there is
                      ///< only one lane
    unsigned bytes = 0;  ///< bytes of each lane in that request

    double per_request() const { return requests ? double(units) / double(requests) : 0; }
    double ideal_per_request() const { return requests ? double(ideal) / double(requests) : 0; }
    double lanes_per_request() const { return requests ? double(lanes) / double(requests) : 0; }
    /// Returns the number of units for each 128 bytes that lanes use, which compares accesses of any width
    /// with 32 lanes of 4 bytes. The ideal is 4 sectors or 1 wavefront. If each lane runs alone, it is 32 of
    /// either, and if lanes read the same address, it is below the ideal.
    double per_128_bytes() const { return used ? 128.0 * double(units) / double(used) : 0; }
    void add(const RequestCounts& other);
};

enum class RequestKind { load, store, shared_load, shared_store, atomic };
constexpr std::size_t request_kinds = 5;

struct LineCounts {
    Place place;
    RequestCounts requests[request_kinds];
    std::uint64_t repeated =
        0;  ///< number of global loads for which the warp's previous 8 loads had already read all sectors
    std::uint64_t addresses = 0;  ///< number of distinct addresses of atomics in the whole kernel
    std::uint64_t barriers = 0;   ///< number of barriers that warps have passed
    std::uint64_t products =
        0;  ///< number of operations of tensor cores (mma_sync(), mma.sync); each warp counts
    std::uint64_t multiplications = 0;  ///< number of multiplications in these operations
    /// Number of divergent branches: how many times only some lanes of a converged warp continued at this
    /// line. A branch counts if a path through it has an access or a shuffle before the lanes converge again;
    /// it counts once for each such path except the last.
    std::uint64_t divergent = 0;

    RequestCounts& of(RequestKind kind) { return requests[static_cast<std::size_t>(kind)]; }
    const RequestCounts& of(RequestKind kind) const { return requests[static_cast<std::size_t>(kind)]; }
};

struct KernelProfile {
    std::string kernel;
    std::uint64_t launches = 0, blocks = 0, threads = 0;
    dim3 grid, block;               ///< grid and block size of the first launch
    std::size_t shared_bytes = 0;   ///< static and dynamic shared memory per block in the first launch, in
                                    ///< bytes
    bool is_cooperative = false;    ///< whether the first launch is cooperative
    bool is_child = false;          ///< whether a kernel made the first launch
    std::vector<LineCounts> lines;  ///< sorted by file and line

    /// Returns the sum of one kind of request over all lines.
    RequestCounts total(RequestKind kind) const;
    std::uint64_t divergent() const;
};

/// Starts counting kernels. Each call of begin_profile() needs one call of end_profile(). With the checks off
/// (KIT_CHECKS=0), nothing is counted.
void begin_profile();
void end_profile();

/// Returns the counts since the last call, one entry per kernel, in the order of their first launches.
std::vector<KernelProfile> take_profile();

/// Returns why requests of this kind cost more than necessary, such as "32 sectors per request, 4 are enough:
/// neighbours are 128 bytes apart"; empty if they do not.
std::string cost_in_words(const LineCounts& line, RequestKind kind);

/// Reports a finding ("sectors" or "bank_conflicts") if requests of this kind need more than this many units
/// for each 128 bytes. The finding names the line that wastes most units.
void demand_at_most(double units, RequestKind kind, const std::vector<KernelProfile>& profile);

/// Reports a finding ("divergence") if, on average, fewer than this many lanes take part in a request of this
/// kind. The finding names the line that most lanes skip.
void demand_lanes_at_least(double lanes, RequestKind kind, const std::vector<KernelProfile>& profile);

/// Reports a finding ("divergence") if there are more than this many divergent branches. The finding names
/// the line with the most divergent branches.
void demand_divergent_at_most(std::uint64_t branches, const std::vector<KernelProfile>& profile);

/// Prints and writes the profile that `--profile` or KIT_PROFILE requests, unless that has been done. A
/// program that ends without exit() must call this.
void finish_profile();

/// Returns the profile as a table in plain text.
std::string in_words(const std::vector<KernelProfile>& profile);

}  // namespace kit::cpu
