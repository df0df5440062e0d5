// The executor's interface for host code: sets the schedule and the limits, and returns findings and counts.
// The grader uses this interface; students' programs do not need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <facts/finding.hpp>
#include <kit_cpu/layout.hpp>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// The order in which blocks, warps and lanes run. CUDA allows each of these orders.
enum class Order { forward, reverse, random };

/// Sets the device that the executor simulates: "h200", "a100" or "t4". Null selects the value of KIT_DEVICE.
void set_device(const char* device);

/// Sets the number of devices (1 to 8), unless KIT_DEVICES is set. The call has an effect only before the
/// first call that needs a device.
void assume_devices(int count);

/// Sets whether kernels of `device` can get access to the memory of `owner`. On some hardware there is no
/// link between two devices. If `possible` is false, existing access is revoked.
void set_peer_possible(int device, int owner, bool possible);

/// Sets the order for all later launches. The environment variable KIT_SCHEDULE (forward, reverse,
/// random:SEED) sets the initial order.
void set_schedule(Order order, std::uint64_t seed = 0);

/// Runs only `count` blocks of each later kernel, starting with block `first`, for grids that are too large
/// to run completely. The other blocks count as run. If `count` is 0, all blocks run again. Launches with
/// clusters and cooperative launches always run completely.
void run_blocks(std::uint64_t first, std::uint64_t count);

/// Like run_blocks(), for grids whose size only the submission knows: runs the last `count` blocks of each later
/// kernel with at least `threads` threads, and no block of a smaller kernel, because its threads have several
/// elements each. run_blocks(0, 0) ends it.
void run_last_blocks(std::uint64_t count, std::uint64_t threads);

/// Returns how many kernels were too small since run_last_blocks().
std::uint64_t kernels_left_out();

/// Turns the checks off, as KIT_CHECKS=0 does, in a forked child process that has not called the runtime yet.
/// At other times it does nothing, so a submission cannot turn the checks off: its constructors run before
/// the fork, and its functions run after the first call. A program that restarts itself could also set
/// KIT_CHECKS.
void run_unchecked();

/// A mistake that the executor has found. words::text_of() turns it into text (common/words).
using facts::Finding;

/// Returns the findings since the last call. If collect_findings(true) was not called, findings are printed
/// on standard error instead.
std::vector<Finding> take_findings();

/// Returns the remarks since the last call, which are stored while findings are collected. A remark does not
/// report a mistake, but it may explain a wrong result.
std::vector<Finding> take_remarks();

/// Sets whether findings are stored for take_findings() (true), or printed when they occur (false, the
/// default).
void collect_findings(bool collect);

/// Returns the absolute path of a file that __FILE__ or debug information names. In programs of the course,
/// the name is relative to the root of the course, as in "solutions/07_reduction/tree.cu"
/// (common/cmake/kit_cache.cmake). Other names are returned unchanged.
std::string whole_path(const std::string& path);

/// Gives a part of device memory a name for reports, and bounds within its allocation. `element`: the layout
/// of its elements (layout_of).
void name_buffer(const void* begin, std::size_t bytes, const char* name, LayoutOf element = nullptr);
void forget_buffer(const void* begin);

/// Marks these bytes as uninitialized. The grader has filled these bytes with a pattern.
void mark_uninitialised(const void* begin, std::size_t bytes);

/// How many allocations, streams, events, graphs and instances the program has created so far, and how many
/// of them still exist.
struct Made {
    std::uint64_t so_far = 0;
    std::size_t alive = 0;
};
Made things_made();

/// Returns a finding of the kind "leak" for each allocation, stream or event that was created after `moment`
/// and still exists.
std::vector<Finding> left_since(const Made& moment);

/// Sets a function to call if host code accesses device memory. The function is called in a signal handler,
/// just before the process ends. Without such a function, the finding is printed.
void on_fatal_finding(void (*callback)(const Finding&));

/// Sets a callback for a crash of host code, with the line of the crash. `in_host_function`: that code runs in a stream. It is called in
/// a signal handler, just before the process ends, and only if no finding explains the crash.
void on_host_crash(void (*callback)(const facts::Line& at, bool in_host_function));

/// Sets the time in seconds after which a kernel ends with cudaErrorLaunchTimeout. The default is 10, or the
/// value of KIT_KERNEL_SECONDS.
void set_kernel_time_limit(double seconds);

/// Records the blocks of the host's heap that the program allocates from now until end_host_blocks().
void begin_host_blocks();
void end_host_blocks();

/// Returns the lines that allocated recorded blocks which have not been freed: "line 81", once for each
/// block.
std::vector<std::string> host_blocks_left();

/// Makes one runtime call by the host fail with cudaErrorMemoryAllocation. Calls that allocate, copy, fill,
/// launch or create something count: the next `after` of them succeed, and the following one fails. If the
/// program ignores that an allocation failed and makes another call, `went_on` is called with the name of the
/// failed call (see failed_host_call).
void fail_host_call(unsigned after, void (*went_on)(const char* failed) = nullptr);

/// Returns the call that fail_host_call() made fail, with its line and file, such as "cudaMalloc@line 12@FILE" or
/// "<<<>>>@line 20@FILE"; empty if there were fewer calls. After that, no call fails.
std::string failed_host_call();

/// Makes one call fail with which a kernel launches a graph or changes a node, as on a device without
/// resources for it. Of the calls that would succeed, the next `after` succeed, the following one fails, and
/// all later ones succeed.
void fail_device_graph_call(unsigned after);

