// The requests of the student's warps to memory, as a profiler counts them. The executor counts these
// requests. On a GPU nothing is counted, and tests then demand nothing.
#pragma once

#include <cstdint>
#ifdef KIT_CPU
#include <kit_cpu/profile.hpp>
#endif

namespace kit {

enum class Way { loads, stores };

/// Requests of warps to global memory, and the sectors (aligned pieces of 32 bytes) that they touch. `ideal`
/// is the number of sectors if the same bytes are contiguous.
struct SectorCounts {
    std::uint64_t requests = 0, sectors = 0, ideal = 0;
    std::uint64_t lanes = 0;  ///< number of lanes that were active in the requests
    double lanes_per_request() const { return requests ? double(lanes) / double(requests) : 0; }
    double per_request() const { return requests ? double(sectors) / double(requests) : 0; }
};

/// Requests of warps to shared memory, and the wavefronts that the 32 banks need for them. `ideal` is the
/// number without bank conflicts.
struct WavefrontCounts {
    std::uint64_t requests = 0, wavefronts = 0, ideal = 0;
    double per_request() const { return requests ? double(wavefronts) / double(requests) : 0; }
};

/// Counts of all kernels that ran in one call of the student's function (Case::counts).
struct Counts {
    bool counted = false;  ///< false on a GPU and without the checks (KIT_CHECKS=0); then all counts are 0
    SectorCounts loads, stores;
    WavefrontCounts shared_loads, shared_stores;
    std::uint64_t atomics = 0;    ///< number of atomic requests of warps
    std::uint64_t barriers = 0;   ///< number of barriers, counted once for each warp that passes one
    std::uint64_t divergent = 0;  ///< number of divergent branches (LineCounts)
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

/// Makes the executor count during the lifetime of the object.
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
