// What a running CUDA thread can ask of the executor: who am I, meet the others, yield, stop.
// Everything that device code calls (barriers, shuffles, cooperative groups, atomics) is written on these functions.
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kit::cpu {

/// A place in the student's own source. A function of the API has CUDA's signature and knows only where it returns to:
/// such a place keeps that address, and reports look the line up (look_up in src/source/symbols.hpp).
struct Place {
    union {
        const char* file = "";
        const void* instruction;  ///< inside the call, while `line` is `of_instruction`
    };
    int line = 0;

    static constexpr int of_instruction = -1;
};

/// Returns the caller's place. A function and not `Place{...}`: GCC 12 takes the lines of a braced default argument from the declaration,
/// those of a function's default arguments from the call.
constexpr Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
}

/// Default argument that names the caller's line: `void __syncthreads(Place place = KIT_CPU_HERE);`
#define KIT_CPU_HERE ::kit::cpu::here()

/// Returns the place of the call in whose inlined wrapper this is called.
Place this_call();

/// The calls of the host that led to a piece of queued work, innermost first; null if they are not known.
using HostCalls = std::shared_ptr<const std::vector<const void*>>;

/// Returns whether the caller is a CUDA thread, false in host code.
bool in_kernel();

/// Returns the index of the calling thread in its block (x fastest), in its warp, and of its warp in the block.
unsigned thread_rank();
unsigned lane_id();
unsigned warp_id();

/// Lanes of the calling warp that exist: all 32, or fewer in the ragged last warp of a block.
unsigned warp_lanes();

/// Waits until every thread of the block is here. `what` is the name used in reports.
void block_barrier(Place place, const char* what = "__syncthreads()");

/// Barrier that also returns, to every thread, how many threads passed a non-zero predicate.
int block_barrier_count(int predicate, Place place, const char* what = "__syncthreads_count()");

/// Called once when all lanes have met: reads `in[lane]`, writes `out[lane]` for each lane of `mask`.
using WarpCombine = void (*)(unsigned mask, const void* const in[32], void* const out[32]);

/// Which instruction of a kernel calls; nothing: the call of the executor itself.
struct CallSite {
    const void* returns_to = nullptr;
    const void* frame = nullptr;  ///< where the stack of the calling function begins
};
/// In a function that is not inlined into the kernel, as its accesses are not checked: who calls it.
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

/// The same without an exchange: what each lane did before comes before what the others do now. (Its arguments lie in registers, so
/// that the caller's stack is as deep as at its loads.)
void warp_sync(const char* what, unsigned mask, Place place);

/// The same for a tile of several warps, by rank.
using TileCombine = void (*)(unsigned size, const void* const* in, void* const* out);

/// Waits until every thread of the caller's tile of `size` threads, a multiple of 32, has called with the same `what`, lets
/// `combine` (may be null) exchange their data, and returns.
void tile_meet(unsigned size, const char* what, const void* in, void* out, TileCombine combine, Place place);

/// One of the sixteen barriers that PTX numbers: `threads` of the block arrive there, and those that wait go on then.
void named_barrier(unsigned number, unsigned threads, bool waits, Place place);

/// Lanes that run together with the caller at this place (what __activemask() may return).
unsigned converged_lanes(Place place);

/// Waits until every thread of a cooperative launch is here; reports a launch that was not cooperative.
void grid_barrier(Place place);
bool grid_is_cooperative();

/// Counts that the running thread has called notify_one() or notify_all() of this word. Nothing sleeps here for that: wait() looks
/// at the word whenever the thread has its turn.
void note_notify(const volatile void* address);

/// Lets every other thread run first. Called in waiting loops (__nanosleep, blocking waits).
void yield();

/// The scope of the atomics and fences that follow in the same function call; the checks ask for it. 0 block, 1 device,
/// 2 system, as in the suffixes _block and _system.
struct ScopeHint {
    explicit ScopeHint(unsigned scope);
    ~ScopeHint();
};

/// Notes an atomic load or store, whose access follows. Lets others go first now and then, so that a spinning thread cannot
/// starve the one it waits for.
void note_atomic_access();

/// The same for an atomic update, which is counted as such. Without the checks counting is all there is to do.
void note_checked_atomic();
constexpr unsigned atomics_before_yield = 1000;
extern __thread unsigned unchecked_atomics;  ///< since the last of these
void note_many_atomics();

[[gnu::always_inline]] inline void note_atomic() {
#ifdef __SANITIZE_THREAD__
    note_checked_atomic();
#else
    if (++unchecked_atomics == atomics_before_yield) note_many_atomics();
#endif
}

/// The old value that the next exchange of the running thread returns is not used, so it may be undefined.
void note_dropped_value();
[[gnu::always_inline]] inline void drop_old_value() {
#ifdef __SANITIZE_THREAD__
    note_dropped_value();
#endif
}

