// Litmus shapes without a mistake: ordered, or all atomic. The checks must not report anything, and values that the PTX model forbids must not occur.
#include "litmus.cuh"

namespace {

/// Runs a shape 50 times, with its threads in four blocks and then in one block, and checks that the
/// forbidden outcome does not occur.
template <class Forbidden>
void never(Shape shape, Forbidden forbidden) {
    for (int round = 0; round < 50; ++round) {
        CHECK(!forbidden(apart(shape)));
        CHECK(!forbidden(together(shape)));
    }
}

/// Runs a message-passing shape in which the message may not have arrived: the datum is 1, or it was not
/// read.
void passes(Outcome (*run)(Shape), Shape shape) {
    for (int round = 0; round < 20; ++round) {
        const Outcome after = run(shape);
        CHECK(after.out[1] == 0 || after.out[0] == 1);
        CHECK_EQUAL(after.x, 1);
    }
}

}  // namespace

// clang-format off

// ---- message passing ----

LITMUS(mp_device, { *x = 1; at_device(y).store(1, release); }, { if ((out[1] = at_device(y).load(acquire))) out[0] = *x; })
SILENT("MP: release and acquire at device scope") { passes(apart, mp_device); }
SILENT("MP in one block: release and acquire at device scope") { passes(together, mp_device); }

LITMUS(mp_block, { *x = 1; at_block(y).store(1, release); }, { if ((out[1] = at_block(y).load(acquire))) out[0] = *x; })
SILENT("MP in one block: release and acquire at block scope") { passes(together, mp_block); }

LITMUS(mp_system, { *x = 1; at_system(y).store(1, release); }, { if ((out[1] = at_system(y).load(acquire))) out[0] = *x; })
SILENT("MP: release and acquire at system scope") { passes(apart, mp_system); }

LITMUS(mp_seq_cst, { *x = 1; at_device(y).store(1); }, { if ((out[1] = at_device(y).load())) out[0] = *x; })
SILENT("MP: the default order") { passes(apart, mp_seq_cst); }

LITMUS(mp_two_scopes, { *x = 1; at_device(y).store(1, release); }, { if ((out[1] = at_system(y).load(acquire))) out[0] = *x; })
SILENT("MP: device scope here, system scope there") { passes(apart, mp_two_scopes); }

LITMUS(mp_block_and_system, { *x = 1; at_block(y).store(1, release); }, { if ((out[1] = at_system(y).load(acquire))) out[0] = *x; })
SILENT("MP in one block: block scope here, system scope there") { passes(together, mp_block_and_system); }

LITMUS(mp_waits, { *x = 1; at_device(y).store(1, release); at_device(y).notify_one(); }, { at_device(y).wait(0, acquire); out[1] = 1; out[0] = *x; })
SILENT("MP: wait() acquires") { passes(apart, mp_waits); }

LITMUS(mp_exchange, { *x = 1; at_device(y).exchange(1, release); }, { while (at_device(y).fetch_add(0, acquire) == 0) {} out[1] = 1; out[0] = *x; })
SILENT("MP: updates that release and acquire") { passes(apart, mp_exchange); }

LITMUS(mp_fences, { *x = 1; __threadfence(); at_device(y).store(1, relaxed); }, { if ((out[1] = at_device(y).load(relaxed))) { __threadfence(); out[0] = *x; } })
SILENT("MP: relaxed, with fences of the device") { passes(apart, mp_fences); }
SILENT("MP in one block: relaxed, with fences of the device") { passes(together, mp_fences); }

LITMUS(mp_fences_block, { *x = 1; __threadfence_block(); at_block(y).store(1, relaxed); }, { if ((out[1] = at_block(y).load(relaxed))) { __threadfence_block(); out[0] = *x; } })
SILENT("MP in one block: relaxed, with fences of the block") { passes(together, mp_fences_block); }

