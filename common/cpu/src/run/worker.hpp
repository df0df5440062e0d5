// One worker: the blocks that it has made resident on its core, and the CUDA thread that it is running.
#pragma once

#include <kit_cpu/executor.hpp>
#include <memory>
#include <vector>

#include "block.hpp"
#include "faults.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

/// A load by one thread, to detect that the thread repeats it.
struct Look {
    const volatile void* address = nullptr;
    const void* instruction = nullptr;
    const Block* block = nullptr;
    unsigned rank = 0;

    bool operator==(const Look& other) const {
        return address == other.address && instruction == other.instruction && block == other.block &&
               rank == other.rank;
    }
};

struct Worker {
    /// Takes blocks from the grid and runs them until none is left.
    void work(Grid& grid);

    /// Called by the scheduler. Runs the thread that sleeps on this stack, and the threads to which it
    /// switches, until no thread of the block can continue.
    void resume(void* stack);
    /// Called on a fiber. Drops the running thread and returns to the scheduler.
    [[noreturn]] void stop(const void* stack = __builtin_frame_address(0));

    FiberPool fibers;
    void* scheduler = nullptr;        ///< stack pointer of the sleeping scheduler
    Fiber* fiber = nullptr;           ///< the fiber that runs now
    Block* block = nullptr;           ///< the block of the running thread
    bool in_thread = false;           ///< whether code of a CUDA thread is running
    bool in_executor = false;         ///< whether that thread has called the executor, whose accesses are not
                                      ///< checked
    const void* at = nullptr;         ///< the instruction of the running thread's last access
    const void* call = nullptr;       ///< return address of the running thread's last call of the executor
    const void* met_at = nullptr;     ///< instruction of the running thread's last warp operation
    const void* met_frame = nullptr;  ///< frame of the function with that instruction
    volatile bool late =
        false;  ///< the time limit has passed; set by a signal handler that interrupted the executor
    const void* stopped = nullptr;  ///< the stack of a thread that will never continue
    Fault fault;                    ///< the fault that stopped that thread, if a signal did
    unsigned looks = 0;  ///< how many times threads let others run first because of a value in plain memory
    unsigned busy_atomics = 0;     ///< number of atomics since a thread last let others run first
    Look last_look;                ///< the running thread's last atomic or volatile load
    bool atomic_begins = false;    ///< an atomic update has begun and has not accessed its address yet
    bool drops_old_value = false;  ///< the next exchange discards the old value (drop_old_value)
    unsigned scope_hint = 1;       ///< scope of the atomic that the running thread calls next (ScopeHint)
    Counters counters;

  private:
    void start_block(Block& block, Grid& grid, std::uint64_t index);
    void start_cluster(Grid& grid, std::uint64_t number);
    void wait_for_other_kernels(Grid& grid);
    void retire(std::unique_ptr<Block> block);

    std::vector<std::unique_ptr<Block>> resident_, spare_;
    std::vector<std::unique_ptr<Block>> ended_;  ///< finished blocks of clusters that have not finished
};

/// The worker of the calling OS thread; null outside run_grid().
extern __thread Worker* this_worker;

/// Returns the running CUDA thread with its block and grid, for reports: "thread (5,0,0) of block (2,0,0) of `tree`".
facts::Who running_thread();

/// Ends the kernel of the running thread with an error and a finding.
[[noreturn]] void stop_kernel(cudaError_t error, Finding finding);

/// Reports to the checks that the running thread reads these bytes. `instruction` and `frame` identify the
/// load.
void kernel_reads(const void* from, std::size_t bytes, const void* instruction, const void* frame);

/// Returns the line at which the running CUDA thread is, and the line of its kernel from which that line was
/// called.
Spot running_spot(Place place);

}  // namespace kit::cpu
