// The functions of the executor that device code calls. Each function passes its request to the block of the
// running thread.
#include <cstdio>
#include <cstdlib>
#include <kit_cpu/address_space.hpp>
#include <kit_cpu/cluster.hpp>
#include <kit_cpu/thread.hpp>
#include <utility>

#include "builtin_variables.hpp"
#include "caller.hpp"
#include "device/constants.hpp"
#include "grid.hpp"
#include "pause.hpp"
#include "source/source_lines.hpp"
#include "source/who.hpp"
#include "worker.hpp"

namespace kit::cpu {

__thread uint3 thread_index;
__thread uint3 block_index;
__thread dim3 block_dim;
__thread dim3 grid_dim;
__thread unsigned unchecked_atomics;
__thread Turn turn;
__thread const char* shared_memory;
__thread unsigned long block_number;

bool begin_next_thread() {
    if (turn.loop == Count{} ||
        thread_index.x == static_cast<unsigned>(turn.first) + static_cast<unsigned>(turn.loop))
        return false;
    ++thread_index.x;
    return true;
}

InExecutor::InExecutor() : before_(this_worker && this_worker->in_executor) {
    if (this_worker) this_worker->in_executor = true;
}
InExecutor::~InExecutor() {
    if (this_worker) this_worker->in_executor = before_;
}

namespace {

/// The data about a function that can end without its return statement, as the compiler emits it.
struct MissingReturn {
    const char* file;
    std::uint32_t line, column;
};

}  // namespace

void refuse_host_code(const char* what) {
    std::fprintf(stderr, "kit: host code called %s, which exists only in kernels\n", what);
    std::abort();
}

facts::Who running_thread() {
    if (!in_kernel()) return host_code();
    Block& block = *this_worker->block;
    return block.who(block.rank());
}

Spot running_spot(Place place) {
    return in_kernel() ? Spot(place, caller_now(place, this_worker->block->grid().launch.name)) : Spot(place);
}

bool in_kernel() {
    return this_worker && this_worker->in_thread;
}
unsigned thread_rank() {
    return Caller("thread_rank")->rank();
}
unsigned lane_id() {
    return Caller("lane_id")->rank() % 32;
}
unsigned warp_id() {
    return Caller("warp_id")->rank() / 32;
}
unsigned warp_lanes() {
    return Caller("warp_lanes")->warp().exists;
}

void warp_meet(const char* what, unsigned mask, const void* in, void* out, WarpCombine combine, Place place,
               CallSite site, Returned returned) {
    const Caller block(what);
    Worker& worker = *this_worker;
    worker.met_at = static_cast<const char*>(site.returns_to ? site.returns_to : worker.call) - 1;
    worker.met_frame = site.returns_to ? site.frame : __builtin_dwarf_cfa();
    block->meet(what, mask, in, out, combine, place, returned);
}

void warp_sync(const char* what, unsigned mask, Place place) {
    const Caller block(what);
    this_worker->met_at = static_cast<const char*>(this_worker->call) - 1;
    this_worker->met_frame = __builtin_dwarf_cfa();
    block->meet(what, mask, nullptr, nullptr, nullptr, place, Returned::may_be_named);
}

unsigned converged_lanes(Place place) {
    return Caller("__activemask()")->converged(place);
}

bool grid_is_cooperative() {
    return Caller("this_grid()")->grid().launch.cooperative;
}

void grid_barrier(Place place) {
    const Caller block("grid.sync()");
    if (!block->grid().launch.cooperative) {
        stop_kernel(cudaErrorLaunchFailure,
                    finding(facts::Rule::grid_sync_refused, place).in(block->grid().launch.name));
    }
    block->grid_barrier(place);
}

dim3 cluster_dims() {
    return Caller("this_cluster()")->grid().cluster_dims;
}

void cluster_arrive(Place place) {
    Caller("cluster.sync()")->cluster_arrive(place);
}

void cluster_wait(Place place, const char* what) {
    Caller(what)->cluster_wait(place, what);
}

void* cluster_map(const void* address, int rank, Place place) {
    return Caller("map_shared_rank()")->map_shared(address, rank, place);
}

unsigned cluster_rank_of(const void* address, Place place) {
    return Caller("query_shared_rank()")->rank_of_shared(address, place);
}

bool barrier_arrive(BarrierState& barrier, long long update, bool has_function) {
    return Caller("cuda::barrier")->arrive_at(barrier, update, has_function);
}

void barrier_complete(BarrierState& barrier) {
    Caller("cuda::barrier")->complete_phase(barrier);
}

void barrier_drop(BarrierState& barrier) {
    --barrier.expected;
}

void barrier_wait(const BarrierState& barrier, unsigned phase, Place place, const char* what) {
    Caller("cuda::barrier")->wait_for_phase(barrier, phase, place, what);
}

void barrier_passed(const BarrierState& barrier, unsigned phase) {
    Caller("cuda::barrier")->has_waited(barrier, phase);
}

void look_for_undefined(ShuffleInput& input) {
    if (!in_kernel()) return;
    const Caller block("shuffle");
    UndefinedLane& lane = input.takes;
    const std::uint32_t exists = block->warp().exists;
    const bool named = lane.lane >= 0 && lane.lane < 32 && lane.mask >> lane.lane & 1;
    lane.why = !named                     ? UndefinedLane::Why::not_named
               : exists >> lane.lane & 1u ? UndefinedLane::Why::returned
                                          : UndefinedLane::Why::no_thread;
    lane.threads = static_cast<unsigned>(__builtin_popcount(exists));
    observer().shuffle_begins(*block, input);
}

void note_undefined(const ShuffleInput& input, const void* taken) {
    const Caller block("shuffle");
    observer().shuffle_ended(*block, input, taken);
}

void yield() {
    Caller("__nanosleep()")->yield();
}

Space space_of(const void* address) {
    const Caller block("__isShared()");
    if (block->shared().holds(static_cast<const char*>(address))) return Space::shared;
    if (is_constant(address)) return Space::constant;
    return this_worker->fibers.owns(address) ? Space::local : Space::global;
}

ScopeHint::ScopeHint(unsigned scope) {
    if (this_worker) this_worker->scope_hint = scope;
}
ScopeHint::~ScopeHint() {
    if (this_worker) this_worker->scope_hint = 1;
}

void note_dropped_value() {
    if (this_worker) this_worker->drops_old_value = true;
}

void note_checked_atomic() {
    note_atomic_access();
    Worker* worker = this_worker;
    if (!worker || !worker->in_thread) return;
    ++worker->counters.atomics;
    worker->atomic_begins = true;
}

void note_many_atomics() {
    unchecked_atomics = 0;
    Worker* worker = this_worker;
    if (!worker || !worker->in_thread) return;
    worker->counters.atomics += atomics_before_yield;
    worker->busy_atomics = atomics_before_yield;
    note_atomic_access();
}

void note_atomic_access() {
    Worker* worker = this_worker;
    if (!worker || !worker->in_thread) return;
    worker->atomic_begins = false;
    const bool for_other_devices = worker->scope_hint == 2 && kernels_run_together();
    if (++worker->busy_atomics < atomics_before_yield && !for_other_devices) return;
    worker->busy_atomics = 0;
    const unsigned scope = std::exchange(worker->scope_hint, 1);
    worker->in_executor = true;
    worker->block->yield();
    worker->in_executor = false;
    if (worker->late) stop_late_thread(*worker);
    worker->scope_hint = scope;
}

void stop_kernel(cudaError_t error, Finding finding) {
    const Caller block("stop_kernel");
    block->grid().stop(error, std::move(finding));
    this_worker->stop();
}

void trap(Place place) {
    stop_kernel(cudaErrorLaunchFailure,
                finding(facts::Rule::trapped, running_spot(place), place).by(running_thread()));
}

void refuse_tile(unsigned size, Place place) {
    stop_kernel(cudaErrorLaunchFailure, finding(facts::Rule::no_such_tile, place).with("size", size));
}

void* shared_variable(const void* key, const char* name, std::size_t size, std::size_t align) {
    const Caller block("__shared__");
    void* memory = block->shared_variable(key, name, size, align);
    if (!memory) {
        stop_kernel(cudaErrorInvalidValue,
                    finding_about(facts::Rule::too_much_shared, block->grid().launch.place)
                        .with("variable", name)
                        .with("bytes", size));
    }
    return memory;
}

void* dynamic_shared_as(const char* name, LayoutOf layout) {
    return Caller("extern __shared__")->shared().dynamic_as(name, layout);
}
std::size_t dynamic_shared_bytes() {
    return Caller("extern __shared__")->shared().dynamic_bytes();
}

}  // namespace kit::cpu