LITMUS(mp_narrow_fence_near, { *x = 1; __threadfence(); at_device(y).store(1, relaxed); }, { if ((out[1] = at_device(y).load(relaxed))) { __threadfence_block(); out[0] = *x; } })
SILENT("MP in one block: one fence of the device, one of the block") { passes(together, mp_narrow_fence_near); }

LITMUS(mp_fences_system, { *x = 1; __threadfence_system(); at_system(y).store(1, relaxed); }, { if ((out[1] = at_system(y).load(relaxed))) { __threadfence_system(); out[0] = *x; } })
SILENT("MP: relaxed, with fences of the system") { passes(apart, mp_fences_system); }

LITMUS(mp_fence_and_acquire, { *x = 1; __threadfence(); at_device(y).store(1, relaxed); }, { if ((out[1] = at_device(y).load(acquire))) out[0] = *x; })
SILENT("MP: a fence here, an acquire there") { passes(apart, mp_fence_and_acquire); }

LITMUS(mp_release_and_fence, { *x = 1; at_device(y).store(1, release); }, { if ((out[1] = at_device(y).load(relaxed))) { __threadfence(); out[0] = *x; } })
SILENT("MP: a release here, a fence there") { passes(apart, mp_release_and_fence); }

LITMUS(mp_cuda_fences, { *x = 1; cuda::atomic_thread_fence(release, cuda::thread_scope_device); at_device(y).store(1, relaxed); }, { if ((out[1] = at_device(y).load(relaxed))) { cuda::atomic_thread_fence(acquire, cuda::thread_scope_device); out[0] = *x; } })
SILENT("MP: cuda::atomic_thread_fence() on both sides") { passes(apart, mp_cuda_fences); }

LITMUS(mp_classic, { *x = 1; __threadfence(); atomicExch(y, 1); }, { while (atomicAdd(y, 0) == 0) {} __threadfence(); out[1] = 1; out[0] = *x; })
SILENT("MP: atomicExch() and atomicAdd() between fences") { passes(apart, mp_classic); }

LITMUS(mp_classic_block, { *x = 1; __threadfence_block(); atomicExch_block(y, 1); }, { while (atomicAdd_block(y, 0) == 0) {} __threadfence_block(); out[1] = 1; out[0] = *x; })
SILENT("MP in one block: atomics and fences of the block") { passes(together, mp_classic_block); }

LITMUS(mp_fence_far_before, { *x = 1; __threadfence(); at_device(z).store(5, relaxed); at_device(y).store(1, relaxed); }, { while (at_device(y).load(relaxed) == 0) {} at_device(z).fetch_add(1, relaxed); __threadfence(); out[1] = 1; out[0] = *x; })
SILENT("MP: other atomics stand between the fences and the flag") { passes(apart, mp_fence_far_before); }

LITMUS(mp_chain, { *x = 1; at_device(y).store(1, release); }, { while (at_device(y).load(relaxed) != 1) {} at_device(y).fetch_add(1, relaxed); }, { while (at_device(y).load(acquire) != 2) {} out[1] = 1; out[0] = *x; })
SILENT("MP: a relaxed update by another thread hands the message on") { passes(apart, mp_chain); }

LITMUS(mp_own_second_store, { *x = 1; at_device(y).store(1, release); at_device(y).store(2, relaxed); }, { while (at_device(y).load(acquire) != 2) {} out[1] = 1; out[0] = *x; })
SILENT("MP: the writer's own relaxed store behind its release") { passes(apart, mp_own_second_store); }

LITMUS(mp_answer, { *x = 1; at_device(y).store(1, release); while (at_device(z).load(acquire) == 0) {} *x = 1; *y = 0; }, { while (at_device(y).load(acquire) == 0) {} out[1] = 1; out[0] = *x; at_device(z).store(1, release); })
SILENT("MP with an answer: then the datum and the flag are the writer's again") { passes(apart, mp_answer); }

LITMUS(mp_set_and_reset, { *x = 1; at_device(y).store(1, release); at_device(y).store(0, release); at_device(z).store(1, release); }, { while (at_device(z).load(acquire) == 0) { if (at_device(y).load(acquire)) out[2] = *x; } out[1] = 1; out[0] = *x; })
SILENT("MP: the flag is set and set back, and who sees it set may read") { passes(apart, mp_set_and_reset); }

