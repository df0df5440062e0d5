// The requests that a running CUDA thread can make to the executor: its index, meetings with other threads, yield, stop. All functions of
// device code (barriers, shuffles, cooperative groups, atomics) use these.
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kit::cpu {

/// A place in the student's source. A function of the API has CUDA's signature, so it knows only its return address. Such a place holds
/// that address, and reports find the line (look_up in src/source/symbols.hpp).
struct Place {
    union {
        const char* file = "";
        const void* instruction;  ///< address inside the call, if `line` is `of_instruction`
    };
    int line = 0;

    static constexpr int of_instruction = -1;
};

/// Returns the caller's place. It is a function, because GCC 12 takes the lines of a default argument `Place{...}` from the declaration,
/// but those of a function's default arguments from the call.
constexpr Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
}

/// A default argument that names the caller's line: `void __syncthreads(Place place = KIT_CPU_HERE);`
#define KIT_CPU_HERE ::kit::cpu::here()

/// Returns the place of the call in whose inlined wrapper this is called.
Place this_call();

/// The host calls that led to a piece of queued work, innermost first; null if they are unknown.
using HostCalls = std::shared_ptr<const std::vector<const void*>>;

/// Returns whether the caller is a CUDA thread, false in host code.
bool in_kernel();

/// Returns the index of the calling thread in its block (x fastest), in its warp, and of its warp in the block.
unsigned thread_rank();
unsigned lane_id();
unsigned warp_id();

/// Returns the lanes of the calling warp that exist: all 32, or fewer in the last warp of a block.
unsigned warp_lanes();

/// Waits until every thread of the block has arrived. `what` is the name used in reports.
void block_barrier(Place place, const char* what = "__syncthreads()");

/// A barrier that also returns to every thread how many threads passed a non-zero predicate.
int block_barrier_count(int predicate, Place place, const char* what = "__syncthreads_count()");

/// A function that is called once when all lanes have met: for each lane of `mask`, it reads `in[lane]` and writes `out[lane]`.
using WarpCombine = void (*)(unsigned mask, const void* const in[32], void* const out[32]);

/// The instruction of a kernel that calls; empty for a call by the executor itself.
struct CallSite {
    const void* returns_to = nullptr;
    const void* frame = nullptr;  ///< start of the calling function's stack frame
};
/// The caller of a function that is not inlined into the kernel, because its own accesses are not checked.
#define KIT_CPU_CALL_SITE                                  \
    ::kit::cpu::CallSite {                                 \
        __builtin_return_address(0), __builtin_dwarf_cfa() \
    }

/// Whether the mask of a call may name lanes that have returned from the kernel. The intrinsics do not wait for them. The collective
/// functions of groups need all lanes of the group.
enum class Returned : unsigned char { may_be_named, are_missed };

/// Waits until every lane named in `mask` has called with the same mask and `what`, or has returned from the kernel, lets `combine`
/// (may be null) exchange the data of those that have called, and returns. Reports a lane that is missing from its own mask, and lanes
/// that never come.
void warp_meet(const char* what, unsigned mask, const void* in, void* out, WarpCombine combine, Place place,
               CallSite site = {}, Returned returned = Returned::may_be_named);

/// The same without an exchange: orders each lane's earlier accesses before the other lanes' later ones. Its arguments are in registers, so
/// that the caller's stack is as deep as at its loads.
void warp_sync(const char* what, unsigned mask, Place place);

/// The function for a tile of several warps, which reads and writes by rank.
using TileCombine = void (*)(unsigned size, const void* const* in, void* const* out);

/// Waits until every thread of the caller's tile of `size` threads, a multiple of 32, has called with the same `what`, lets
/// `combine` (may be null) exchange their data, and returns.
void tile_meet(unsigned size, const char* what, const void* in, void* out, TileCombine combine, Place place);

/// One of PTX's sixteen numbered barriers: `threads` threads of the block arrive, and then those that wait continue.
void named_barrier(unsigned number, unsigned threads, bool waits, Place place);

/// Returns the lanes that run together with the caller at this place, which __activemask() may return.
unsigned converged_lanes(Place place);

/// Waits until every thread of a cooperative launch has arrived; reports a launch that is not cooperative.
void grid_barrier(Place place);
bool grid_is_cooperative();

/// Counts a call of notify_one() or notify_all() for this word by the running thread. No thread sleeps for it here, because wait() reads
/// the word whenever its thread runs.
void note_notify(const volatile void* address);

/// Lets all other threads run first. Waiting loops call it (__nanosleep, blocking waits).
void yield();

/// The scope of the following atomics and fences in the same function call, for the checks: 0 block, 1 device, 2 system, as in the suffixes
/// _block and _system.
struct ScopeHint {
    explicit ScopeHint(unsigned scope);
    ~ScopeHint();
};

/// Notes an atomic load or store, whose access follows. Now and then it lets other threads run, so that a spinning thread cannot starve the
/// thread that it waits for.
void note_atomic_access();

/// Notes an atomic update, which has its own count. Without the checks, it only counts.
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

/// Notes that the next exchange of the running thread drops the old value, which may therefore be undefined.
void note_dropped_value();
[[gnu::always_inline]] inline void drop_old_value() {
#ifdef __SANITIZE_THREAD__
    note_dropped_value();
#endif
}

