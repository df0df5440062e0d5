// The requests of a running CUDA thread to the executor: its index, meetings with other threads, yield, stop.
// All functions of device code (barriers, shuffles, cooperative groups, atomics) use these.
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kit::cpu {

/// A place in the student's source. A function of the API has CUDA's signature, so it knows only its return
/// address. The place then stores that address, and a report finds the line (look_up in
/// src/source/source_lines.hpp).
struct Place {
    union {
        const char* file = "";
        const void* instruction;  ///< address in the call, if `line` is `of_instruction`
    };
    int line = 0;

    static constexpr int of_instruction = -1;
};

/// Returns the caller's place. This must be a function: GCC 12 takes the line of a default argument
/// `Place{...}` from the declaration, but the lines of a function's default arguments from the call.
constexpr Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
}

/// A default argument that records the caller's line: `void __syncthreads(Place place = KIT_CPU_HERE);`
#define KIT_CPU_HERE ::kit::cpu::here()

/// Returns the place of the call in whose inlined wrapper this function is called.
Place this_call();

/// The calls by host code that led to a piece of queued work, innermost first; null if they are unknown.
using HostCalls = std::shared_ptr<const std::vector<const void*>>;

/// Returns whether a CUDA thread is calling; false in host code.
bool in_kernel();

/// These return the index of the calling thread in its block (x fastest), its index in its warp, and the
/// index of its warp in the block.
unsigned thread_rank();
unsigned lane_id();
unsigned warp_id();

/// Returns the lanes of the calling warp that exist. The last warp of a block can have fewer than 32.
unsigned warp_lanes();

/// Waits until every thread of the block has arrived. `what` is the name of the barrier in reports.
void block_barrier(Place place, const char* what = "__syncthreads()");

/// Waits like block_barrier(), and returns the number of threads whose predicate is not zero.
int block_barrier_count(int predicate, Place place, const char* what = "__syncthreads_count()");

/// The type of a function that is called once, when all lanes have met. For each lane in `mask`, the function
/// reads `in[lane]` and writes `out[lane]`.
using WarpCombine = void (*)(unsigned mask, const void* const in[32], void* const out[32]);

/// The place in a kernel from which a function is called; both members are null if the executor itself calls the function.
struct CallSite {
    const void* returns_to = nullptr;
    const void* frame = nullptr;  ///< start of the stack frame of the calling function
};
/// Returns the caller of a function that is not inlined into the kernel, because the function's own accesses
/// are not checked.
#define KIT_CPU_CALL_SITE                                  \
    ::kit::cpu::CallSite {                                 \
        __builtin_return_address(0), __builtin_dwarf_cfa() \
    }

/// Whether the mask of a call may contain lanes that have returned from the kernel. The intrinsics do not
/// wait for such lanes. Collective functions of groups require all lanes of the group.
enum class Returned : unsigned char { may_be_named, are_missed };

/// Waits until every lane in `mask` has made this call with the same mask and `what`, or has returned from
/// the kernel. Then `combine` (if not null) exchanges the data of the lanes that have called. Reports a lane
/// that is missing from its own mask, and lanes that never arrive.
void warp_meet(const char* what, unsigned mask, const void* in, void* out, WarpCombine combine, Place place,
               CallSite site = {}, Returned returned = Returned::may_be_named);

/// Like warp_meet() without an exchange: orders each lane's earlier accesses before the other lanes' later
/// accesses. The arguments are in registers, so that the caller's stack is as deep as at its loads.
void warp_sync(const char* what, unsigned mask, Place place);

/// The type of a function that exchanges the values of a tile of several warps. The function reads in[rank]
/// and writes out[rank].
using TileCombine = void (*)(unsigned size, const void* const* in, void* const* out);

/// Waits until every thread of the caller's tile has made this call with the same `what`. `combine` (if not
/// null) then exchanges the data of these threads. `size` is the number of threads of the tile, a multiple of
/// 32.
void tile_meet(unsigned size, const char* what, const void* in, void* out, TileCombine combine, Place place);

