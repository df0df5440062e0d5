// Litmus shapes with one mistake: a plain variable that the message does not order. Every order of threads
// must reveal the race.
#include "litmus.cuh"

namespace {
constexpr char one_way[] =
    "a thread that does not wait goes one of two ways, and a schedule shows one of them";
}

// clang-format off

// ---- message passing: orders of the flag ----

LITMUS(mp_relaxed, { *x = 1; at_device(y).store(1, relaxed); }, { if (at_device(y).load(relaxed)) out[0] = *x; })  // <-
PLANTED("MP: both sides are relaxed", "race", "give the atomic memory_order_release") {
    apart(mp_relaxed);
}

LITMUS(mp_not_acquired, { *x = 1; at_device(y).store(1, release); }, { if (at_device(y).load(relaxed)) out[0] = *x; })  // <-
PLANTED("MP: the reader is relaxed", "race", "give that atomic memory_order_acquire") {
    apart(mp_not_acquired);
}

LITMUS(mp_not_released, { *x = 1; at_device(y).store(1, relaxed); }, { if (at_device(y).load(acquire)) out[0] = *x; })  // <-
PLANTED("MP: the writer is relaxed", "race", "memory_order_release") {
    apart(mp_not_released);
}

LITMUS(mp_relaxed_warps, { *x = 1; at_block(y).store(1, relaxed); }, { if (at_block(y).load(relaxed)) out[0] = *x; })  // <-
PLANTED("MP in one block: both sides are relaxed", "race", "the writer's") {
    together(mp_relaxed_warps);
}

LITMUS(mp_not_acquired_warps, { *x = 1; at_block(y).store(1, release); }, { if (at_block(y).load(relaxed)) out[0] = *x; })  // <-
PLANTED("MP in one block: the reader is relaxed", "race", "memory_order_acquire") {
    together(mp_not_acquired_warps);
}

LITMUS(mp_not_released_warps, { *x = 1; at_system(y).store(1, relaxed); }, { if (at_system(y).load(acquire)) out[0] = *x; })  // <-
PLANTED("MP in one block: the writer is relaxed, at system scope", "race", "the writer's") {
    together(mp_not_released_warps);
}

LITMUS(mp_system_relaxed, { *x = 1; at_system(y).store(1, relaxed); }, { if (at_system(y).load(relaxed)) out[0] = *x; })  // <-
PLANTED("MP: a wide scope is no order", "race", "the writer's") {
    apart(mp_system_relaxed);
}

LITMUS(mp_waits_relaxed, { *x = 1; at_device(y).store(1, release); }, { at_device(y).wait(0, relaxed); out[0] = *x; })  // <-
PLANTED("MP: wait() is relaxed", "race", "the reader's") {
    apart(mp_waits_relaxed);
}

LITMUS(mp_exchange_relaxed, { *x = 1; at_device(y).exchange(1, acquire); }, { while (at_device(y).fetch_add(0, acquire) == 0) {} out[0] = *x; })  // <-
PLANTED("MP: an exchange that acquires where it should release", "race", "the writer's") {
    apart(mp_exchange_relaxed);
}

// ---- message passing: scopes ----

LITMUS(mp_block_scope, { *x = 1; at_block(y).store(1, release); }, { if (at_block(y).load(acquire)) out[0] = *x; })  // <-
PLANTED("MP: block scope across blocks", "race", "scope") {
    apart(mp_block_scope);
}

LITMUS(mp_narrow_release, { *x = 1; at_block(y).store(1, release); }, { if (at_device(y).load(acquire)) out[0] = *x; })  // <-
PLANTED("MP: the writer's scope is its block", "race", "scope") {
    apart(mp_narrow_release);
}

LITMUS(mp_narrow_acquire, { *x = 1; at_device(y).store(1, release); }, { if (at_block(y).load(acquire)) out[0] = *x; })  // <-
PLANTED("MP: the reader's scope is its block", "race", "scope") {
    apart(mp_narrow_acquire);
}

LITMUS(mp_block_exchange, { *x = 1; __threadfence(); atomicExch_block(y, 1); }, { while (atomicAdd(y, 0) == 0) {} __threadfence(); out[0] = *x; })  // <-
PLANTED("MP: atomicExch_block() across blocks", "race", "scope") {
    apart(mp_block_exchange);
}

