// The executor seen from the host: choose a schedule and limits, collect what it found and counted.
// The grader uses this; a student's program need not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <facts/finding.hpp>
#include <kit_cpu/layout.hpp>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// The order in which blocks, warps and lanes get their turn. Every order is a legal one.
enum class Order { forward, reverse, random };

/// The device that the executor stands for from now on: "h200", "a100" or "t4"; null: as KIT_DEVICE says.
void set_device(const char* device);

/// How many devices there are where KIT_DEVICES does not say, 1 to 8. Counts before the first call that needs a device.
void assume_devices(int count);

/// From now on, kernels of `device` can, or cannot, be given access to the memory of `owner`, as on hardware without a link between
/// them; access that they have is taken back.
void set_peer_possible(int device, int owner, bool possible);

/// For all later launches. The environment variable KIT_SCHEDULE (forward, reverse, random:SEED) sets the first one.
void set_schedule(Order order, std::uint64_t seed = 0);

/// As KIT_CHECKS=0, for a child that has been forked and has not called the runtime yet. Otherwise it does nothing: the functions
/// and constructors of who is graded run too late or too early. Who begins the whole program anew can set KIT_CHECKS as well.
void run_unchecked();

/// A mistake that the executor saw. words::text_of() says it (common/words).
using facts::Finding;

/// Findings since the last call; without a caller they are printed to standard error at the end of each kernel.
std::vector<Finding> take_findings();

/// What is no mistake in itself, but may explain a wrong result: since the last call, while findings wait.
std::vector<Finding> take_remarks();

/// True: findings wait for take_findings(). False (the default): they are printed as they are made.
void collect_findings(bool collect);

/// The whole path of a file that __FILE__ or debug information names: programs of the course have paths from its root, such as
/// "solutions/07_reduction/tree.cu" (common/cmake/kit_cache.cmake). Returns any other path as it is.
std::string whole_path(const std::string& path);

/// Gives device memory a name for reports, and bounds of its own within its allocation. `element`: layout_of what it holds.
void name_buffer(const void* begin, std::size_t bytes, const char* name, LayoutOf element = nullptr);
void forget_buffer(const void* begin);

/// Declares that nobody has written these bytes yet (the grader has filled them with a pattern).
void mark_uninitialised(const void* begin, std::size_t bytes);

/// How many pieces of memory, streams, events, graphs and instances the program has made so far, and how many of them exist.
struct Made {
    std::uint64_t so_far = 0;
    std::size_t alive = 0;
};
Made things_made();

/// Those that were made since then and still exist: a finding of the kind "leak" for each.
std::vector<Finding> left_since(const Made& moment);

/// Called (in a signal handler) when host code touches device memory, just before the process ends. Without it the
/// finding is printed.
void on_fatal_finding(void (*callback)(const Finding&));

/// A kernel that runs longer ends with cudaErrorLaunchTimeout. Default 10 s, or KIT_KERNEL_SECONDS.
void set_kernel_time_limit(double seconds);

/// From here to end_host_blocks(), notes the blocks of the host's heap for which the program asks.
void begin_host_blocks();
void end_host_blocks();

/// Where the program has asked for those of them that are not freed yet: "line 81", once for each.
std::vector<std::string> host_blocks_left();

/// Makes one call of the runtime by the host fail with cudaErrorMemoryAllocation: of those that allocate, copy, fill, launch or make
/// something, not the next `after` but the one after them. `went_on`: called with what failed, as failed_host_call() says it, when the
/// program has ignored the error of an allocation and makes another call.
void fail_host_call(unsigned after, void (*went_on)(const char* failed) = nullptr);

/// The call that failed for that, "cudaMalloc@line 12" or "<<<>>>@line 20"; empty if there were fewer calls. No call
/// fails any longer.
std::string failed_host_call();

/// Makes a call fail by which a kernel launches a graph or changes a node of its graph, as on a device without the means for it:
/// not the next `after` of those that would work, but the one after them. Every later one works again.
void fail_device_graph_call(unsigned after);

/// Whether that call has been made; if not, it works from now on.
bool device_graph_call_failed();

