// Sentences about races: two accesses without an order.
#include <algorithm>
#include <words/finding.hpp>
#include <words/names.hpp>

namespace kit::words {

using facts::Access;
using facts::Finding;
using facts::Fix;
using facts::Rule;

namespace {

/// The indexes of the two accesses of a race.
constexpr std::size_t running = 0, before = 1;

/// Returns the part of the sentence that says what the access does.
const char* action_of(const Access& access) {
    const bool writes = access.write, nobody = access.who.kind == facts::Who::Kind::nobody;
    if (access.bytes) {
        return writes ? "{who} updates {bytes} atomically at {at}" : "{who} reads {bytes} atomically at {at}";
    }
    if (access.puts && nobody) {
        return writes ? "a put starts that may still be writing it, at {at}"
                      : "a put starts that may still be reading it, at {at}";
    }
    if (access.puts) return writes ? "{who} puts a value there at {at}" : "{who} reads it for a put at {at}";
    if (access.copies && nobody) {
        return writes ? "an asynchronous copy starts that may still be writing it, at {at}"
                      : "an asynchronous copy starts that may still be reading it, at {at}";
    }
    if (access.copies) {
        return writes ? "{who} starts an asynchronous copy that writes it at {at}"
                      : "{who} starts an asynchronous copy that reads it at {at}";
    }
    if (access.who.name == "cudaMallocAsync") return "{who} allocates it at {at}";
    if (access.who.name == "cudaFreeAsync") return "{who} frees it at {at}";
    if (access.discards) return "{who} discards it at {at}";
    if (access.atomic) return "{who} updates it atomically at {at}";
    return writes ? "{who} writes it at {at}" : "{who} reads it at {at}";
}

void add_deed(Sentence& sentence, const Access& access) {
    sentence.add(action_of(access), [&](Sentence& to, const std::string& name) {
        if (name == "who") to.add(text_of(access.who));
        if (name == "at") to.add(access.at);
        if (name == "bytes") to.add(count_of(access.bytes, "bytes"));
    });
}

constexpr const char* two_copies =
    "nothing orders the two copies:~copy each byte once, and start the next copy into a stage only when that stage is free";

/// Returns the sentence about the order that is missing between the accesses. {lines} stands for "line 3 and
/// line 7", or "the two".
const char* words_of(const Finding& finding) {
    switch (finding.fix) {
        case Fix::none:
            break;
        case Fix::wider_scope:
            return "both accesses are atomic, but the scope of one does not include the block of the other:~use thread_scope_device";
        case Fix::system_scope:
            return "both accesses are atomic, but the kernels run on two devices, and device scope includes only one device:~use thread_scope_system, or a function such as atomicAdd_system()";
        case Fix::system_scope_of_host:
            return "both accesses are atomic, but device scope does not include host code:~use thread_scope_system, or a function such as atomicAdd_system()";
        case Fix::fence_for_host:
            return "the host has seen a flag of the kernel, but nothing orders the kernel's access before the flag for the host:~call __threadfence_system() before the kernel sets the flag, or set it with memory_order_release and thread_scope_system";
        case Fix::one_size:
            return "both accesses are atomic, but they have different sizes, so they are not atomic to each other:~use one size, or put a barrier between them";
        case Fix::release:
            return "the reader has seen an atomic of the writer, but nothing orders the writer's access before that atomic:~give the atomic memory_order_release, or call __threadfence() before it";
        case Fix::wider_release:
            return "the reader has seen an atomic of the writer, but the writer's release or fence has block scope, and the reader is in another block:~use thread_scope_device, or __threadfence()";
        case Fix::acquire:
            return "the reader has seen an atomic of the writer, but nothing orders the reader's access after its own atomic:~give that atomic memory_order_acquire, or call __threadfence() after it";
        case Fix::wider_acquire:
            return "the reader has seen an atomic of the writer, but the reader's acquire or fence has block scope, and the writer is in another block:~use thread_scope_device, or __threadfence()";
        case Fix::second_atomic:
            return "only one of the two accesses is atomic, and nothing orders {lines}:~make both atomic, or order them";
        case Fix::fences_around_atomic:
            return "only one of the two accesses is atomic, and nothing orders {lines}:~the writer must call __threadfence() before an atomic, and the reader must call it after an atomic on the same variable";
        case Fix::barrier_beside_atomic:
            return "only one of the two accesses is atomic, and there is no barrier between {lines}:~add a barrier, or make both accesses atomic";
        case Fix::grid_barrier:
            return "nothing orders two blocks of this cooperative launch:~call grid.sync() between {lines}, or let one block release an atomic that the other block acquires";
        case Fix::cluster_barrier:
            return "there is no cluster.sync() between {lines}:~call it there, or let the threads use different elements";
        case Fix::copys_begin:
            if (finding.accesses[before].copies) return two_copies;
            return finding.accesses[before].write
                       ? "nothing orders the write and the copy:~put a barrier between them"
                       : "nothing orders the read and the copy:~to read the copied bytes, first wait for the copy; to read the old bytes, start the copy after a barrier, or after the release of the stage";
        case Fix::copys_end:
            return finding.accesses[running].copies
                       ? two_copies
                       : "this thread has not waited for that copy:~wait for it first. A wait includes only copies that were started before the arrival or the commit that ends it";
        case Fix::puts_end:
            return "no signal has reported that put:~send the signal together with the data (put_signal), or call nvshmem_fence() between the put and the signal";
        case Fix::puts_source:
            return "a put whose name ends in _nbi may read its source until nvshmem_quiet() returns:~call nvshmem_quiet() before the source changes, because nvshmem_fence() only orders puts";
        case Fix::one_put:
            return finding.accesses[running].at == finding.accesses[before].at
                       ? "two puts write the same place, and nothing orders them:~let one thread put there, and let it put there again only after the reader has signaled that the place is free"
                       : "two puts write the same place, and nothing orders them:~let only one thread put there; a thread that puts there again must call nvshmem_fence() first";
        case Fix::signal:
            return "nothing orders the two PEs:~a thread that reads must wait for the signal that comes with the put, and a thread that puts must wait until the place is given back, after all threads of the block have read it; nvshmem_barrier_all() orders both";
        case Fix::fence_behind_signal:
            return "the reader has waited for the signal, but the wait orders nothing:~a later load may come from the L1 cache, which may have the old value. Call __threadfence_system() after the wait, and before the block's barrier";
        case Fix::message:
            return "nothing orders two blocks of one kernel:~use a second kernel, or a flag; then the writer must write the value, call __threadfence() and set the flag with an atomic, and the reader must read the flag with an atomic, call __threadfence() and read the value";
        case Fix::own_elements:
            return "nothing orders two blocks of one kernel:~give each block its own elements, use an atomic, or use a second kernel";
        case Fix::own_place:
            return "there is no barrier between the two accesses:~give each thread its own place, or use an atomic";
        case Fix::atomic_update:
            return "each thread reads the value, changes it and writes it back, and another thread does the same in between:~make the update atomic, or give each thread its own place";
        case Fix::barrier:
            return "there is no barrier between {lines}:~add one, or let the threads use different elements";
        case Fix::stream_of_siblings:
            return "nothing orders the two kernels:~launch both into the same stream, or the later one into cudaStreamTailLaunch";
        case Fix::parents_patience:
            return "a parent cannot see writes of its children:~read them on the host, or in a kernel that you launch into cudaStreamTailLaunch";
        case Fix::sight_of_child:
            return "a child sees only the values that the launching thread wrote before the launch, and those that a barrier ordered before the launch:~write earlier, or launch after __syncthreads()";
        case Fix::waiting_host:
            return "nothing makes the host wait:~synchronize before host code uses this memory";
        case Fix::edge:
            return "nothing orders the two nodes of the graph:~add an edge (in a capture: let one stream wait for an event of the other)";
        case Fix::stream_of_kernels:
            return "nothing orders the two kernels:~use one stream, or let one stream wait for an event of the other";
        case Fix::stream:
            return "nothing orders the two operations:~use one stream, or let one stream wait for an event of the other; if they should not use the same memory, correct one of the addresses";
    }
    return "nothing orders the two accesses:~order them, or use different elements";
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
