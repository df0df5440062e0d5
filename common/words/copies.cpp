// Sentences about copies and fills, and about memory that is freed incorrectly or never.
#include <words/finding.hpp>
#include <words/names.hpp>

namespace kit::words {

using facts::Finding;
using facts::Memory;
using facts::Rule;

const char* words_of_copy(const Finding& finding) {
    const bool writes = !finding.accesses.empty() && finding.accesses[0].write,
               is_near = is_known(finding.memory);
    switch (finding.rule) {
        case Rule::through_null:
            return writes ? "{who} writes {bytes:bytes} through a null pointer at {at}"
                          : "{who} reads {bytes:bytes} through a null pointer at {at}";
        case Rule::nothing_allocated:
            if (is_near)
                return writes ? "{who} writes {bytes:bytes} where nothing is allocated: {memory} at {at}"
                              : "{who} reads {bytes:bytes} where nothing is allocated: {memory} at {at}";
            return writes ? "{who} writes {bytes:bytes} where nothing is allocated at {at}"
                          : "{who} reads {bytes:bytes} where nothing is allocated at {at}";
        case Rule::kernels_own_memory:
            return writes
                       ? "{who} writes {bytes:bytes} of {memory}: the runtime's functions may not use memory that a kernel has allocated; let a kernel copy it at {at}"
                       : "{who} reads {bytes:bytes} of {memory}: the runtime's functions may not use memory that a kernel has allocated; let a kernel copy it at {at}";
        case Rule::after_free_async:
            return writes ? "{who} writes {bytes:bytes} of {memory}, after cudaFreeAsync freed them at {at}"
                          : "{who} reads {bytes:bytes} of {memory}, after cudaFreeAsync freed them at {at}";
        case Rule::past_the_end:
            if (number_in(finding, "offset") > 0)
                return writes
                           ? "{who} writes {bytes:bytes}, {past:bytes} past the end of {memory}, from byte {offset} on at {at}"
                           : "{who} reads {bytes:bytes}, {past:bytes} past the end of {memory}, from byte {offset} on at {at}";
            return writes ? "{who} writes {bytes:bytes}, {past:bytes} past the end of {memory} at {at}"
                          : "{who} reads {bytes:bytes}, {past:bytes} past the end of {memory} at {at}";
        case Rule::not_there_now:
            return writes ? "{who} writes {memory} at {at}" : "{who} reads {memory} at {at}";
        case Rule::freed_meanwhile:
            if (finding.value("freed"))
                return writes
                           ? "{who} at {at} writes {bytes:bytes} of {memory}, which were freed before the copy had ended, at {freed}"
                           : "{who} at {at} reads {bytes:bytes} of {memory}, which were freed before the copy had ended, at {freed}";
            return writes
                       ? "{who} at {at} writes {bytes:bytes} of {memory}, which were freed before the copy had ended"
                       : "{who} at {at} reads {bytes:bytes} of {memory}, which were freed before the copy had ended";
        case Rule::wrong_direction:
            return number_in(finding, "is_device") != 0
                       ? "{function} with {direction}: the {side} is device memory (the destination comes first) at {at}"
                       : "{function} with {direction}: the {side} is ordinary host memory (the destination comes first) at {at}";
        case Rule::operand_of_host:
            return writes
                       ? "{who} writes {bytes:bytes} of host memory at {at}: its matrices, vectors and outputs must be device memory; allocate with cudaMalloc"
                       : "{who} reads {bytes:bytes} of host memory at {at}: its matrices and vectors must be device memory; allocate with cudaMalloc, and copy with cudaMemcpy or cublasSetMatrix";
        case Rule::fills_host_memory:
            return "{function}: the destination is ordinary host memory at {at}";
        case Rule::beyond_variable:
            return "{function} of {bytes:bytes} at offset {offset}: the variable has only {variable:bytes} at {at}";
        case Rule::memory_of_another:
            return "{function} names device {said} for {memory}, but they are on device {owner} ({at})";
        case Rule::fill_of_another:
            return "{function} at {at} fills memory of device {owner} in a stream of device {device}: first call cudaDeviceEnablePeerAccess({owner}, 0) while device {device} is current, or use a stream of device {owner}";
        case Rule::event_of_another:
            return "{function} of an event of device {owner} in a stream of device {device} at {at}: record an event on the device where it was created; streams of any device may wait for it";
        default:
            return nullptr;
    }
}

const char* words_of_free(const Finding& finding) {
    // Kernels call the same function for free and delete.
    const bool is_delete = text_in(finding, "function") == "free";
    switch (finding.rule) {
        case Rule::freed_before:
            return "{function} at {at}: freed twice, {memory} were freed before";
        case Rule::never_allocated:
            return "{function} at {at}: CUDA has not allocated this memory";
        case Rule::freed_inside:
            return "{function} at {at}: this is {memory}; pass the address of its first byte";
        case Rule::freed_by_another_function:
            return "{function} at {at}: this is {memory}; use the function that frees such memory";
        case Rule::graph_has_node:
            return "{function} at {at}: this is memory of a graph, and a node of the graph frees it";
        case Rule::graph_has_not_run:
            return "{function} at {at}: this is memory of a graph, but no launch has allocated it";
        case Rule::node_frees_again:
            return "{function} at {at}: another node already frees this memory";
        case Rule::node_frees_unallocated:
            return "{function} at {at}: no node has allocated this memory";
        case Rule::kernel_frees_hosts:
            return is_delete
                       ? "{who} calls free() or delete at {at}: this is {memory}, which only the host can free; a kernel can free only what a kernel has allocated"
                       : "{who} calls {function} at {at}: this is {memory}, which only the host can free; a kernel can free only what a kernel has allocated";
        case Rule::kernel_frees_inside:
            return is_delete
                       ? "{who} calls free() or delete at {at}: this is {memory}; pass the address of its first byte"
                       : "{who} calls {function} at {at}: this is {memory}; pass the address of its first byte";
        case Rule::kernel_frees_unallocated:
            return is_delete ? "{who} calls free() or delete at {at}: no kernel has allocated this memory"
                             : "{who} calls {function} at {at}: no kernel has allocated this memory";
        case Rule::kernel_frees_again:
            return is_delete ? "{who} calls free() or delete at {at}: freed twice, {memory} were freed before"
                             : "{who} calls {function} at {at}: freed twice, {memory} were freed before";
        case Rule::freed_twice_in_stream:
            return "cudaFreeAsync was called twice for {memory} at {at}";
        case Rule::freed_by_graph_too_early:
            return "a graph frees memory that is not allocated at that time at {at}: {memory}";
        case Rule::device_memory_freed_as_hosts:
            return is_known(finding.memory)
                       ? "host code calls free() or delete at {at} for device memory, {memory}: call cudaFree for memory of cudaMalloc; what a kernel has allocated, a kernel must free"
                       : "host code calls free() or delete at {at} for device memory: call cudaFree for memory of cudaMalloc; what a kernel has allocated, a kernel must free";
        case Rule::leak:
            return "leak: {memory} are never freed";
        case Rule::more_leaks:
            return "leak: {more} more allocations";
        case Rule::left_allocated:
            return "leak: {bytes:bytes} are allocated at {at} and never freed";
        case Rule::left_stream:
            return "leak: a stream is created at {at} and never destroyed: call cudaStreamDestroy";
        case Rule::left_event:
            return "leak: an event is created at {at} and never destroyed: call cudaEventDestroy";
        case Rule::left_graph:
            return "leak: a graph is created at {at} and never destroyed: cudaGraphDestroy is missing";
        case Rule::left_instance:
            return "leak: an instance of a graph is created at {at} and never destroyed: cudaGraphExecDestroy is missing";
        default:
            return nullptr;
    }
}

}  // namespace kit::words