/// Returns whether the call has failed that fail_device_graph_call() selected. Afterwards, no call
/// fails on purpose.
bool device_graph_call_failed();

/// Sets how many registers per thread nvcc uses for this kernel, because the executor cannot know it. The
/// default is 32.
void assume_registers(const void* kernel, int registers);

/// Returns how many blocks are resident on a multiprocessor of the device, with this number of registers per
/// thread, bytes of shared memory (static and dynamic) and threads per block. `device`: "h200", "a100", "t4",
/// or null for the current device. Returns -1 for an unknown device.
int resident_blocks(const char* device, int registers, std::size_t shared_bytes, int block_threads);

/// One access to global memory by the traced thread.
struct TracedAccess {
    const char* address = nullptr;
    unsigned bytes = 0;  ///< size in bytes; 0 if the thread has called notify_one() or notify_all() for this
                         ///< word
    bool write = false;
    bool atomic = false;
    bool update = false;  ///< whether the access is an atomic that reads and writes

    bool is_notify() const { return bytes == 0; }
};

/// Starts recording the accesses to global memory by one thread of every kernel: the linear index of its
/// block, and its rank in it. Requires the checks. See take_trace().
void trace_thread(std::uint64_t block, unsigned rank);

/// Returns the recorded accesses in order, and stops recording.
std::vector<TracedAccess> take_trace();

/// Counts of work since the last reset_counters().
///
/// The checks count the second group of members, so these are 0 if the checks are off (KIT_CHECKS=0). A load
/// or store is one access of at most 16 bytes by one thread, as the compiler generated it. A float4 that is
/// read as a whole is one load of 16 bytes; if its components are read one by one, it is four loads of 4
/// bytes. A copy of a larger struct is several accesses of 16 bytes. Atomic updates are counted only in
/// `atomics`; load() and store() of a cuda::atomic count as a load and a store. Global memory includes
/// device, managed and pinned memory and `__device__` variables. Accesses to `__constant__` and local
/// variables are not counted.
struct Counters {
    std::uint64_t kernels = 0, blocks = 0, threads = 0;
    std::uint64_t child_kernels = 0;   ///< number of kernels that kernels launched
    std::uint64_t child_depth = 0;     ///< largest nesting depth of these kernels; 1 if a kernel of the host
                                       ///< launched them
    std::uint64_t block_barriers = 0;  ///< number of completed barriers; each block counts
    std::uint64_t warp_collectives = 0;  ///< number of shuffles, votes and __syncwarp(); each warp counts
    // Products of matrices (mma_sync(), mma.sync), each counted once per warp, and the multiplications in them.
    std::uint64_t tensor_products = 0, tensor_multiplications = 0;
    std::uint64_t atomics = 0;           ///< number of atomic updates; each thread counts
    std::uint64_t notifies = 0;          ///< number of calls of notify_one() and notify_all()
    std::uint64_t barriers_made = 0;     ///< number of cuda::barrier objects in shared memory that threads
                                         ///< have initialized
    std::uint64_t barrier_arrivals = 0;  ///< number of arrivals at these objects, as init() counts them
    std::uint64_t synchronizations =
        0;  ///< number of host calls that wait for the device, including polling until it is done
    std::uint64_t copied_bytes = 0;  ///< number of bytes copied by cudaMemcpy and related functions

    // Asynchronous copies, which are bulk copies or parts of at most 16 bytes that a thread starts; their
    // size in bytes; and the waits that ended a copy after the block had started the next one. Each phase of
    // a barrier, or each wait by the first thread, counts once.
    std::uint64_t async_copies = 0, async_bytes = 0;
    std::uint64_t async_overlaps = 0;
    std::uint64_t async_expected = 0;  ///< number of bytes that phases of barriers expect
    std::uint64_t async_late = 0;      ///< number of copies that a thread starts in a phase at which it has
                                       ///< arrived
    std::uint64_t stores_during_copies =
        0;  ///< number of stores to shared memory while a copy of the block is in flight, not counting the
            ///< copies

    // Numbers of calls, by effect. A call that creates something counts only if it succeeds.
    std::uint64_t captures = 0;     ///< number of stream captures that were started
    std::uint64_t graphs_made = 0;  ///< number of graphs that were created, by a capture or by functions for
                                    ///< graphs
    std::uint64_t graphs_destroyed = 0;
    std::uint64_t graph_instances = 0;  ///< number of graphs that were instantiated
    std::uint64_t graph_instances_destroyed = 0;
    std::uint64_t graph_updates = 0;          ///< number of attempts to update a whole instance
    std::uint64_t graph_launches = 0;         ///< number of launches of graphs by the host
    std::uint64_t device_graph_launches = 0;  ///< number of launches of graphs by kernels
    std::uint64_t device_graph_tails = 0;     ///< number of these launches that are tail launches
    // Bodies of conditional nodes that ran. Empty bodies do not count.
    std::uint64_t if_bodies = 0, while_bodies = 0, switch_bodies = 0;

    std::uint64_t global_loads = 0, global_stores = 0;
    std::uint64_t global_bytes_loaded = 0, global_bytes_stored = 0;
    /// Includes shared memory of other blocks in the cluster.
    std::uint64_t shared_loads = 0, shared_stores = 0;
    /// Largest number of atomics on one address in one kernel.
    std::uint64_t worst_contention = 0;
};
Counters counters();
void reset_counters();

/// Returns how many bytes of shadow memory the checks use for this range of device memory; 0 if they are off.
std::size_t shadow_bytes(const void* begin, std::size_t bytes);

}  // namespace kit::cpu