/// Arrives at one of the sixteen numbered barriers of PTX, which is complete when `threads` threads of the
/// block have arrived. `waits`: whether the caller waits for that.
void named_barrier(unsigned number, unsigned threads, bool waits, Place place);

/// Returns the lanes that execute together with the caller at this place, for __activemask().
unsigned converged_lanes(Place place);

/// Waits until every thread of a cooperative launch has arrived. Reports a launch that is not cooperative.
void grid_barrier(Place place);
bool grid_is_cooperative();

/// Counts a call of notify_one() or notify_all() for this word by the running thread. On the executor, no
/// thread sleeps in wait(): a waiting thread reads the word whenever it runs.
void note_notify(const volatile void* address);

/// Lets all other threads run first. Loops that wait call this (__nanosleep, blocking waits).
void yield();

/// Sets the scope of the following atomics and fences in the same function call, for the checks: 0 is the
/// block, 1 the device, 2 the system, as in the suffixes _block and _system.
struct ScopeHint {
    explicit ScopeHint(unsigned scope);
    ~ScopeHint();
};

/// Called before an atomic load or store. From time to time it lets other threads run, so that a spinning
/// thread does not stop the thread for which it waits.
void note_atomic_access();

/// Called before an atomic update, which has a separate counter. Without the checks, this function only
/// counts.
void note_checked_atomic();
constexpr unsigned atomics_before_yield = 1000;
extern __thread unsigned unchecked_atomics;  ///< number of updates since the last call of note_many_atomics()
void note_many_atomics();

[[gnu::always_inline]] inline void note_atomic() {
#ifdef __SANITIZE_THREAD__
    note_checked_atomic();
#else
    if (++unchecked_atomics == atomics_before_yield) note_many_atomics();
#endif
}

/// Records that the next exchange by the running thread ignores the old value, which may therefore be
/// uninitialized.
void note_dropped_value();
[[gnu::always_inline]] inline void drop_old_value() {
#ifdef __SANITIZE_THREAD__
    note_dropped_value();
#endif
}

/// Whether a profiler is counting. Kernels see a constant, so the compiler reads it once per thread, and the
/// read is not a counted access.
extern const bool is_profiling asm("kit_is_profiling");

/// Records a round of a loop for the profiler. The attribute says that the result depends only on the
/// arguments: the function does not change the kernel's memory, so the compiler can keep values in registers
/// from round to round.
[[gnu::cold, gnu::const]] unsigned note_round(unsigned function, unsigned level);
[[gnu::always_inline]] inline void tell_round(unsigned function, unsigned level) {
    asm volatile("" : "+r"(level));  // makes the argument different in each round
    asm volatile("" : : "r"(note_round(function, level)));
}

/// Starts another round of a loop. The translator inserts the call before the loop's condition. `function`:
/// number of the function, 0 for kernels. `level`: nesting depth of the loop in the function, 1 for an outer
/// loop.
[[gnu::always_inline]] constexpr void round([[maybe_unused]] unsigned function,
                                            [[maybe_unused]] unsigned level) {
#ifdef __SANITIZE_THREAD__
    if (!__builtin_is_constant_evaluated() && is_profiling) tell_round(function, level);
#endif
}

/// A shuffle that received a value from a lane which does not take part. The value is undefined, and so is
/// every value computed from it.
struct UndefinedLane {
    enum class Why : unsigned char {
        not_named,  ///< the lane is not in the mask
        returned,   ///< the lane is in the mask, and its thread has returned
        no_thread,  ///< the lane is in the mask, and the warp has fewer threads
        other_size  ///< the lane passed a value of a different size
    };
    bool is = false;
    const char* what = "";
    Place place;
    unsigned mask = 0;
    int lane = 0;
    Why why = Why::not_named;
    unsigned threads = 32;  ///< number of threads in the warp
};

