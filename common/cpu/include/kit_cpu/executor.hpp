// The host's interface to the executor: sets the schedule and limits, and returns findings and counts. The grader uses it; a
// student's program does not need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <facts/finding.hpp>
#include <kit_cpu/layout.hpp>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// The order in which blocks, warps and lanes run. Every order is legal.
enum class Order { forward, reverse, random };

/// Sets the device that the executor simulates: "h200", "a100" or "t4"; null: the value of KIT_DEVICE.
void set_device(const char* device);

/// Sets the number of devices (1 to 8) if KIT_DEVICES is not set. It takes effect only before the first call that needs a device.
void assume_devices(int count);

/// Sets whether kernels of `device` can get access to the memory of `owner`; on some hardware there is no link between the two.
/// Access that they have is revoked.
void set_peer_possible(int device, int owner, bool possible);

/// Sets the order for all later launches. The environment variable KIT_SCHEDULE (forward, reverse, random:SEED) sets the
/// initial order.
void set_schedule(Order order, std::uint64_t seed = 0);

/// Runs only `count` blocks of each later kernel, beginning with block `first`: for grids with too many blocks to run all of them. The
/// other blocks count as run. With `count` 0 all blocks run again. Clusters and cooperative kernels always run whole.
void run_blocks(std::uint64_t first, std::uint64_t count);

/// Turns the checks off, as KIT_CHECKS=0 does, in a forked child that has not called the runtime yet. Otherwise it does nothing,
/// so a submission cannot use it: its constructors run before the fork, and its functions run after the first call. A program
/// that restarts itself could set KIT_CHECKS as well.
void run_unchecked();

/// A mistake that the executor detected. words::text_of() turns it into text (common/words).
using facts::Finding;

/// Returns the findings since the last call. If the program never calls it, they are printed to standard error at the end of
/// each kernel.
std::vector<Finding> take_findings();

/// Returns the remarks since the last call, which are kept while findings are collected. A remark is not a mistake, but may
/// explain a wrong result.
std::vector<Finding> take_remarks();

/// True: findings are kept for take_findings(). False (the default): they are printed when they occur.
void collect_findings(bool collect);

/// Returns the whole path of a file that __FILE__ or debug information names. Programs of the course have paths relative to its
/// root, such as "solutions/07_reduction/tree.cu" (common/cmake/kit_cache.cmake). Any other path is returned unchanged.
std::string whole_path(const std::string& path);

/// Gives device memory a name for reports, and its own bounds within its allocation. `element`: layout_of its elements.
void name_buffer(const void* begin, std::size_t bytes, const char* name, LayoutOf element = nullptr);
void forget_buffer(const void* begin);

/// Declares that these bytes are uninitialized (the grader has filled them with a pattern).
void mark_uninitialised(const void* begin, std::size_t bytes);

/// The number of allocations, streams, events, graphs and instances that the program has made so far, and of those that still exist.
struct Made {
    std::uint64_t so_far = 0;
    std::size_t alive = 0;
};
Made things_made();

/// Returns a finding of the kind "leak" for each allocation, stream and event that was created since then and still exists.
std::vector<Finding> left_since(const Made& moment);

/// Sets a callback for an access of host code to device memory. It is called in a signal handler, just before the process ends.
/// Without it the finding is printed.
void on_fatal_finding(void (*callback)(const Finding&));

/// Sets a callback for a crash of host code, with the line of the crash. `in_host_function`: that code runs in a stream. It is called in
/// a signal handler, just before the process ends, and only if no finding explains the crash.
void on_host_crash(void (*callback)(const facts::Line& at, bool in_host_function));

/// Sets the time after which a kernel ends with cudaErrorLaunchTimeout. The default is 10 s, or KIT_KERNEL_SECONDS.
void set_kernel_time_limit(double seconds);

/// From here to end_host_blocks(), records the blocks of the host's heap that the program allocates.
void begin_host_blocks();
void end_host_blocks();

/// Returns the lines that allocated those of them that are not freed yet: "line 81", once for each block.
std::vector<std::string> host_blocks_left();

/// Makes one runtime call by the host fail with cudaErrorMemoryAllocation. Of the calls that allocate, copy, fill, launch or
/// create something, the next `after` succeed and the following one fails. If the program ignores the error of an allocation and
/// calls again, `went_on` is called with the name of the failed call, as failed_host_call() returns it.
void fail_host_call(unsigned after, void (*went_on)(const char* failed) = nullptr);

/// Returns the call that failed because of that, "cudaMalloc@line 12" or "<<<>>>@line 20"; empty if there were fewer calls. Later
/// calls no longer fail.
std::string failed_host_call();

/// Makes one call fail with which a kernel launches a graph or changes a node of its graph, as on a device without resources for
/// it. Of the calls that would succeed, the next `after` succeed, the following one fails, and all later ones succeed.
void fail_device_graph_call(unsigned after);