// ---- shapes whose causality orders plain variables ----

LITMUS(wrc, { *x = 1; at_device(y).store(1, release); }, { while (at_device(y).load(acquire) == 0) {} at_device(z).store(1, release); }, { while (at_device(z).load(acquire) == 0) {} out[1] = 1; out[0] = *x; })
SILENT("ISA2: two messages in a row") { passes(apart, wrc); }

LITMUS(wrc_reads, { *x = 1; at_device(y).store(1, release); }, { while (at_device(y).load(acquire) == 0) {} out[2] = *x; __threadfence(); at_device(z).store(1, relaxed); }, { while (at_device(z).load(relaxed) == 0) {} __threadfence(); out[1] = 1; out[0] = *x; })
SILENT("WRC: who has read the datum sends the second message") { passes(apart, wrc_reads); }

LITMUS(isa2_scopes, { if (threadIdx.x == 0) { *x = 1; at_block(y).store(1, release); } }, { while (at_block(y).load(acquire) == 0) {} at_device(z).store(1, release); }, { while (at_device(z).load(acquire) == 0) {} out[1] = 1; out[0] = *x; })
SILENT("ISA2 in one block: block scope, then device scope") { passes(together, isa2_scopes); }

LITMUS(s_ordered, { *x = 2; at_device(y).store(1, release); }, { while (at_device(y).load(acquire) == 0) {} *x = 1; out[1] = out[0] = 1; })
SILENT("S: a plain write behind an acquire comes last") { passes(apart, s_ordered); }

LITMUS(lb_awaited, { out[1] = 1; out[0] = 1; at_device(y).store(1, release); *x = 1; }, { while (at_device(y).load(acquire) == 0) {} out[2] = out[0]; })
SILENT("LB: what is read before the message may be written after it") { passes(apart, lb_awaited); }

LITMUS(lock, { while (at_device(y).exchange(1, acquire)) {} *x += 1; at_device(y).store(0, release); }, { while (at_device(y).exchange(1, acquire)) {} *x += 2; at_device(y).store(0, release); }, { while (at_device(y).exchange(1, acquire)) {} *x += 3; at_device(y).store(0, release); })
SILENT("a lock") { CHECK_EQUAL(apart(lock).x, 6); CHECK_EQUAL(together(lock).x, 6); }

LITMUS(lock_fenced, { while (atomicCAS(y, 0, 1)) {} __threadfence(); *x += 1; __threadfence(); atomicExch(y, 0); }, { while (atomicCAS(y, 0, 1)) {} __threadfence(); *x += 2; __threadfence(); atomicExch(y, 0); })
SILENT("a lock of relaxed atomics with fences") { CHECK_EQUAL(apart(lock_fenced).x, 3); }

LITMUS(lock_block, { while (at_block(y).exchange(1, acquire)) {} *x += 1; at_block(y).store(0, release); }, { while (at_block(y).exchange(1, acquire)) {} *x += 2; at_block(y).store(0, release); })
SILENT("a lock of block scope in one block") { CHECK_EQUAL(together(lock_block).x, 3); }

// ---- all atomic: never a race, and some outcomes never occur ----

LITMUS(mp_values, { at_device(x).store(1, relaxed); at_device(y).store(1, release); }, { out[1] = at_device(y).load(acquire); out[0] = at_device(x).load(relaxed); })
SILENT("MP, all atomic: who sees the flag sees the datum") { never(mp_values, [](const Outcome& r) { return r.out[1] == 1 && r.out[0] == 0; }); }

LITMUS(mp_values_relaxed, { at_device(x).store(1, relaxed); at_device(y).store(1, relaxed); }, { out[1] = at_device(y).load(relaxed); out[0] = at_device(x).load(relaxed); })
SILENT("MP, all relaxed: any outcome") { never(mp_values_relaxed, [](const Outcome& r) { return r.out[0] > 1; }); }