/// The value that a lane passes to a shuffle, and facts about the value that it receives.
struct ShuffleInput {
    const void* value;
    unsigned size;  ///< bytes
    int source;     ///< the lane from which the caller reads
    UndefinedLane brings, takes;
};
/// Called before the lanes meet. Finds out whether the caller's value was computed from an undefined value.
void look_for_undefined(ShuffleInput& input);
/// Called after the lanes have met, if the caller's value is undefined or it has received an undefined one.
void note_undefined(const ShuffleInput& input, const void* taken);

/// The state of a cuda::barrier in a block. The functions below implement the barrier, and their accesses to
/// this state are not checked.
struct BarrierState {
    long long expected, missing;  ///< number of arrivals per phase; number of arrivals that the current phase
                                  ///< still needs
    long long bytes;              ///< number of bytes of bulk copies that the current phase still expects
    unsigned phase;
};
/// Initialize the barrier, and return its phase. Both are checked as memory accesses, but do not count as
/// loads and stores of a GPU.
void barrier_init(BarrierState& barrier, long long expected);
unsigned barrier_phase(const BarrierState& barrier);
/// Records an arrival. Returns whether this arrival was the last one; the caller must then complete the
/// phase. The arrival orders only the barrier's completion function, which the caller may have to call first,
/// after the other arrivals.
bool barrier_arrive(BarrierState& barrier, long long update, bool has_function);
void barrier_complete(BarrierState& barrier);
void barrier_drop(BarrierState& barrier);
/// Waits for the end of the phase. `what` is the name of the waiting function in reports.
void barrier_wait(const BarrierState& barrier, unsigned phase, Place place, const char* what);
/// Ends the kernel if the token is not from this barrier, or not from its current or previous phase.
void barrier_token(const BarrierState& barrier, const void* of, unsigned phase, Place place);
/// Records that the caller knows that the phase has ended.
void barrier_passed(const BarrierState& barrier, unsigned phase);

/// Ends the kernel, because a group cannot be divided into tiles of this size.
[[noreturn]] void refuse_tile(unsigned size, Place place);

/// Ends the kernel, because the thread called __trap().
[[noreturn]] void trap(Place place);

/// Returns the block's storage of one `__shared__` variable, which is the same for all threads of the block.
/// `key` identifies the variable.
void* shared_variable(const void* key, const char* name, std::size_t size, std::size_t align);

/// Return the block's dynamic shared memory (third launch argument) and its size in bytes. `name` and
/// `layout` are those of the caller.
struct Layout;
void* dynamic_shared_as(const char* name, const Layout& (*layout)());
std::size_t dynamic_shared_bytes();

/// Makes the result of a function a separate value. The translator inserts this around results that device
/// code assigns.
template <class T>
[[gnu::always_inline]] constexpr T&& returned(T&& value) noexcept {
    return static_cast<T&&>(value);
}

/// Makes an argument that is passed by value a separate copy in the caller. The translator inserts this
/// around such arguments.
template <class T>
[[gnu::always_inline]] constexpr T passed(T value) {
    return value;
}

}  // namespace kit::cpu

// CUDA's built-in variables. These variables are constants for the code of a thread, and the executor sets
// them through their assembler names. Without the checks, one function runs several threads (turn.hpp), so
// their indexes are not constants for the compiler.
#ifdef __SANITIZE_THREAD__
extern __thread const uint3 threadIdx __asm__("kit_cpu_thread_index");
#else
extern __thread uint3 threadIdx __asm__("kit_cpu_thread_index");
#endif
extern __thread const uint3 blockIdx __asm__("kit_cpu_block_index");
extern __thread const dim3 blockDim __asm__("kit_cpu_block_dim");
extern __thread const dim3 gridDim __asm__("kit_cpu_grid_dim");
constexpr int warpSize = 32;