/// Returns whether that call has failed. If not, later calls no longer fail.
bool device_graph_call_failed();

/// Sets how many registers per thread nvcc gave this kernel, which the executor cannot know. The default is 32.
void assume_registers(const void* kernel, int registers);

/// Returns how many blocks with these registers per thread, bytes of shared memory (static and dynamic) and threads fit on a
/// multiprocessor of the device: "h200", "a100", "t4", null for the current device; -1 for an unknown device.
int resident_blocks(const char* device, int registers, std::size_t shared_bytes, int block_threads);

/// One access to global memory.
struct TracedAccess {
    const char* address = nullptr;
    unsigned bytes = 0;  ///< 0: the thread has called notify_one() or notify_all() of this word
    bool write = false;
    bool atomic = false;
    bool update = false;  ///< an atomic that reads and writes

    bool is_notify() const { return bytes == 0; }
};

/// Starts to record the accesses to global memory by this thread (linear index of the block, rank in it) of every kernel, if the
/// checks are on. See take_trace().
void trace_thread(std::uint64_t block, unsigned rank);

/// Returns the recorded accesses in order, and stops recording.
std::vector<TracedAccess> take_trace();

/// Counts of the work since the last reset.
///
/// The checks count the second group, so it is 0 if they are off (KIT_CHECKS=0). A load or store is one access by one thread, of
/// at most 16 bytes, as the compiler generated it. A float4 that is read whole is one load of 16 bytes; if its members are read
/// one by one, it is four loads of 4. A copy of a larger struct is several accesses of 16 bytes. Atomic updates are counted only
/// in `atomics`; load() and store() of a cuda::atomic are a load and a store. Global memory is device, managed and pinned memory
/// and `__device__` variables. `__constant__` and local variables are not counted.
struct Counters {
    std::uint64_t kernels = 0, blocks = 0, threads = 0;
    std::uint64_t child_kernels = 0;   ///< kernels that kernels launched
    std::uint64_t child_depth = 0;     ///< depth of the deepest of them; 1: launched by a kernel of the host
    std::uint64_t block_barriers = 0;  ///< completed barriers, one per block
    std::uint64_t warp_collectives = 0;  ///< shuffles, votes, __syncwarp: one per warp
    std::uint64_t atomics = 0;           ///< updates, one per thread
    std::uint64_t notifies = 0;          ///< calls of notify_one() and notify_all() of atomics
    std::uint64_t barriers_made = 0;     ///< cuda::barrier in shared memory that threads have set up
    std::uint64_t barrier_arrivals = 0;  ///< arrivals at them, in the units of init()
    std::uint64_t synchronizations =
        0;  ///< host calls that wait for the device, including polling until it is done
    std::uint64_t copied_bytes = 0;  ///< bytes copied by cudaMemcpy and its relatives

    // Asynchronous copies: parts of at most 16 bytes that a thread starts, and bulk copies; their bytes; and the waits that ended
    // a copy after the block had started the next one (counted for each phase of a barrier, or each wait of its first thread).
    std::uint64_t async_copies = 0, async_bytes = 0;
    std::uint64_t async_overlaps = 0;
    std::uint64_t async_expected = 0;  ///< bytes that phases of barriers expect
    std::uint64_t async_late = 0;      ///< copies that a thread begins in a phase in which it has arrived
    std::uint64_t stores_during_copies =
        0;  ///< stores to shared memory while a copy of the block is in flight, without those of copies

    // Calls of any function that does this. Calls that create something count only if they succeeded.
    std::uint64_t captures = 0;     ///< captures that were started
    std::uint64_t graphs_made = 0;  ///< graphs created by a capture, empty, or as a copy
    std::uint64_t graphs_destroyed = 0;
    std::uint64_t graph_instances = 0;  ///< instances that were created
    std::uint64_t graph_instances_destroyed = 0;
    std::uint64_t graph_updates = 0;          ///< attempts to update a whole instance
    std::uint64_t graph_launches = 0;         ///< launches of graphs by the host
    std::uint64_t device_graph_launches = 0;  ///< launches of graphs by kernels
    std::uint64_t device_graph_tails = 0;     ///< launches of graphs by kernels as tail launches
    // Bodies of conditional nodes that ran, without empty bodies.
    std::uint64_t if_bodies = 0, while_bodies = 0, switch_bodies = 0;

    std::uint64_t global_loads = 0, global_stores = 0;
    std::uint64_t global_bytes_loaded = 0, global_bytes_stored = 0;
    std::uint64_t shared_loads = 0, shared_stores = 0;  ///< includes memory of other blocks of the cluster
    std::uint64_t worst_contention = 0;                 ///< most atomics on one address within one kernel
};
Counters counters();
void reset_counters();

/// Returns the bytes of shadow memory that the checks use for this piece of device memory; 0 if they are off.
std::size_t shadow_bytes(const void* begin, std::size_t bytes);

}  // namespace kit::cpu