LITMUS(sb_relaxed, { at_device(x).store(1, relaxed); out[0] = at_device(y).load(relaxed); }, { at_device(y).store(1, relaxed); out[1] = at_device(x).load(relaxed); })
SILENT("SB, all relaxed: any outcome") { never(sb_relaxed, [](const Outcome& r) { return r.out[0] > 1; }); }

LITMUS(sb_acquire, { at_device(x).store(1, release); out[0] = at_device(y).load(acquire); }, { at_device(y).store(1, release); out[1] = at_device(x).load(acquire); })
SILENT("SB, release and acquire: any outcome, 0 and 0 too") { never(sb_acquire, [](const Outcome& r) { return r.out[0] > 1; }); }

LITMUS(sb_fences, { at_device(x).store(1, relaxed); __threadfence(); out[0] = at_device(y).load(relaxed); }, { at_device(y).store(1, relaxed); __threadfence(); out[1] = at_device(x).load(relaxed); })
SILENT("SB, sequential fences: never 0 and 0") { never(sb_fences, [](const Outcome& r) { return r.out[0] == 0 && r.out[1] == 0; }); }

LITMUS(sb_fences_acquire, { at_device(x).store(1, release); __threadfence(); out[0] = at_device(y).load(acquire); }, { at_device(y).store(1, release); __threadfence(); out[1] = at_device(x).load(acquire); })
SILENT("SB, sequential fences among release and acquire: never 0 and 0") { never(sb_fences_acquire, [](const Outcome& r) { return r.out[0] == 0 && r.out[1] == 0; }); }

LITMUS(sb_seq_cst, { at_device(x).store(1); out[0] = at_device(y).load(); }, { at_device(y).store(1); out[1] = at_device(x).load(); })
SILENT("SB, the default order: never 0 and 0") { never(sb_seq_cst, [](const Outcome& r) { return r.out[0] == 0 && r.out[1] == 0; }); }

LITMUS(sb_updates, { at_device(x).exchange(1, acq_rel); out[0] = at_device(y).fetch_add(0, acq_rel); }, { at_device(y).exchange(1, acq_rel); out[1] = at_device(x).fetch_add(0, acq_rel); })
SILENT("SB, updates: any outcome") { never(sb_updates, [](const Outcome& r) { return r.out[0] > 1; }); }

LITMUS(lb_relaxed, { out[0] = at_device(x).load(relaxed); at_device(y).store(1, relaxed); }, { out[1] = at_device(y).load(relaxed); at_device(x).store(1, relaxed); })
SILENT("LB, all relaxed: any outcome") { never(lb_relaxed, [](const Outcome& r) { return r.out[0] > 1; }); }

LITMUS(lb_acquire, { out[0] = at_device(x).load(acquire); at_device(y).store(1, release); }, { out[1] = at_device(y).load(acquire); at_device(x).store(1, release); })
SILENT("LB, release and acquire: never 1 and 1") { never(lb_acquire, [](const Outcome& r) { return r.out[0] == 1 && r.out[1] == 1; }); }

LITMUS(iriw_relaxed, { at_device(x).store(1, relaxed); }, { at_device(y).store(1, relaxed); }, { out[0] = at_device(x).load(relaxed); out[1] = at_device(y).load(relaxed); }, { out[2] = at_device(y).load(relaxed); out[3] = at_device(x).load(relaxed); })
SILENT("IRIW, all relaxed: any outcome") { never(iriw_relaxed, [](const Outcome& r) { return r.out[0] > 1; }); }

LITMUS(iriw_acquire, { at_device(x).store(1, release); }, { at_device(y).store(1, release); }, { out[0] = at_device(x).load(acquire); out[1] = at_device(y).load(acquire); }, { out[2] = at_device(y).load(acquire); out[3] = at_device(x).load(acquire); })
SILENT("IRIW, release and acquire: any outcome, readers may disagree") { never(iriw_acquire, [](const Outcome& r) { return r.out[0] > 1; }); }

