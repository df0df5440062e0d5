// Counts what warps do, by kernel and instruction: off until somebody asks.
#pragma once

#include <kit_cpu/profile.hpp>
#include <map>
#include <memory>
#include <unordered_map>

#include "events.hpp"
#include "lockstep.hpp"

namespace kit::cpu {

class Profiler {
  public:
    bool is_on() const { return begun_ > 0; }
    void begin() { ++begun_; }
    void end() { --begun_; }
    /// What others take is kept, too, for the table at the end.
    void keep() { keeps_ = true; }

    void kernel_begins(const Grid& grid);
    void block_begins(const Block& block);
    void block_ended(const Block& block);
    /// `address`: of shared memory, from its begin.
    void access(const Block& block, std::uint64_t address, const Access& access, RequestKind kind);
    void barrier(const BarrierStep& step, const void* call);

    std::vector<KernelProfile> take();
    std::vector<KernelProfile> take_kept();

  private:
    /// What the loads of a warp have read lately, by sector.
    struct Recent {
        struct Slot {
            std::uint64_t sector = 0, load = 0;
        };
        Slot slots[256];
        std::uint64_t loads = 0;

        bool has_all_then_add(const WarpAccess& access);
        void drop(const WarpAccess& access);
    };
    struct Instruction {
        LineCounts counts;
        std::unordered_map<std::uint64_t, std::uint64_t> updates;  ///< of atomics, by address
    };
    struct Kernel {
        std::string name;
        std::uint64_t launches = 0, blocks = 0, threads = 0;
        std::map<const void*, Instruction> instructions;
    };
    struct Warp {
        Lockstep steps;
        Recent recent;
    };
    struct Running {
        Kernel* kernel;
        std::vector<Warp> warps;
    };

    Kernel& kernel_named(const std::string& name);
    Running* running(const Block& block);
    void replay(Running& running, Warp& warp);
    static void count(Instruction& at, RequestKind kind, const WarpAccess& access, Recent& recent);

    int begun_ = 0;
    bool keeps_ = false;
    std::vector<KernelProfile> kept_;
    std::vector<std::unique_ptr<Kernel>> kernels_;
    std::unordered_map<const Block*, Running> running_;
    const Block* last_ = nullptr;  ///< asked for
    Running* last_running_ = nullptr;
};

/// The profiler of this process.
Profiler& profiler();

}  // namespace kit::cpu