/// Says how many registers per thread nvcc gave this kernel, which the executor cannot know: without it, 32.
void assume_registers(const void* kernel, int registers);

/// Blocks with so many registers per thread, bytes of shared memory (static and dynamic) and threads that a
/// multiprocessor of the device holds: "h200", "a100", "t4", null for the device at hand; -1 for an unknown one.
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

/// From now on, notes what this thread (linear index of the block, rank in it) of every kernel does with global memory.
/// Only where the checks are on; see take_trace().
void trace_thread(std::uint64_t block, unsigned rank);

/// What was noted, in order; nothing more is noted then.
std::vector<TracedAccess> take_trace();

/// What was executed since the last reset.
///
/// The second group is seen by the checks, and is 0 where they are off (KIT_CHECKS=0). A load or store is one access by
/// one thread, of at most 16 bytes, as the compiler left it: a float4 that is read whole is one load of 16 bytes, one
/// whose members are read one by one is four of 4; a copy of a larger struct is one of 16 bytes after another. Atomic
/// updates are counted in `atomics` only; load() and store() of a cuda::atomic are a load and a store. Global memory is
/// device, managed and pinned memory and `__device__` variables; `__constant__` and local variables are not counted.
struct Counters {
    std::uint64_t kernels = 0, blocks = 0, threads = 0;
    std::uint64_t child_kernels = 0;  ///< of the kernels, those that kernels launched
    std::uint64_t child_depth = 0;  ///< of these, the deepest: 1 for those of a kernel that the host launched
    std::uint64_t block_barriers = 0;    ///< completed, one per block
    std::uint64_t warp_collectives = 0;  ///< shuffles, votes, __syncwarp: one per warp
    std::uint64_t atomics = 0;           ///< updates, one per thread
    std::uint64_t notifies = 0;          ///< calls of notify_one() and notify_all() of atomics
    std::uint64_t barriers_made = 0;     ///< cuda::barrier in shared memory that threads have set up
    std::uint64_t synchronizations =
        0;                           ///< host calls that wait for the device, also by asking until it is done
    std::uint64_t copied_bytes = 0;  ///< by cudaMemcpy and its relatives

    // Asynchronous copies: parts of at most 16 bytes that a thread begins, and bulk copies; their bytes; and the waits that
    // ended a copy when the block had begun another one: one for each phase of a barrier, or each wait of its first thread.
    std::uint64_t async_copies = 0, async_bytes = 0;
    std::uint64_t async_overlaps = 0;
    std::uint64_t async_expected = 0;  ///< bytes that phases of barriers are told to expect
    std::uint64_t async_late = 0;      ///< copies that a thread begins in a phase in which it has arrived
    std::uint64_t stores_during_copies =
        0;  ///< stores to shared memory while a copy of the block is in flight; not those of copies

    // Calls by whichever of the functions that do it; those that make something only if they succeeded.
    std::uint64_t captures = 0;     ///< begun
    std::uint64_t graphs_made = 0;  ///< by a capture, empty, or as a copy
    std::uint64_t graphs_destroyed = 0;
    std::uint64_t graph_instances = 0;  ///< made
    std::uint64_t graph_instances_destroyed = 0;
    std::uint64_t graph_updates = 0;          ///< of whole instances, tried
    std::uint64_t graph_launches = 0;         ///< by the host
    std::uint64_t device_graph_launches = 0;  ///< by kernels
    std::uint64_t device_graph_tails = 0;     ///< of these, those into the tail
    // No calls: bodies of conditional nodes that ran, without those that hold no node.
    std::uint64_t if_bodies = 0, while_bodies = 0, switch_bodies = 0;

    std::uint64_t global_loads = 0, global_stores = 0;
    std::uint64_t global_bytes_loaded = 0, global_bytes_stored = 0;
    std::uint64_t shared_loads = 0, shared_stores = 0;  ///< also of other blocks of the cluster
    std::uint64_t worst_contention = 0;                 ///< most atomics on one address within one kernel
};
Counters counters();
void reset_counters();

/// Bytes of memory in which the checks keep what they know of this piece of device memory; 0 where they are off.
std::size_t shadow_bytes(const void* begin, std::size_t bytes);

}  // namespace kit::cpu