// ---- message passing: fences ----

LITMUS(mp_fence_writer, { *x = 1; __threadfence(); at_device(y).store(1, relaxed); }, { if (at_device(y).load(relaxed)) out[0] = *x; })  // <-
PLANTED("MP: a fence on the writer's side only", "race", "give that atomic memory_order_acquire") {
    apart(mp_fence_writer);
}

LITMUS(mp_fence_reader, { *x = 1; at_device(y).store(1, relaxed); }, { if (at_device(y).load(relaxed)) { __threadfence(); out[0] = *x; } })  // <-
PLANTED("MP: a fence on the reader's side only", "race", "the writer's") {
    apart(mp_fence_reader);
}

LITMUS(mp_fence_writer_warps, { *x = 1; __threadfence_block(); at_block(y).store(1, relaxed); }, { if (at_block(y).load(relaxed)) out[0] = *x; })  // <-
PLANTED("MP in one block: a fence on the writer's side only", "race", "the reader's") {
    together(mp_fence_writer_warps);
}

LITMUS(mp_fence_reader_warps, { *x = 1; at_block(y).store(1, relaxed); }, { if (at_block(y).load(relaxed)) { __threadfence_block(); out[0] = *x; } })  // <-
PLANTED("MP in one block: a fence on the reader's side only", "race", "the writer's") {
    together(mp_fence_reader_warps);
}

LITMUS(mp_narrow_fences, { *x = 1; __threadfence_block(); at_device(y).store(1, relaxed); }, { if (at_device(y).load(relaxed)) { __threadfence_block(); out[0] = *x; } })  // <-
PLANTED("MP: fences of the block across blocks", "race", "has block scope") {
    apart(mp_narrow_fences);
}

LITMUS(mp_narrow_fence_writer, { *x = 1; __threadfence_block(); at_device(y).store(1, relaxed); }, { if (at_device(y).load(relaxed)) { __threadfence(); out[0] = *x; } })  // <-
PLANTED("MP: the writer's fence is of the block", "race", "the writer's release or fence has block scope") {
    apart(mp_narrow_fence_writer);
}

LITMUS(mp_narrow_fence_reader, { *x = 1; __threadfence(); at_device(y).store(1, relaxed); }, { if (at_device(y).load(relaxed)) { __threadfence_block(); out[0] = *x; } })  // <-
PLANTED("MP: the reader's fence is of the block", "race", "the reader's acquire or fence has block scope") {
    apart(mp_narrow_fence_reader);
}

LITMUS(mp_narrow_cuda_fence, { *x = 1; cuda::atomic_thread_fence(release, cuda::thread_scope_block); at_device(y).store(1, relaxed); }, { if (at_device(y).load(acquire)) out[0] = *x; })  // <-
PLANTED("MP: cuda::atomic_thread_fence() of the block, and an acquire", "race", "has block scope") {
    apart(mp_narrow_cuda_fence);
}

LITMUS(mp_relaxed_fence, { *x = 1; cuda::atomic_thread_fence(relaxed, cuda::thread_scope_device); at_device(y).store(1, relaxed); }, { if (at_device(y).load(acquire)) out[0] = *x; })  // <-
PLANTED("MP: a relaxed fence is none", "race", "the writer's") {
    apart(mp_relaxed_fence);
}

LITMUS(mp_fence_late, { *x = 1; at_device(y).store(1, relaxed); __threadfence(); }, { if (at_device(y).load(acquire)) out[0] = *x; })  // <-
PLANTED("MP: the writer's fence stands behind the flag", "race", "the writer's") {
    apart(mp_fence_late);
}

LITMUS(mp_fence_early, { *x = 1; at_device(y).store(1, release); }, { __threadfence(); if (at_device(y).load(relaxed)) out[0] = *x; })  // <-
PLANTED("MP: the reader's fence stands before the flag", "race", "the reader's") {
    apart(mp_fence_early);
}

LITMUS(mp_classic, { *x = 1; atomicExch(y, 1); }, { while (atomicAdd(y, 0) == 0) {} out[0] = *x; })  // <-
PLANTED("MP: atomicExch() and atomicAdd() are relaxed", "race", "the writer's") {
    apart(mp_classic);
}

