// Sentences about mistakes in kernels, other than accesses and waits.
#include <words/finding.hpp>
#include <words/names.hpp>

namespace kit::words {

using facts::Rule;

const char* words_of_kernel(Rule rule) {
    switch (rule) {
        case Rule::held_by_no_block:
            return "{who} asks at {at} which block of its cluster has an address in its shared memory, but no block has it~Pass an address in shared memory of a block of this cluster";
        case Rule::no_such_block:
            return "{who} calls map_shared_rank() at {at} for block {rank} of its cluster, which has only {blocks:blocks}~Pass the rank of a block of the cluster";
        case Rule::stream_of_another_grid:
            return "{who} uses a stream that `{kernel}` created at {at}, but only the grid that creates a device stream can use it~Create a stream in this grid";
        case Rule::private_argument:
            return "{who} launches `{kernel}` at {at}, and argument {number} points to {memory}: shared memory belongs to one block, and local memory to one thread~Pass a pointer to global memory";
        case Rule::private_copy:
            return "{who} calls {function} at {at} for {memory}: another kernel performs the copy, and it can use only global memory~Copy with assignments in this kernel";
        case Rule::no_children_in_body:
            return "{who} launches a kernel at {at}, but its own kernel is in the body of a conditional node, where kernels cannot launch kernels~Add the work to the body as a node";
        case Rule::no_children_in_device_graph:
            return "{who} launches a kernel at {at}, but its own kernel is in a graph that is instantiated for the device, where kernels cannot launch kernels~Add the work to the graph as a node";
        case Rule::not_by_pointer:
            return "the CPU executor cannot launch `{kernel}` through a void pointer because of its parameter {parameter} ({at})~Pass the kernel itself";
        case Rule::unknown_parameters:
            return "the CPU executor does not know the layout of the parameters of `{kernel}`, because of the parameter {parameter} ({at})~Run this program on a GPU";
        case Rule::no_stacks:
            return "there is no memory for the stacks of {threads} waiting threads~Launch fewer threads";
        case Rule::too_much_shared:
            return "`{variable}` ({bytes:bytes}) does not fit into shared memory, because no device has that much~Make it smaller";
        case Rule::wrote_past_end:
            return "`{kernel}` wrote past the end of {memory} in {who}~Check the index";
        case Rule::host_string:
            return "{who} prints at {at} a string that is in host memory, which a kernel cannot use~Copy the string into device memory, or write it in the kernel";
        case Rule::printed_precision:
            return "{who} prints at {at} with a precision that is an argument (`.*`): printf in a kernel takes the next argument for the value~Write the precision into the format, as in `%.3f`";
        case Rule::missing_return:
            return "{who} reaches the end of a function that must return a value, at {at}~Add the missing return statement";
        case Rule::trapped:
            return "{who} called __trap() at {at}~Check the condition of this call";
        case Rule::assertion:
            return "assertion `{expression}` failed at {at} in {who}~Check the values in it";
        case Rule::divided_by_zero:
            return "{who} divided by zero at {at}~Check the divisor";
        case Rule::illegal_instruction:
            return "{who} executed an illegal instruction at {at}~Perhaps it calls a function through a pointer that was never set: check such pointers";
        case Rule::out_of_stack:
            return "{who} ran out of stack: the recursion is too deep, or a local array too large, at {at}~Limit the depth, or use a smaller array";
        case Rule::null_pointer:
            return "{who} used a null pointer at {at}~Set the pointer first";
        case Rule::near_null_pointer:
            return "{who} used an address {address:bytes} after a null pointer at {at}~Set the pointer first";
        case Rule::bad_address:
            return "{who} used the bad address {address:hex}, where nothing is allocated, at {at}~Check the pointer and the index";
        case Rule::bad_address_near:
            return "{who} used the bad address {address:hex}, {memory}, at {at}~Check the pointer and the index";
        case Rule::touched_by_host_far:
            return "host code used a device address at {at}, where nothing is allocated~Only kernels can use a device pointer, so copy with cudaMemcpy first";
        case Rule::managed_in_use:
            return "managed memory in use| host code uses {memory} at {at}; `{kernel}` may still run, launched at {launched}~The device has no concurrent access to managed memory: synchronize before host code uses any of it, for example with cudaDeviceSynchronize()";
        case Rule::host_function_in_kernel:
            return "a kernel called a function of the CUDA runtime that the CPU executor supports only in host code~Call it on the host";
        case Rule::waits_for_children:
            return "{who} calls {function}() at {at}, which nvcc does not compile, because a kernel cannot wait for its children~Use their results in a kernel that is launched into cudaStreamTailLaunch";
        case Rule::no_such_tile:
            return "tiled_partition() at {at} has the size {size}~Pass a block, a tile or a coalesced group, and a size of 1, 2, 4, 8, 16 or 32";
        case Rule::no_such_copy_size:
            return "{who} starts {copy} at {at} with {bytes:bytes}~Copy 4, 8 or 16 bytes";
        case Rule::no_bulk_copy_to_shared:
            return "{who} starts {copy} at {at}, which copies from global to shared memory, but its destination is not shared memory of the block, or its source is~Check both pointers";
        case Rule::no_bulk_copy_to_global:
            return "{who} starts {copy} at {at}, which copies from shared to global memory, but its source is not shared memory of the block, or its destination is~Check both pointers";
        case Rule::warp_not_full:
            return "{who} calls {function} at {at} in a warp of {threads:threads}, but all 32 lanes of a warp must take part~Make the number of threads of a block a multiple of 32";
        case Rule::tensor_arguments_differ:
            return "{who} passes a different {operand} to {function} at {at} than lane {first} of its warp~Pass the same one in all lanes";
        case Rule::tensor_misaligned:
            return "{who} calls {function} at {at} with a {operand} that is {past:bytes} after a multiple of {alignment}~Pass one that is a multiple of {alignment} bytes";
        case Rule::tensor_stride:
            return "{who} calls {function} at {at} with a leading dimension of {stride:elements}, but lines must begin at multiples of 16 bytes~Use a multiple of {multiple:elements}";
        case Rule::tensor_unset:
            return "uninitialised read| {who} passes {operand} to {function} at {at}, but nothing has set its elements~First call fill_fragment() or load_matrix_sync()";
        case Rule::tensor_register_unset:
            return "uninitialised read| {who} passes {operand} to {function} at {at}, but nothing has set some of its registers~Set sums to 0 before the first product, and load factors before each product";
        case Rule::tensor_by_index:
            return "{who} passes {operand} to {function} at {at}, but the kernel itself has set its elements, to values that differ: which element of the matrix is in x[i] is unspecified, and differs between GPUs and between kinds of fragments~Use load_matrix_sync()";
        case Rule::tensor_stored_by_index:
            return "{who} stores x[{index}] of a fragment at {at}, at a place that assumes which element of the matrix it is: this is unspecified, and differs between GPUs~Use store_matrix_sync()";
        case Rule::hint_for_shared_memory:
            return "{who} calls {function}() for shared memory at {at}: shared memory is not in the L2 cache~Call it for global memory";
        case Rule::hint_out_of_bounds:
            return "{who} sets a property of {bytes:bytes} at {at}: out of bounds, {memory}~Check the address and the size";
        case Rule::window_left:
            return "a stream keeps the access window of {bytes:bytes} from {memory} that is set at {at}, so later kernels of this stream make lines persist, too~Set a window of 0 bytes after the last kernel that needs it";
        case Rule::lines_left_by_window:
            return "{bytes:bytes} of L2 lines stay persisting and take space from later kernels, because `{kernel}` was launched with a window at {at}~Call cudaCtxResetPersistingL2Cache() when the last kernel that needs the lines has ended";
        case Rule::lines_left_by_access:
            return "{bytes:bytes} of L2 lines stay persisting and take space from later kernels, because of an access of `{kernel}` at {at}~Call cudaCtxResetPersistingL2Cache() when the last kernel that needs the lines has ended";
        default:
            return nullptr;
    }
}

const char* words_of_alignment(const facts::Finding& finding) {
    const bool is_bulk = number_in(finding, "is_bulk") != 0;
    switch (finding.rule) {
        case Rule::copy_source_not_aligned:
            return is_bulk
                       ? "{who} starts {copy} at {at}, but its source is {past:bytes} after a multiple of {alignment}~Pass addresses that are multiples of {alignment} bytes"
                       : "{who} starts {copy} at {at}, but its source is {past:bytes} after a multiple of {alignment}~Align the address, or do not promise this alignment";
        case Rule::copy_destination_not_aligned:
            return is_bulk
                       ? "{who} starts {copy} at {at}, but its destination is {past:bytes} after a multiple of {alignment}~Pass addresses that are multiples of {alignment} bytes"
                       : "{who} starts {copy} at {at}, but its destination is {past:bytes} after a multiple of {alignment}~Align the address, or do not promise this alignment";
        case Rule::copy_size_not_aligned:
            return is_bulk
                       ? "{who} starts {copy} at {at}, but its size of {bytes:bytes} is not a multiple of {alignment}~Copy a multiple of {alignment} bytes"
                       : "{who} starts {copy} at {at}, but its size of {bytes:bytes} is not a multiple of {alignment}~Promise only sizes that are multiples of {alignment} bytes";
        default:
            return nullptr;
    }
}

}  // namespace kit::words