LITMUS(iriw_fences, { at_device(x).store(1, relaxed); }, { at_device(y).store(1, relaxed); }, { out[0] = at_device(x).load(relaxed); __threadfence(); out[1] = at_device(y).load(relaxed); }, { out[2] = at_device(y).load(relaxed); __threadfence(); out[3] = at_device(x).load(relaxed); })
SILENT("IRIW, sequential fences: readers agree") { never(iriw_fences, [](const Outcome& r) { return r.out[0] == 1 && r.out[1] == 0 && r.out[2] == 1 && r.out[3] == 0; }); }

LITMUS(iriw_seq_cst, { at_device(x).store(1); }, { at_device(y).store(1); }, { out[0] = at_device(x).load(); out[1] = at_device(y).load(); }, { out[2] = at_device(y).load(); out[3] = at_device(x).load(); })
SILENT("IRIW, the default order: readers agree") { never(iriw_seq_cst, [](const Outcome& r) { return r.out[0] == 1 && r.out[1] == 0 && r.out[2] == 1 && r.out[3] == 0; }); }

LITMUS(two_two_relaxed, { at_device(x).store(1, relaxed); at_device(y).store(2, relaxed); }, { at_device(y).store(1, relaxed); at_device(x).store(2, relaxed); })
SILENT("2+2W, all relaxed: any outcome") { never(two_two_relaxed, [](const Outcome& r) { return r.x == 0 || r.y == 0; }); }

LITMUS(two_two_fences, { at_device(x).store(1, relaxed); __threadfence(); at_device(y).store(2, relaxed); }, { at_device(y).store(1, relaxed); __threadfence(); at_device(x).store(2, relaxed); })
SILENT("2+2W, sequential fences: never 1 and 1") { never(two_two_fences, [](const Outcome& r) { return r.x == 1 && r.y == 1; }); }

LITMUS(r_fences, { at_device(x).store(1, relaxed); __threadfence(); at_device(y).store(1, relaxed); }, { at_device(y).store(2, relaxed); __threadfence(); out[0] = at_device(x).load(relaxed); })
SILENT("R, sequential fences: never 2 and 0") { never(r_fences, [](const Outcome& r) { return r.y == 2 && r.out[0] == 0; }); }

LITMUS(s_values, { at_device(x).store(2, relaxed); at_device(y).store(1, release); }, { out[0] = at_device(y).load(acquire); at_device(x).store(1, relaxed); })
SILENT("S, release and acquire: never 1 and 2") { never(s_values, [](const Outcome& r) { return r.out[0] == 1 && r.x == 2; }); }

LITMUS(wrc_values, { at_device(x).store(1, relaxed); }, { out[0] = at_device(x).load(acquire); at_device(y).store(1, release); }, { out[1] = at_device(y).load(acquire); out[2] = at_device(x).load(acquire); })
SILENT("WRC, all atomic: what one has seen and told of, another one sees") { never(wrc_values, [](const Outcome& r) { return r.out[0] == 1 && r.out[1] == 1 && r.out[2] == 0; }); }

LITMUS(coherence, { at_device(x).store(1, release); at_device(x).store(2, release); }, { out[0] = at_device(x).load(acquire); out[1] = at_device(x).load(acquire); }, { out[2] = at_device(x).load(relaxed); out[3] = at_device(x).load(acquire); })
SILENT("coherence: nobody sees the variable go back") { never(coherence, [](const Outcome& r) { return r.out[0] > r.out[1] || r.out[2] > r.out[3]; }); }

LITMUS(updates, { at_device(x).fetch_add(1, relaxed); }, { at_device(x).fetch_add(2, relaxed); }, { at_device(x).fetch_max(1, relaxed); }, { out[0] = at_device(x).load(acquire); })
SILENT("updates: none is lost") { never(updates, [](const Outcome& r) { return r.x < 3; }); }

// clang-format on

CHECKS_MAIN("silent_litmus")
