// Sentences about copies and fills, and about memory that is freed incorrectly or not at all.
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
        case Rule::touched_by_host:
            return finding.value("function")
                       ? "{function} reads host memory through a pointer at {at}, but the pointer is to device memory: {memory}~Pass pointers to host memory. For the arguments of a kernel, pass the address of each argument"
                       : "host code used device memory at {at}: {memory}~Only kernels can use a device pointer, so copy with cudaMemcpy first";
        case Rule::through_null:
            return writes
                       ? "{who} writes {bytes:bytes} through a null pointer at {at}~Set the pointer before this call"
                       : "{who} reads {bytes:bytes} through a null pointer at {at}~Set the pointer before this call";
        case Rule::nothing_allocated:
            if (finding.memory.freed)
                return writes
                           ? "{who} writes {bytes:bytes} {memory} at {at}~Free memory only after its last use"
                           : "{who} reads {bytes:bytes} {memory} at {at}~Free memory only after its last use";
            if (is_near)
                return writes
                           ? "{who} writes {bytes:bytes} where nothing is allocated: {memory} at {at}~Check the pointer, and free memory only after its last use"
                           : "{who} reads {bytes:bytes} where nothing is allocated: {memory} at {at}~Check the pointer, and free memory only after its last use";
            return writes ? "{who} writes {bytes:bytes} where nothing is allocated at {at}~Check the pointer"
                          : "{who} reads {bytes:bytes} where nothing is allocated at {at}~Check the pointer";
        case Rule::kernels_own_memory:
            return writes
                       ? "{who} writes {bytes:bytes} of {memory}, which a kernel has allocated and functions of the runtime cannot use, at {at}~Let a kernel copy it"
                       : "{who} reads {bytes:bytes} of {memory}, which a kernel has allocated and functions of the runtime cannot use, at {at}~Let a kernel copy it";
        case Rule::after_free_async:
            return writes
                       ? "{who} writes {bytes:bytes} of {memory}, after cudaFreeAsync freed them at {at}~Free them after this call"
                       : "{who} reads {bytes:bytes} of {memory}, after cudaFreeAsync freed them at {at}~Free them after this call";
        case Rule::past_the_end:
            if (number_in(finding, "offset") > 0)
                return writes
                           ? "{who} writes {bytes:bytes}, {past:bytes} past the end of {memory}, starting at byte {offset}, at {at}~Check the addresses, and the number of bytes"
                           : "{who} reads {bytes:bytes}, {past:bytes} past the end of {memory}, starting at byte {offset}, at {at}~Check the addresses, and the number of bytes";
            return writes
                       ? "{who} writes {bytes:bytes}, {past:bytes} past the end of {memory} at {at}~Check the number of bytes"
                       : "{who} reads {bytes:bytes}, {past:bytes} past the end of {memory} at {at}~Check the number of bytes";
        case Rule::not_there_now:
            return writes
                       ? "{who} writes {memory} at {at}~Order this call after the allocation and before the free"
                       : "{who} reads {memory} at {at}~Order this call after the allocation and before the free";
        case Rule::freed_meanwhile:
            if (finding.value("freed"))
                return writes
                           ? "{who} at {at} writes {bytes:bytes} of {memory}, which were freed before the copy had ended, at {freed}~Wait for the copy before you free the memory"
                           : "{who} at {at} reads {bytes:bytes} of {memory}, which were freed before the copy had ended, at {freed}~Wait for the copy before you free the memory";
            return writes
                       ? "{who} at {at} writes {bytes:bytes} of {memory}, which were freed before the copy had ended~Wait for the copy before you free the memory"
                       : "{who} at {at} reads {bytes:bytes} of {memory}, which were freed before the copy had ended~Wait for the copy before you free the memory";
        case Rule::wrong_direction:
            return number_in(finding, "is_device") != 0
                       ? "{function} with {direction}: the {side} is device memory, at {at}~Change the direction or the order of the pointers: the destination is the first argument"
                       : "{function} with {direction}: the {side} is ordinary host memory, at {at}~Change the direction or the order of the pointers: the destination is the first argument";
        case Rule::operand_of_host:
            return writes
                       ? "{who} writes {bytes:bytes} of host memory at {at}: its matrices, vectors and outputs must be device memory~Allocate them with cudaMalloc"
                       : "{who} reads {bytes:bytes} of host memory at {at}: its matrices and vectors must be device memory~Allocate them with cudaMalloc, and copy with cudaMemcpy or cublasSetMatrix";
        case Rule::fills_host_memory:
            return "{function}: the destination is ordinary host memory, at {at}~Pass a device pointer";
        case Rule::beyond_variable:
            return "{function} of {bytes:bytes} at offset {offset}: the variable has only {variable:bytes}, at {at}~Check the number of bytes before the copy";
        case Rule::memory_of_another:
            return "{function} names device {said} for {memory}, but they are on device {owner} ({at})~Pass the device that owns the memory";
        case Rule::fill_of_another:
            return "{function} at {at} fills memory of device {owner} in a stream of device {device}~First call cudaDeviceEnablePeerAccess({owner}, 0) while device {device} is current, or use a stream of device {owner}";
        case Rule::event_of_another:
            return "{function} of an event of device {owner} in a stream of device {device} at {at}~Record an event on the device where it was created; streams of any device may wait for it";
        default:
            return nullptr;
    }
}

