// What the warps of the student's kernels asked memory for, as a profiler counts it. The executor counts; on a GPU nobody does, and
// then nothing is demanded.
#pragma once

#include <cstdint>
#ifdef KIT_CPU
#include <kit_cpu/profile.hpp>
#endif

namespace kit {

enum class Way { loads, stores };

/// Global memory: requests of warps, and the aligned pieces of 32 bytes that they touch. `ideal`: if the same bytes lay side by side.
struct SectorCounts {
    std::uint64_t requests = 0, sectors = 0, ideal = 0;
    std::uint64_t lanes = 0;  ///< that were active in the requests
    double lanes_per_request() const { return requests ? double(lanes) / double(requests) : 0; }
    double per_request() const { return requests ? double(sectors) / double(requests) : 0; }
};

/// Shared memory: requests of warps, and the turns that the 32 banks take to serve them. `ideal`: without conflicts.
struct WavefrontCounts {
    std::uint64_t requests = 0, wavefronts = 0, ideal = 0;
    double per_request() const { return requests ? double(wavefronts) / double(requests) : 0; }
};

/// Of all kernels that a call of the student's function has run; see Case::counts.
struct Counts {
    bool counted = false;  ///< by nobody on a GPU, or without the checks (KIT_CHECKS=0): everything is 0
    SectorCounts loads, stores;
    WavefrontCounts shared_loads, shared_stores;
    std::uint64_t atomics = 0;    ///< requests of warps
    std::uint64_t barriers = 0;   ///< passed by warps
    std::uint64_t divergent = 0;  ///< branches by which lanes of a warp part, see LineCounts
#ifdef KIT_CPU
    std::vector<cpu::KernelProfile> kernels;
#endif
};

namespace detail {

#ifdef KIT_CPU
inline Counts counts_of(std::vector<cpu::KernelProfile> kernels) {
    using Kind = cpu::RequestKind;
    Counts counts;
    counts.counted = !kernels.empty();
    const auto add = [](auto& to, std::uint64_t& units, const cpu::RequestCounts& all) {
        to.requests += all.requests;
        to.ideal += all.ideal;
        units += all.units;
    };
    for (const cpu::KernelProfile& kernel : kernels) {
        counts.loads.lanes += kernel.total(Kind::load).lanes;
        counts.stores.lanes += kernel.total(Kind::store).lanes;
        add(counts.loads, counts.loads.sectors, kernel.total(Kind::load));
        add(counts.stores, counts.stores.sectors, kernel.total(Kind::store));
        add(counts.shared_loads, counts.shared_loads.wavefronts, kernel.total(Kind::shared_load));
        add(counts.shared_stores, counts.shared_stores.wavefronts, kernel.total(Kind::shared_store));
        counts.atomics += kernel.total(Kind::atomic).requests;
        counts.divergent += kernel.divergent();
        for (const cpu::LineCounts& line : kernel.lines) counts.barriers += line.barriers;
    }
    counts.kernels = std::move(kernels);
    return counts;
}
#endif

/// While it lives the executor counts.
#ifdef KIT_CPU
class Counting {
  public:
    Counting() {
        cpu::take_profile();
        cpu::begin_profile();
    }
    ~Counting() { cpu::end_profile(); }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;

    Counts take() const { return counts_of(cpu::take_profile()); }
};
#else
struct Counting {
    Counts take() const { return {}; }
};
#endif

}  // namespace detail
}  // namespace kit