/// Whether somebody profiles. Constant to kernels, so that the compiler asks once per thread and the question is no access of theirs.
extern const bool is_profiling asm("kit_is_profiling");

/// Told to whoever profiles. To the compiler it is a function of its arguments alone, as it does nothing to the kernel's memory:
/// what stays the same in a loop need not be loaded in each round.
[[gnu::cold, gnu::const]] unsigned note_round(unsigned function, unsigned level);
[[gnu::always_inline]] inline void tell_round(unsigned function, unsigned level) {
    asm volatile("" : "+r"(level));  // another one in each round
    asm volatile("" : : "r"(note_round(function, level)));
}

/// A thread begins another round of a loop: the translator puts it before the loop's condition. `function`: its number, of kernels 0;
/// `level`: 1 for a loop that is in no other one of the function.
[[gnu::always_inline]] constexpr void round([[maybe_unused]] unsigned function,
                                            [[maybe_unused]] unsigned level) {
#ifdef __SANITIZE_THREAD__
    if (!__builtin_is_constant_evaluated() && is_profiling) tell_round(function, level);
#endif
}

/// The shuffle that took a value from a lane outside its mask: undefined, and so is what is made of it.
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
    unsigned threads = 32;  ///< of the warp
};

/// What a lane brings to a shuffle, and what it takes.
struct ShuffleInput {
    const void* value;
    unsigned size;  ///< bytes
    int source;     ///< the lane whose value it wants
    UndefinedLane brings, takes;
};
/// Before the lanes meet: is what the caller brings made of an undefined value?
void look_for_undefined(ShuffleInput& input);
/// After that: the caller, whose `input` says so, has an undefined value or has taken one.
void note_undefined(const ShuffleInput& input, const void* taken);

/// The count of a cuda::barrier in a block. The functions below are the block's; their own accesses are not checked.
struct BarrierState {
    long long expected, missing;  ///< arrivals, per phase and in this one
    long long bytes;              ///< of bulk copies that this phase expects
    unsigned phase;
};
/// Sets it up, and asks for its phase: checked as accesses to memory, but not counted as loads and stores, which they are not on a GPU.
void barrier_init(BarrierState& barrier, long long expected);
unsigned barrier_phase(const BarrierState& barrier);
/// Notes an arrival. True when it was the last one: the caller completes the phase. Only the function that it may have to
/// call then, the barrier's own, comes after the other arrivals.
bool barrier_arrive(BarrierState& barrier, long long update, bool has_function);
void barrier_complete(BarrierState& barrier);
void barrier_drop(BarrierState& barrier);
/// `what`: the function that waits.
void barrier_wait(const BarrierState& barrier, unsigned phase, Place place, const char* what);
/// Is it a token of this barrier, of its phase or the one before it? Another one ends the kernel.
void barrier_token(const BarrierState& barrier, const void* of, unsigned phase, Place place);
/// The caller knows that the phase is complete.
void barrier_passed(const BarrierState& barrier, unsigned phase);

/// Ends the kernel: a group cannot be divided into tiles of this size.
[[noreturn]] void refuse_tile(unsigned size, Place place);

/// Ends the kernel because the thread asked for it with __trap().
[[noreturn]] void trap(Place place);

/// Returns the block's storage for one `__shared__` variable; the same for all threads of a block. `key` identifies it.
void* shared_variable(const void* key, const char* name, std::size_t size, std::size_t align);

/// The block's dynamic shared memory (third launch argument) and its size in bytes. As the caller calls it, and of what.
struct Layout;
void* dynamic_shared_as(const char* name, const Layout& (*layout)());
std::size_t dynamic_shared_bytes();

/// What a function returned, as a value of its own: the translator puts it around what device code assigns.
template <class T>
[[gnu::always_inline]] constexpr T&& returned(T&& value) noexcept {
    return static_cast<T&&>(value);
}

/// What a function is about to get by value, copied where the caller stands: the translator puts it around arguments.
template <class T>
[[gnu::always_inline]] constexpr T passed(T value) {
    return value;
}

}  // namespace kit::cpu

// CUDA's built-in variables. They are constant for a thread; the executor sets them through the assembler names. Without the
// checks one function runs several threads (turn.hpp), and their indices are no constants to the compiler.
#ifdef __SANITIZE_THREAD__
extern __thread const uint3 threadIdx __asm__("kit_cpu_thread_index");
#else
extern __thread uint3 threadIdx __asm__("kit_cpu_thread_index");
#endif
extern __thread const uint3 blockIdx __asm__("kit_cpu_block_index");
extern __thread const dim3 blockDim __asm__("kit_cpu_block_dim");
extern __thread const dim3 gridDim __asm__("kit_cpu_grid_dim");
constexpr int warpSize = 32;