/// Called by the compiled code at the end of a function whose return statement is missing
/// (-fsanitize=return). Without this option, the program would continue with the code that follows the
/// function.
extern "C" void __ubsan_handle_missing_return(const void* data) {
    using namespace kit::cpu;
    const auto& function = *static_cast<const MissingReturn*>(data);
    const Place place{function.file, static_cast<int>(function.line)};
    const Finding missing =
        finding(kit::facts::Rule::missing_return, running_spot(place), place).by(running_thread());
    if (!in_kernel()) end_process(missing);
    this_worker->in_executor = true;
    stop_kernel(cudaErrorLaunchFailure, missing);
}

/// Handles a failed assert(). In a kernel, a failed assert() is an error of the launch; in host code, it ends
/// the process, as usual.
extern "C" void __assert_fail(const char* expression, const char* file, unsigned line,
                              const char* function) noexcept {
    using namespace kit::cpu;
    if (in_kernel()) {
        this_worker->in_executor = true;
        const Place place{file, static_cast<int>(line)};
        std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                     file, line, function, block_index.x, block_index.y, block_index.z, thread_index.x,
                     thread_index.y, thread_index.z, expression);
        stop_kernel(cudaErrorAssert, finding(kit::facts::Rule::assertion, running_spot(place), place)
                                         .by(running_thread())
                                         .with("expression", expression));
    }
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    std::abort();
}