LITMUS(mp_classic_system, { *x = 1; __threadfence_system(); atomicExch_system(y, 1); }, { while (atomicAdd_system(y, 0) == 0) {} out[0] = *x; })  // <-
PLANTED("MP: atomics and a fence of the system, none for the reader", "race", "the reader's") {
    apart(mp_classic_system);
}

// ---- message passing: the flag itself, and the place of each access ----

LITMUS(mp_plain_flag, { *x = 1; __threadfence(); *y = 1; }, { if (*y) { __threadfence(); out[0] = *x; } })  // <-
PLANTED("MP: a plain flag between fences", "race", "nothing orders two blocks") {
    apart(mp_plain_flag);
}

LITMUS(mp_volatile_flag, { *x = 1; __threadfence(); *const_cast<volatile int*>(y) = 1; }, { if (*const_cast<volatile int*>(y)) { __threadfence(); out[0] = *x; } })  // <-
PLANTED("MP: a volatile flag between fences", "race", "nothing orders two blocks") {
    apart(mp_volatile_flag);
}

LITMUS(mp_half_atomic, { *x = 1; __threadfence(); *y = 1; }, { if (at_device(y).load(acquire)) out[0] = *x; })  // <-
PLANTED("MP: the flag is written plainly and read atomically", "race", "only one of the two accesses is atomic") {
    apart(mp_half_atomic);
}

LITMUS(mp_data_late, { at_device(y).store(1, release); *x = 1; }, { if (at_device(y).load(acquire)) out[0] = *x; })  // <-
KNOWN_GAP("MP: the datum is written behind the flag", one_way) {
    apart(mp_data_late);
}

LITMUS(mp_data_early, { *x = 1; at_device(y).store(1, release); }, { out[0] = *x; out[1] = at_device(y).load(acquire); })  // <-
PLANTED("MP: the datum is read before the flag", "race", "two blocks") {
    apart(mp_data_early);
}

LITMUS(mp_not_awaited, { *x = 1; at_device(y).store(1, release); }, { out[1] = at_device(y).load(acquire); out[0] = *x; })  // <-
KNOWN_GAP("MP: the datum is read whether the message has come or not", one_way) {
    apart(mp_not_awaited);
}

LITMUS(mp_not_awaited_seq_cst, { *x = 1; at_device(y).store(1); }, { out[1] = at_device(y).load(); out[0] = *x; })  // <-
KNOWN_GAP("MP: the same with the strongest order", one_way) {
    apart(mp_not_awaited_seq_cst);
}

LITMUS(mp_not_awaited_warps, { *x = 1; at_block(y).store(1, release); }, { out[1] = at_block(y).load(acquire); out[0] = *x; })  // <-
KNOWN_GAP("MP in one block: the datum is read whether the message has come or not", one_way) {
    together(mp_not_awaited_warps);
}

LITMUS(mp_other_release, { *x = 1; at_device(z).store(1, release); at_device(y).store(1, relaxed); }, { if (at_device(y).load(acquire)) out[0] = *x; })  // <-
PLANTED("MP: a release of another variable is no fence", "race", "the writer's") {
    apart(mp_other_release);
}

LITMUS(mp_other_acquire, { *x = 1; at_device(y).store(1, release); }, { if (at_device(y).load(relaxed)) { out[1] = at_device(z).load(acquire); out[0] = *x; } })  // <-
PLANTED("MP: an acquire of another variable is no fence", "race", "the reader's") {
    apart(mp_other_acquire);
}

LITMUS(mp_replaced, { *x = 1; at_device(y).store(1, release); }, { while (at_device(y).load(relaxed) != 1) {} at_device(y).store(2, relaxed); }, { while (at_device(y).load(relaxed) != 2) {} out[1] = at_device(y).load(acquire); out[0] = *x; })  // <-
PLANTED("MP: another thread's relaxed store replaces the message", "race", "race on element") {
    apart(mp_replaced);
}

static __global__ void poll_and_barrier(int* x, int* y, int*, int* out) {
    if (blockIdx.x > 1) return;
    if (blockIdx.x == 0 && threadIdx.x == 0) { *x = 1; at_device(y).store(1, release); }  // <-
    if (blockIdx.x == 1 && threadIdx.x == 0) { while (at_device(y).load(relaxed) == 0) {} }
    __syncthreads();
    if (blockIdx.x == 1) out[threadIdx.x % 4] = *x;  // <-
}
PLANTED("MP: a relaxed poll, and a barrier of the reader's block behind it", "race", "give that atomic memory_order_acquire") {
    apart(poll_and_barrier);
}