const char* words_of_free(const Finding& finding) {
    // In kernels, free and delete are the same function.
    const bool is_delete = text_in(finding, "function") == "free";
    switch (finding.rule) {
        case Rule::freed_before:
            return "{function} at {at}: freed twice, {memory} were freed before~Free memory once";
        case Rule::never_allocated:
            return "{function} at {at}: CUDA has not allocated this memory~Pass a pointer that a CUDA function has allocated";
        case Rule::freed_inside:
            return "{function} at {at}: this is {memory}~Pass the address of its first byte";
        case Rule::freed_by_another_function:
            return "{function} at {at}: this is {memory}~Use the function that frees such memory";
        case Rule::graph_has_node:
            return "{function} at {at}: this is memory of a graph, and a node of the graph frees it~Remove this call";
        case Rule::graph_has_not_run:
            return "{function} at {at}: this is memory of a graph, but no launch has allocated it~Launch the graph before you free its memory";
        case Rule::node_frees_again:
            return "{function} at {at}: another node already frees this memory~Remove one of the two nodes";
        case Rule::node_frees_unallocated:
            return "{function} at {at}: no node has allocated this memory~Pass the pointer of an allocation node";
        case Rule::kernel_frees_hosts:
            return is_delete
                       ? "{who} calls free() or delete at {at}: this is {memory}, which only the host can free~Let a kernel free only memory that a kernel has allocated"
                       : "{who} calls {function} at {at}: this is {memory}, which only the host can free~Let a kernel free only memory that a kernel has allocated";
        case Rule::kernel_frees_inside:
            return is_delete
                       ? "{who} calls free() or delete at {at}: this is {memory}~Pass the address of its first byte"
                       : "{who} calls {function} at {at}: this is {memory}~Pass the address of its first byte";
        case Rule::kernel_frees_unallocated:
            return is_delete
                       ? "{who} calls free() or delete at {at}: no kernel has allocated this memory~Let a kernel free only memory that a kernel has allocated"
                       : "{who} calls {function} at {at}: no kernel has allocated this memory~Let a kernel free only memory that a kernel has allocated";
        case Rule::kernel_frees_again:
            return is_delete
                       ? "{who} calls free() or delete at {at}: freed twice, {memory} were freed before~Free memory once"
                       : "{who} calls {function} at {at}: freed twice, {memory} were freed before~Free memory once";
        case Rule::freed_twice_in_stream:
            return "cudaFreeAsync was called twice for {memory} at {at}~Free memory once";
        case Rule::freed_by_graph_too_early:
            return "a graph frees memory that is not allocated at that time at {at}: {memory}~Check the order of its launches and frees";
        case Rule::device_memory_freed_as_hosts:
            return is_known(finding.memory)
                       ? "host code calls free() or delete at {at} for device memory, {memory}~Call cudaFree for memory of cudaMalloc, and let a kernel free memory that a kernel has allocated"
                       : "host code calls free() or delete at {at} for device memory~Call cudaFree for memory of cudaMalloc, and let a kernel free memory that a kernel has allocated";
        case Rule::leak:
            return "leak: {memory} are never freed~Free them after their last use";
        case Rule::more_leaks:
            return "leak: {more} more allocations are never freed~Free them after their last use";
        case Rule::left_allocated:
            return "leak: {bytes:bytes} are allocated at {at} and never freed~Free them after their last use";
        case Rule::left_stream:
            return "leak: a stream is created at {at} and never destroyed~Call cudaStreamDestroy";
        case Rule::left_event:
            return "leak: an event is created at {at} and never destroyed~Call cudaEventDestroy";
        case Rule::left_graph:
            return "leak: a graph is created at {at} and never destroyed~Call cudaGraphDestroy";
        case Rule::left_instance:
            return "leak: an instance of a graph is created at {at} and never destroyed~Call cudaGraphExecDestroy";
        default:
            return nullptr;
    }
}

}  // namespace kit::words