/// Whether a profiler counts. It is a constant for kernels, so the compiler reads it once per thread, and that is not a counted access.
extern const bool is_profiling asm("kit_is_profiling");

/// Notes a round of a loop for the profiler. The compiler treats it as a function of its arguments alone, because it does not change the
/// kernel's memory, so values that stay the same in a loop need not be loaded in each round.
[[gnu::cold, gnu::const]] unsigned note_round(unsigned function, unsigned level);
[[gnu::always_inline]] inline void tell_round(unsigned function, unsigned level) {
    asm volatile("" : "+r"(level));  // a different value in each round
    asm volatile("" : : "r"(note_round(function, level)));
}

/// Starts another round of a loop; the translator inserts the call before the loop's condition. `function`: number of the function, 0 for
/// kernels; `level`: 1 for a loop that is not inside another loop of the function.
[[gnu::always_inline]] constexpr void round([[maybe_unused]] unsigned function,
                                            [[maybe_unused]] unsigned level) {
#ifdef __SANITIZE_THREAD__
    if (!__builtin_is_constant_evaluated() && is_profiling) tell_round(function, level);
#endif
}

/// A shuffle that received a value from a lane outside its mask. The value is undefined, and so is every value computed from it.
struct UndefinedLane {
    enum class Why : unsigned char {
        not_named,  ///< the lane is not in the mask
        returned,   ///< the lane is in the mask, and its thread has returned
        no_thread,  ///< the lane is in the mask, and the warp has fewer threads
        other_size  ///< the lane brought a value of a different size
    };
    bool is = false;
    const char* what = "";
    Place place;
    unsigned mask = 0;
    int lane = 0;
    Why why = Why::not_named;
    unsigned threads = 32;  ///< number of threads of the warp
};

/// The value that a lane passes to a shuffle, and the value that it receives.
struct ShuffleInput {
    const void* value;
    unsigned size;  ///< bytes
    int source;     ///< the lane that it reads
    UndefinedLane brings, takes;
};
/// Called before the lanes meet: finds out whether the caller's value is made of an undefined one.
void look_for_undefined(ShuffleInput& input);
/// Called after the meeting if `input` shows that the caller has an undefined value or has received one.
void note_undefined(const ShuffleInput& input, const void* taken);

/// The count of a cuda::barrier in a block. The functions below implement it. Their own accesses are not checked.
struct BarrierState {
    long long expected, missing;  ///< arrivals of each phase; those still missing in this one
    long long bytes;              ///< bytes of bulk copies that this phase expects
    unsigned phase;
};
/// Initializes the barrier; reads its phase. Both are checked as accesses to memory, but not counted as loads and stores of a GPU.
void barrier_init(BarrierState& barrier, long long expected);
unsigned barrier_phase(const BarrierState& barrier);
/// Notes an arrival. Returns whether it was the last one, after which the caller completes the phase. Only the barrier's own completion
/// function, which the caller may have to call first, is ordered after the other arrivals.
bool barrier_arrive(BarrierState& barrier, long long update, bool has_function);
void barrier_complete(BarrierState& barrier);
void barrier_drop(BarrierState& barrier);
/// Waits for the phase. `what` is the function that waits.
void barrier_wait(const BarrierState& barrier, unsigned phase, Place place, const char* what);
/// Ends the kernel unless the token is from this barrier, and from its current or previous phase.
void barrier_token(const BarrierState& barrier, const void* of, unsigned phase, Place place);
/// Notes that the caller knows that the phase is complete.
void barrier_passed(const BarrierState& barrier, unsigned phase);

/// Ends the kernel because a group cannot be divided into tiles of this size.
[[noreturn]] void refuse_tile(unsigned size, Place place);

/// Ends the kernel because the thread called __trap().
[[noreturn]] void trap(Place place);

/// Returns the block's storage for one `__shared__` variable; the same for all threads of a block. `key` identifies it.
void* shared_variable(const void* key, const char* name, std::size_t size, std::size_t align);

/// The block's dynamic shared memory (third launch argument), with the caller's name and type for it; and its size in bytes.
struct Layout;
void* dynamic_shared_as(const char* name, const Layout& (*layout)());
std::size_t dynamic_shared_bytes();

/// Makes the result of a function a separate value. The translator puts it around results that device code assigns.
template <class T>
[[gnu::always_inline]] constexpr T&& returned(T&& value) noexcept {
    return static_cast<T&&>(value);
}

/// Makes a by-value argument a separate copy in the caller. The translator puts it around arguments.
template <class T>
[[gnu::always_inline]] constexpr T passed(T value) {
    return value;
}

}  // namespace kit::cpu

// CUDA's built-in variables. They are constant for a thread, and the executor sets them through their assembler names. Without the checks,
// one function runs several threads (turn.hpp), so their indices are not constants for the compiler.
#ifdef __SANITIZE_THREAD__
extern __thread const uint3 threadIdx __asm__("kit_cpu_thread_index");
#else
extern __thread uint3 threadIdx __asm__("kit_cpu_thread_index");
#endif
extern __thread const uint3 blockIdx __asm__("kit_cpu_block_index");
extern __thread const dim3 blockDim __asm__("kit_cpu_block_dim");
extern __thread const dim3 gridDim __asm__("kit_cpu_grid_dim");
constexpr int warpSize = 32;