// ---- other shapes with plain variables ----

LITMUS(sb_plain, { *x = 1; __threadfence(); out[0] = *y; }, { *y = 1; __threadfence(); out[1] = *x; })  // <-
PLANTED("SB: plain variables, a fence on either side", "race", "two blocks") {
    apart(sb_plain);
}

LITMUS(lb_plain, { out[0] = *x; __threadfence(); *y = 1; }, { out[1] = *y; __threadfence(); *x = 1; })  // <-
PLANTED("LB: plain variables, a fence on either side", "race", "two blocks") {
    apart(lb_plain);
}

LITMUS(two_two_plain, { *x = 1; __threadfence(); *y = 2; }, { *y = 1; __threadfence(); *x = 2; })  // <-
PLANTED("2+2W: plain variables, a fence on either side", "race", "two blocks") {
    apart(two_two_plain);
}

LITMUS(iriw_plain, { *x = 1; }, { *y = 1; }, { out[0] = *x; __threadfence(); out[1] = *y; }, { out[2] = *y; __threadfence(); out[3] = *x; })  // <-
PLANTED("IRIW: plain variables", "race", "two blocks") {
    apart(iriw_plain);
}

LITMUS(r_plain, { *x = 1; __threadfence(); at_device(y).store(1, relaxed); }, { at_device(y).store(2, relaxed); __threadfence(); out[0] = *x; })  // <-
PLANTED("R: the plain variable is read whoever stored last", "race", "two blocks") {
    apart(r_plain);
}

LITMUS(s_plain, { *x = 2; at_device(y).store(1, release); }, { if (at_device(y).load(relaxed)) *x = 1; })  // <-
PLANTED("S: a plain write behind a relaxed load", "race", "the reader's") {
    apart(s_plain);
}

LITMUS(wrc_relaxed, { *x = 1; at_device(y).store(1, release); }, { while (at_device(y).load(acquire) == 0) {} at_device(z).store(1, relaxed); }, { if (at_device(z).load(acquire)) out[0] = *x; })  // <-
PLANTED("WRC: the second message is not released", "race", "two blocks") {
    apart(wrc_relaxed);
}

LITMUS(isa2_unheard, { *x = 1; at_device(y).store(1, release); }, { while (at_device(y).load(relaxed) == 0) {} at_device(z).store(1, release); }, { while (at_device(z).load(acquire) == 0) {} out[0] = *x; })  // <-
PLANTED("ISA2: the first message is not acquired", "race", "two blocks") {
    apart(isa2_unheard);
}

LITMUS(isa2_narrow, { *x = 1; at_device(y).store(1, release); }, { while (at_device(y).load(acquire) == 0) {} __threadfence_block(); at_device(z).store(1, relaxed); }, { if (at_device(z).load(acquire)) out[0] = *x; })  // <-
PLANTED("ISA2: the second message is fenced for its block", "race", "two blocks") {
    apart(isa2_narrow);
}

// ---- locks ----

LITMUS(lock_relaxed, { while (at_device(y).exchange(1, relaxed)) {} *x += 1; at_device(y).store(0, release); }, { while (at_device(y).exchange(1, relaxed)) {} *x += 2; at_device(y).store(0, release); })  // <-
PLANTED("a lock that is taken without acquire", "race", "the reader's") {
    apart(lock_relaxed);
}

LITMUS(lock_not_released, { while (at_device(y).exchange(1, acquire)) {} *x += 1; at_device(y).store(0, relaxed); }, { while (at_device(y).exchange(1, acquire)) {} *x += 2; at_device(y).store(0, relaxed); })  // <-
PLANTED("a lock that is given back without release", "race", "the writer's") {
    apart(lock_not_released);
}

LITMUS(lock_of_block, { while (at_block(y).exchange(1, acquire)) {} *x += 1; at_block(y).store(0, release); }, { while (at_block(y).exchange(1, acquire)) {} *x += 2; at_block(y).store(0, release); })  // <-
PLANTED("a lock of block scope across blocks", "race", "scope") {
    apart(lock_of_block);
}

// clang-format on

CHECKS_MAIN("planted_litmus")
