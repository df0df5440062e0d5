// Single requests and steps of a kernel, for pages that show more than sums (page.hpp). The number of samples
// has an upper limit, however long the kernel runs.
#pragma once

#include <vector_types.h>

#include <cstdint>
#include <kit_cpu/profile.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device/occupancy.hpp"
#include "exchange.hpp"
#include "warp_access.hpp"

namespace kit::cpu {

class Block;
struct Launch;

/// The configuration of a launch, and how many of its blocks are resident on a multiprocessor.
struct LaunchShape {
    dim3 grid, block;
    std::size_t static_shared = 0, dynamic_shared = 0;
    int registers = 0, resident = 0;
    BlockLimits limits{};
    std::uint64_t launches = 0;  ///< number of launches with the same counts

    std::uint64_t threads() const;
};

/// Identifies a warp: the number of the launch of its kernel, counted from 1, and its block.
struct WarpName {
    std::uint64_t launch = 0;
    uint3 block{};
    unsigned warp = 0;

    bool operator==(const WarpName& other) const;
};

struct RequestSample {
    const void* instruction;
    RequestKind kind;
    WarpName who;
    std::uint64_t step;  ///< index of the step in its warp, counted from 0
    unsigned units, ideal;
    WarpAccess access;
    std::vector<std::string> elements;  ///< accessed element of each lane, such as "tile[5][0]"; empty if
                                        ///< unknown

    /// Returns the cost of the request: its units, or for atomics the number of updates of addresses that
    /// another lane also updates.
    unsigned cost() const { return kind == RequestKind::atomic ? ideal - units : units; }
};

struct WarpStep {
    enum class Kind {
        request,
        barrier,  ///< a barrier of the block
        meeting   ///< a barrier of the warp, a shuffle, a vote, or a different exchange of values
    };
    const void* instruction;
    Kind kind;
    std::uint32_t lanes;
    RequestKind request = RequestKind::load;  ///< kind of the request
    unsigned units = 0, ideal = 0;            ///< cost of the request
    Exchange exchange{};                      ///< what the lanes that meet exchange
};

struct WarpSteps {
    WarpName who;
    std::vector<WarpStep> steps;
    std::uint64_t more = 0;  ///< number of further steps, which are not stored
};

/// The samples of one kernel. If the kernel is launched several times, the samples are from the largest
/// launch (the first of equally large ones), because small launches are often special cases.
class Samples {
  public:
    static constexpr std::size_t most_warps = 4, most_of_first_warp = 8, most_steps = 400, most_shapes = 8;

    void launched(const Launch& launch);
    void block_begins(const Block& block);
    /// Adds a request of an instruction. For each instruction, keeps the first request of 4 warps, the first
    /// 8 of the first warp, and the one with the highest cost.
    void request(const Block& block, const RequestSample& sample);
    void barrier(const Block& block, const void* call);
    /// Adds a step that is not a request.
    void step(const Block& block, unsigned warp, const WarpStep& step);
    /// Adds samples that were taken later of the same kernel.
    void add(Samples others);
    std::uint64_t launches() const { return launches_; }

    std::vector<RequestSample> requests() const;
    std::uint64_t largest_launch() const { return largest_; }
    const std::vector<WarpSteps>& steps() const { return steps_; }
    const std::vector<LaunchShape>& shapes() const { return shapes_; }

  private:
    struct Kept {
        std::vector<RequestSample> first, dearest;
        bool of_largest = false;  ///< whether `first` is from the largest launch so far
    };
    bool is_followed(const Block& block) const;
    void add_shape(const LaunchShape& shape);

    std::uint64_t launches_ = 0;
    /// Number of the largest launch, and how many threads it has.
    std::uint64_t largest_ = 0, threads_of_largest_ = 0;
    std::vector<LaunchShape> shapes_;
    std::vector<WarpSteps> steps_;  ///< steps of the first warps of the block that started first
    std::map<std::pair<const void*, RequestKind>, Kept> kept_;
};

}  // namespace kit::cpu
