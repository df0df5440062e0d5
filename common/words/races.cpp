// Sentences about two accesses that nothing orders.
#include <algorithm>
#include <words/finding.hpp>
#include <words/names.hpp>

namespace kit::words {

using facts::Access;
using facts::Finding;
using facts::Fix;
using facts::Rule;

namespace {

/// Which of the two accesses it is.
constexpr std::size_t running = 0, before = 1;

/// What one of the two does.
const char* deed_of(const Access& access) {
    const bool writes = access.write, nobody = access.who.kind == facts::Who::Kind::nobody;
    if (access.bytes) {
        return writes ? "{who} updates {bytes} atomically at {at}" : "{who} reads {bytes} atomically at {at}";
    }
    if (access.puts && nobody) {
        return writes ? "a put that may still write it begins at {at}"
                      : "a put that may still read it begins at {at}";
    }
    if (access.puts) return writes ? "{who} puts a value there at {at}" : "{who} reads it for a put at {at}";
    if (access.copies && nobody) {
        return writes ? "an asynchronous copy that may still write it begins at {at}"
                      : "an asynchronous copy that may still read it begins at {at}";
    }
    if (access.copies) {
        return writes ? "{who} begins an asynchronous copy that writes it at {at}"
                      : "{who} begins an asynchronous copy that reads it at {at}";
    }
    if (access.who.name == "cudaMallocAsync") return "{who} allocates it at {at}";
    if (access.who.name == "cudaFreeAsync") return "{who} frees it at {at}";
    if (access.discards) return "{who} discards it at {at}";
    if (access.atomic) return "{who} updates it atomically at {at}";
    return writes ? "{who} writes it at {at}" : "{who} reads it at {at}";
}

void add_deed(Sentence& sentence, const Access& access) {
    sentence.add(deed_of(access), [&](Sentence& to, const std::string& name) {
        if (name == "who") to.add(text_of(access.who));
        if (name == "at") to.add(access.at);
        if (name == "bytes") to.add(count_of(access.bytes, "bytes"));
    });
}

constexpr const char* two_copies =
    "nothing orders the two copies: each byte must be copied once, and a stage must be free before the next copy into it begins";

/// What would have ordered the two. {lines} are "line 3 and line 7", or "the two".
const char* words_of(const Finding& finding) {
    switch (finding.fix) {
        case Fix::none:
            break;
        case Fix::wider_scope:
            return "both are atomic, but the scope of one does not reach the other's block";
        case Fix::system_scope:
            return "both are atomic, but the kernels run on two devices, and an atomic of device scope does not reach the other one: thread_scope_system, or atomicAdd_system()";
        case Fix::one_size:
            return "both are atomic, but of different sizes, and such updates are not atomic to each other: use one size, or keep them apart by a barrier";
        case Fix::release:
            return "an atomic told the one thread of the other, but on the side of the writer nothing orders what it did before that atomic: memory_order_release is missing, or a __threadfence() before it";
        case Fix::wider_release:
            return "an atomic told the one thread of the other, but the release or the fence on the side of the writer has the scope of its block, and the reader is in another block: use thread_scope_device, or __threadfence()";
        case Fix::acquire:
            return "an atomic told the one thread of the other, but on the side of the reader nothing orders what it does behind that atomic: memory_order_acquire is missing, or a __threadfence() behind it";
        case Fix::wider_acquire:
            return "an atomic told the one thread of the other, but the acquire or the fence on the side of the reader has the scope of its block, and the writer is in another block: use thread_scope_device, or __threadfence()";
        case Fix::second_atomic:
            return "only one of the two is atomic, and nothing orders {lines}";
        case Fix::fences_around_atomic:
            return "only one of the two is atomic, and nothing orders {lines}: a __threadfence() is missing, behind the one and in front of the other, around an atomic";
        case Fix::barrier_beside_atomic:
            return "only one of the two is atomic, and no barrier stands between {lines}";
        case Fix::grid_barrier:
            return "nothing orders two blocks of this cooperative launch: it needs a grid.sync() between {lines}, or an atomic that one block releases and the other acquires";
        case Fix::cluster_barrier:
            return "no cluster.sync() between {lines}";
        case Fix::copys_begin:
            if (finding.accesses[before].copies) return two_copies;
            return finding.accesses[before].write
                       ? "nothing orders the two: put a barrier between the write and the copy"
                       : "nothing orders the two: threads that read the old bytes need a barrier, or the release of the stage, before the copy begins; threads that read the copied bytes need a wait for the copy";
        case Fix::copys_end:
            return finding.accesses[running].copies
                       ? two_copies
                       : "no wait of this thread ends that copy: a wait ends the copies that begin before the arrival, or the commit, that it waits for";
        case Fix::puts_end:
            return "no signal has told of that put: send the signal with it (put_signal), or call nvshmem_fence() between the put and the signal";
        case Fix::puts_source:
            return "the source of a put that ends in _nbi belongs to it until nvshmem_quiet(); nvshmem_fence() only orders";
        case Fix::one_put:
            return finding.accesses[running].at == finding.accesses[before].at
                       ? "two puts into one place, which nothing orders: let only one thread put there, or let a thread put there again only after the reader has given the place back"
                       : "two puts into one place, which nothing orders: let only one thread put there; a thread that puts there again calls nvshmem_fence() before";
        case Fix::signal:
            return "nothing orders the two PEs: a thread that reads must wait for the signal that comes with the put, and a thread that puts must wait until the place is given back, after all threads of the block have read it; nvshmem_barrier_all() orders both";
        case Fix::fence_behind_signal:
            return "the reader has waited for the signal, but that is a mere look: what it loads behind may come from the L1 cache, which keeps what was there before. Who has waited calls __threadfence_system(), before the block's barrier";
        case Fix::message:
            return "nothing orders two blocks of one kernel: who hands on a value needs a __threadfence() behind the write and then an atomic, and who takes it reads it behind that atomic and a __threadfence(); or use a second kernel";
        case Fix::own_elements:
            return "nothing orders two blocks of one kernel: let each have elements of its own, or use an atomic or a second kernel";
        case Fix::own_place:
            return "no barrier between the two, and each thread needs a place of its own or an atomic";
        case Fix::atomic_update:
            return "each thread changes what it has read, and another one does so in between: make the update atomic, or give each thread a place of its own";
        case Fix::barrier:
            return "no barrier between {lines}";
        case Fix::stream_of_siblings:
            return "nothing orders the two: launch both into one stream, or the later one into cudaStreamTailLaunch";
        case Fix::parents_patience:
            return "a parent never sees what its children write: leave that to the host or to a kernel launched into cudaStreamTailLaunch";
        case Fix::sight_of_child:
            return "a child sees what the launching thread wrote before the launch, and what a barrier ordered before it; no more";
        case Fix::waiting_host:
            return "nothing makes the host wait: synchronise before host code touches it";
        case Fix::edge:
            return "nothing orders the two nodes of the graph: an edge is missing (in a capture: an event of one stream that the other waits for)";
        case Fix::stream_of_kernels:
            return "nothing orders the two kernels: use one stream, or let one stream wait for an event of the other";
        case Fix::stream:
            return "nothing orders the two: use one stream, or let one stream wait for an event of the other; if they should not use the same memory, one address is wrong";
    }
    return "nothing orders the two";
}

std::string both_lines(const Finding& finding) {
    const int here = finding.accesses[0].at.line, there = finding.accesses[1].at.line;
    if (here == there) return "the two";
    return "line " + std::to_string(std::min(here, there)) + " and line " +
           std::to_string(std::max(here, there));
}

}  // namespace

bool add_race(Sentence& sentence, const Finding& finding) {
    if (finding.rule != Rule::race || finding.accesses.size() != 2) return false;
    const auto meaning = [&](Sentence& to, const std::string& name) {
        if (name == "now") add_deed(to, finding.accesses[0]);
        if (name == "earlier") add_deed(to, finding.accesses[1]);
        if (name == "lines") to.add(both_lines(finding));
        if (name == "memory" || name == "kernel") meaning_of(finding)(to, name);
    };
    sentence.add(finding.kernel.empty() ? "race on {memory}| {now}, and {earlier}; "
                                        : "race on {memory} in `{kernel}`| {now}, and {earlier}; ",
                 meaning);
    sentence.add(words_of(finding), meaning);
    if (finding.queued.size() == 2)
        sentence.add(" (" + text_of(finding.queued[0]) + "; " + text_of(finding.queued[1]) + ")");
    return true;
}

}  // namespace kit::words
