// Who, what, where, and what is missing.
#include "access_words.hpp"

#include <algorithm>

#include "finding.hpp"
#include "phrases.hpp"

namespace kit::cpu {
namespace {

std::string in_words(const Deed& deed) {
    if (deed.bytes)
        return deed.who + (deed.write ? " updates " : " reads ") + count_bytes(deed.bytes) +
               " atomically at " + describe(deed.place);
    if (deed.puts && deed.who.empty())
        return std::string("the put that was begun at ") + describe(deed.place) +
               (deed.write ? " may still write it" : " may still read it");
    if (deed.puts)
        return deed.who + (deed.write ? " puts a value there at " : " reads it for a put at ") +
               describe(Spot(deed.place, deed.caller));
    if (deed.copies && deed.who.empty())
        return std::string("the asynchronous copy that was begun at ") + describe(deed.place) +
               (deed.write ? " may still write it" : " may still read it");
    if (deed.copies)
        return deed.who + " begins an asynchronous copy that " + (deed.write ? "writes" : "reads") +
               " it at " + describe(deed.place);
    const char* const verb = deed.who == "cudaMallocAsync" ? " allocates it"
                             : deed.who == "cudaFreeAsync" ? " frees it"
                             : deed.discards               ? " discards it"
                             : deed.atomic                 ? " updates it atomically"
                             : deed.write                  ? " writes it"
                                                           : " reads it";
    return deed.who + verb + " at " + describe(Spot(deed.place, deed.caller));
}

/// "line 3 and line 7", "the two"
std::string both_lines(Place here, Place there) {
    if (here.line == there.line) return "the two";
    return "line " + std::to_string(std::min(here.line, there.line)) + " and line " +
           std::to_string(std::max(here.line, there.line));
}

std::string in_words(Missing missing, const std::string& between) {
    switch (missing) {
        case Missing::wider_scope:
            return "both are atomic, but the scope of one does not reach the other's block";
        case Missing::system_scope:
            return "both are atomic, but the kernels run on two devices, and an atomic of device scope does "
                   "not "
                   "reach the other one: thread_scope_system, or atomicAdd_system()";
        case Missing::one_size:
            return "both are atomic, but of different sizes, and such updates are not atomic to each other: "
                   "use one "
                   "size, or keep them apart by a barrier";
        case Missing::release:
            return "an atomic told the one thread of the other, but on the side of the writer nothing orders "
                   "what it did "
                   "before that atomic: memory_order_release is missing, or a __threadfence() before it";
        case Missing::wider_release:
            return "an atomic told the one thread of the other, but the release or the fence on the side of "
                   "the writer "
                   "has the scope of its block, and the reader is in another block: use thread_scope_device, "
                   "or "
                   "__threadfence()";
        case Missing::acquire:
            return "an atomic told the one thread of the other, but on the side of the reader nothing orders "
                   "what it does "
                   "behind that atomic: memory_order_acquire is missing, or a __threadfence() behind it";
        case Missing::wider_acquire:
            return "an atomic told the one thread of the other, but the acquire or the fence on the side of "
                   "the reader "
                   "has the scope of its block, and the writer is in another block: use thread_scope_device, "
                   "or "
                   "__threadfence()";
        case Missing::second_atomic:
            return "only one of the two is atomic, and nothing orders " + between;
        case Missing::fences_around_atomic:
            return "only one of the two is atomic, and nothing orders " + between +
                   ": a __threadfence() is missing, behind the one and in front of the other, around an "
                   "atomic";
        case Missing::barrier_beside_atomic:
            return "only one of the two is atomic, and no barrier stands between " + between;
        case Missing::cluster_barrier:
            return "no cluster.sync() between " + between;
        case Missing::copys_begin:
            return "nothing orders the two: what reads the memory before needs a barrier, or the release of "
                   "its stage, in front of the copy; what reads the copied bytes needs the wait that ends it";
        case Missing::copys_end:
            return "nothing makes the thread wait for that copy: it needs the wait that ends it";
        case Missing::puts_end:
            return "no signal has told of that put: send the signal with it (put_signal), or call "
                   "nvshmem_fence() "
                   "between the put and the signal";
        case Missing::puts_source:
            return "the source of a put that ends in _nbi belongs to it until nvshmem_quiet(); "
                   "nvshmem_fence() "
                   "only orders";
        case Missing::one_put:
            return "two puts into one place, which nothing orders: one thread puts, or each puts a part of "
                   "its "
                   "own; and a thread that puts there again calls nvshmem_fence() before";
        case Missing::signal:
            return "nothing orders the two PEs: who reads waits for a signal that comes with the put, and "
                   "who puts "
                   "waits until the other PE has said that it may; or nvshmem_barrier_all() stands between";
        case Missing::fence_behind_signal:
            return "the reader has waited for the signal, but that is a mere look: what it loads behind may "
                   "come from "
                   "the L1 cache, which keeps what was there before. Who has waited calls "
                   "__threadfence_system(), "
                   "before the block's barrier";
        case Missing::message:
            return "nothing orders two blocks of one kernel: who hands on a value needs a __threadfence() "
                   "behind the write and then an atomic, and who takes it reads it behind that atomic and a "
                   "__threadfence(); or use a second kernel";
        case Missing::own_elements:
            return "nothing orders two blocks of one kernel: let each have elements of its own, or use an "
                   "atomic "
                   "or a second kernel";
        case Missing::own_place:
            return "no barrier between the two, and each thread needs a place of its own or an atomic";
        case Missing::atomic_update:
            return "each thread changes what it has read, and another one does so in between: make the "
                   "update "
                   "atomic, or give each thread a place of its own";
        case Missing::barrier:
            return "no barrier between " + between;
        case Missing::stream_of_siblings:
            return "nothing orders the two: launch both into one stream, or the later one into "
                   "cudaStreamTailLaunch";
        case Missing::parents_patience:
            return "a parent never sees what its children write: leave that to the host or to a kernel "
                   "launched "
                   "into cudaStreamTailLaunch";
        case Missing::sight_of_child:
            return "a child sees what the launching thread wrote before the launch, and what a barrier "
                   "ordered "
                   "before it; no more";
        case Missing::waiting_host:
            return "nothing makes the host wait: synchronise before host code touches it";
        case Missing::edge:
            return "nothing orders the two nodes of the graph: an edge is missing (in a capture: an event of "
                   "one "
                   "stream that the other waits for)";
        case Missing::stream_of_kernels:
            return "nothing orders the two kernels: use one stream, or let one stream wait for an event of "
                   "the "
                   "other";
        case Missing::stream:
            return "nothing orders the two: use one stream, or let one stream wait for an event of the other";
    }
    return "";
}

/// "what __shfl_down_sync() at line 7 of sum.cu took from lane 16, which is not in its mask 0x000000ff: undefined"
std::string in_words(const UndefinedLane& lane) {
    return std::string("what ") + lane.what + " at " + describe(lane.place) + " took from lane " +
           std::to_string(lane.lane) + ", which is not in its mask " + hexadecimal(lane.mask) +
           ": that value is undefined";
}

Finding unwritten(const std::string& use, Place here, const WhyUnwritten& why) {
    if (const UndefinedLane* const lane = why.lane)
        return {"warp", "warp: " + use + "made of " + in_words(*lane), lane->place};
    if (why.discarded.line)
        return {"discarded",
                "discarded: " + use + "which was discarded at " + describe(why.discarded) +
                    ": it has no value until somebody writes it",
                here};
    return {"uninitialised", "uninitialised read: " + use + "which nobody has written", here};
}

}  // namespace

Finding in_words(const Race& race) {
    return {"race",
            "race on " + race.memory + (race.kernel.empty() ? "" : " in `" + race.kernel + "`") + ": " +
                in_words(race.now) + ", and " + in_words(race.earlier) + "; " +
                in_words(race.missing, both_lines(race.now.place, race.earlier.place)) +
                (race.between.empty() ? "" : " (" + race.between + ")"),
            race.now.place, race.missing == Missing::own_place};
}

Finding unwritten_in_words(const std::string& reader, const std::string& memory, Place here, Place caller,
                           const WhyUnwritten& why) {
    return unwritten(reader + " reads " + memory + " at " + describe(Spot(here, caller)) + ", ", here, why);
}

Finding unwritten_copy_in_words(const std::string& copied_from, Place here, const WhyUnwritten& why) {
    return unwritten("host code at " + describe(here) + " uses a copy of " + copied_from + ", ", here, why);
}

Finding undefined_store_in_words(const std::string& thread, Place here, const UndefinedLane& lane) {
    return {"warp", "warp: " + thread + " stores at " + describe(here) + " " + in_words(lane), lane.place};
}

Finding outlived_in_words(const Deed& visit, const std::string& memory, const std::string& block) {
    return {"address",
            visit.who + (visit.write ? " writes " : " reads ") + memory + " at " +
                describe(Spot(visit.place, visit.caller)) + ", shared memory of " + block +
                " of its cluster, which may have ended by then: no block may leave before the others are "
                "done with "
                "its memory, so cluster.sync() comes first",
            visit.place};
}

Finding seen_times(Finding finding, std::uint64_t times) {
    if (times > 1) finding.message += " (seen " + std::to_string(times) + " times)";
    return finding;
}

}  // namespace kit::cpu
