// Counts the work of warps, by kernel and instruction. The profiler is off until a program starts it.
#pragma once

#include <facts/profile.hpp>
#include <kit_cpu/profile.hpp>
#include <kit_cpu/timeline.hpp>
#include <map>
#include <memory>
#include <unordered_map>

#include "events.hpp"
#include "lockstep.hpp"
#include "samples.hpp"

namespace kit::cpu {

/// The profile of one kernel, stored for the end of the program.
struct KeptProfile {
    KernelProfile counts;
    Samples samples;
};

class Profiler {
  public:
    bool is_on() const { return begun_ > 0; }
    void begin();
    void end();
    /// Also stores profiles that other code takes, for the end of the program. `samples`: with samples of
    /// single requests.
    void keep(bool samples) {
        keeps_ = true;
        samples_wanted_ = samples;
    }
    /// Counts each launch as a separate kernel from now on.
    void tell_launches_apart() { apart_ = true; }

    void kernel_begins(const Grid& grid);
    void block_begins(const Block& block);
    void block_ended(const Block& block);
    /// Counts an access. `address`: for shared memory, the offset from its start. `width`: size of each
    /// request in bytes, if the access consists of several.
    void access(const Block& block, std::uint64_t address, const Access& access, unsigned width,
                RequestKind kind);
    void round(const Block& block, const Round& round);
    void barrier(const BarrierStep& step, const void* call);
    /// Called before the lanes of a shuffle meet. `source`: the lane from which the running lane will read.
    void shuffle_begins(const Block& block, int source);
    void product(const Block& block, const void* instruction, std::uint64_t multiplications);

    std::vector<KernelProfile> take();
    std::vector<KeptProfile> take_kept();

  private:
    /// The sectors that loads of a warp have read recently, to recognize repeated reads.
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
        std::unordered_map<std::uint64_t, std::uint64_t> updates;  ///< number of atomic updates, by address
    };
    struct Kernel {
        std::string name;
        std::uint64_t launches = 0, blocks = 0, threads = 0;
        dim3 grid, block;
        std::size_t shared_bytes = 0;
        bool is_cooperative = false, is_child = false;
        std::map<const void*, Instruction> instructions;
        Samples samples;
    };
    struct Warp {
        explicit Warp(std::uint32_t lanes) : steps(lanes) {}

        Lockstep steps;
        Recent recent;
        std::uint64_t taken = 0;          ///< number of recorded steps, if samples were requested
        std::vector<Exchange> exchanges;  ///< by number of the meeting in `steps`, if samples were requested
        ShuffleSources sources = no_sources();  ///< sources of a shuffle whose lanes have not met
    };
    struct Running {
        const Block* block;
        Kernel* kernel;
        std::vector<Warp> warps;
    };

    void keep(const KernelProfile& counts, Samples samples);
    Kernel* latest_named(const std::string& name);
    Running* running(const Block& block);
    void replay(Running& running, Warp& warp);
    void count(Running& running, Warp& warp, const Lockstep::Step& step, const WarpAccess& access);
    void keep_meeting(Running& running, Warp& warp, const Lockstep::Step& step);

    int begun_ = 0;
    bool keeps_ = false, samples_wanted_ = false, apart_ = false;
    std::vector<KeptProfile> kept_;
    std::vector<std::unique_ptr<Kernel>> kernels_;
    std::unordered_map<const Block*, Running> running_;
    const Block* last_ = nullptr;  ///< the block that made the last request
    Running* last_running_ = nullptr;
};

/// Returns the profiler of this process.
Profiler& profiler();

// Prints the profile and the timeline with the sentences of common/words.

facts::Requests requests_of(const LineCounts& line, RequestKind kind);
facts::Piece piece_of(const QueuedPiece& piece);

}  // namespace kit::cpu
