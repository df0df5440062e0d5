// One core's share of a grid: the blocks that are resident here, and the thread that runs right now.
#pragma once

#include <kit_cpu/executor.hpp>
#include <memory>
#include <vector>

#include "block.hpp"
#include "faults.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

/// A load of one thread.
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
    /// Takes blocks of the grid and runs them until none is left.
    void work(Grid& grid);

    /// Scheduler side: runs the thread that sleeps there, and those that it hands over to, until no thread of the block can go on.
    void resume(void* stack);
    /// Fiber side: forgets the running thread, and goes back to the scheduler.
    [[noreturn]] void stop(const void* stack = __builtin_frame_address(0));

    FiberPool fibers;
    void* scheduler = nullptr;        ///< where the scheduler sleeps
    Fiber* fiber = nullptr;           ///< runs now
    Block* block = nullptr;           ///< whose thread runs now
    bool in_thread = false;           ///< CUDA code is running
    bool in_executor = false;         ///< it called the executor, whose own accesses are not checked
    const void* at = nullptr;         ///< the last access of the running thread
    const void* call = nullptr;       ///< where its last call of the executor returns to
    const void* met_at = nullptr;     ///< the instruction of its last meeting with others of the warp,
    const void* met_frame = nullptr;  ///< and where the stack of the function begins that holds it
    volatile bool late = false;       ///< the time is over; noted by a signal that found the executor at work
    const void* stopped = nullptr;    ///< the stack of a thread that will never go on
    Fault fault;                      ///< why it was stopped, if by a signal
    unsigned looks = 0;          ///< of threads that let others go first because of what lies in plain memory
    unsigned busy_atomics = 0;   ///< atomics since a thread last let others go first
    Look last_look;              ///< the last atomic or volatile load
    bool atomic_begins = false;  ///< an atomic update has begun, and has not touched its address yet
    bool drops_old_value = false;  ///< the next exchange is a mere write, see drop_old_value
    unsigned scope_hint = 1;       ///< of the atomics that the running thread calls, see ScopeHint
    Counters counters;

  private:
    void start_block(Block& block, Grid& grid, std::uint64_t index);
    void start_cluster(Grid& grid, std::uint64_t number);
    void wait_for_other_kernels(Grid& grid);
    void retire(std::unique_ptr<Block> block);

    std::vector<std::unique_ptr<Block>> resident_, spare_;
    std::vector<std::unique_ptr<Block>> ended_;  ///< of clusters that have not ended
};

/// The worker of the calling OS thread, null outside run_grid.
extern __thread Worker* this_worker;

/// The running CUDA thread's grid, block and place in it; for reports: "thread (5,0,0) of block (2,0,0) of
/// `tree`".
facts::Who running_thread();

/// Ends the kernel of the running thread.
[[noreturn]] void stop_kernel(cudaError_t error, Finding finding);

/// The running thread reads these bytes, and the checks look at them; `instruction` and `frame`: whose load it is.
void kernel_reads(const void* from, std::size_t bytes, const void* instruction, const void* frame);

/// A line of the running CUDA thread, and which line of its kernel called that.
Spot running_spot(Place place);

}  // namespace kit::cpu
