// Sentences about refused launches, and about functions that the executor does not support.
#include <words/finding.hpp>

namespace kit::words {

using facts::Rule;

const char* words_of_launch(Rule rule) {
    switch (rule) {
        case Rule::block_without_threads:
            return "the launch of `{kernel}` was refused: the block {block} has no threads ({at})";
        case Rule::grid_without_blocks:
            return "the launch of `{kernel}` was refused: the grid {grid} has no blocks ({at})";
        case Rule::too_many_threads:
            return "the launch of `{kernel}` was refused: a block has {threads} threads, and {device} allows {most} per block ({at})";
        case Rule::block_too_large:
            return "the launch of `{kernel}` was refused: the block {block} is larger than {most} in {direction} on {device} ({at})";
        case Rule::grid_too_large:
            return "the launch of `{kernel}` was refused: the grid {grid} is larger than {most} in {direction} on {device} ({at})";
        case Rule::blocks_cannot_meet:
            return "the launch of `{kernel}` was refused: the cooperative grid has {blocks} blocks, but all must run at the same time, and {device} has room for {most} such blocks ({at})";
        case Rule::beyond_launch_bounds:
            return "the launch of `{kernel}` was refused: a block has {threads} threads, and the kernel's __launch_bounds__ allows {most} ({at})";
        case Rule::too_many_registers:
            return "the launch of `{kernel}` was refused: a block has {threads} threads with {registers} registers each, and all threads of a block together can have {most} ({at})";
        case Rule::too_many_constants:
            return "the launch of `{kernel}` was refused: the program has {bytes} bytes of __constant__ variables, and a device has {most}: nvcc does not compile such a program ({at})";
        case Rule::too_much_static_shared:
            return "the launch of `{kernel}` was refused: the kernel declares {bytes} bytes of static __shared__ variables, and at most {most} are allowed ({at})";
        case Rule::too_much_dynamic_shared:
            return "the launch of `{kernel}` was refused: it asks for {bytes} bytes of dynamic shared memory, and this kernel may have {granted}. Set cudaFuncAttributeMaxDynamicSharedMemorySize ({device} allows up to {most}) ({at})";
        case Rule::cluster_not_set:
            return "the launch of `{kernel}` was refused: the kernel's attribute cudaFuncAttributeClusterDimMustBeSet demands clusters, and this launch has none ({at})";
        case Rule::clusters_too_new:
            return "the launch of `{kernel}` was refused: clusters need sm_90, and {device} is sm_{architecture} ({at})";
        case Rule::cluster_without_blocks:
            return "the launch of `{kernel}` was refused: the size of a cluster is {cluster} blocks, and every direction needs at least 1 ({at})";
        case Rule::kernel_has_cluster:
            return "the launch of `{kernel}` was refused: the size of a cluster is {cluster} blocks, and the kernel is compiled for {required} ({at})";
        case Rule::cluster_too_large:
            return "the launch of `{kernel}` was refused: the size of a cluster is {cluster} blocks, and {device} allows {most} at most ({at})";
        case Rule::cluster_not_portable:
            return "the launch of `{kernel}` was refused: the size of a cluster is {cluster} blocks, and without cudaFuncAttributeNonPortableClusterSizeAllowed {most} are allowed ({at})";
        case Rule::cluster_beyond_bounds:
            return "the launch of `{kernel}` was refused: the size of a cluster is {cluster} blocks, and the kernel's __launch_bounds__ allows {most} ({at})";
        case Rule::cluster_does_not_divide:
            return "the launch of `{kernel}` was refused: clusters of {cluster} blocks do not divide the grid {grid} ({at})";
        case Rule::attribute_without_blocks:
            return "launch attribute {attribute} sets clusters of 0 blocks ({at})";
        case Rule::attribute_without_policy:
            return "launch attribute {attribute} names no policy ({at})";
        case Rule::attribute_too_many_percent:
            return "launch attribute {attribute} is more than 100 percent ({at})";
        case Rule::attribute_without_window:
            return "launch attribute {attribute} is not a valid window: the hit ratio must be between 0 and 1, the size at most accessPolicyMaxWindowSize, and missProp must not be persisting ({at})";
        case Rule::attribute_not_offered:
            return "launch attribute {attribute} is not supported by the CPU executor ({at})";
        case Rule::not_offered:
            return "{function} is not supported by the CPU backend ({at})";
        case Rule::array_not_offered:
            return "a copy of a cudaArray is not supported by the CPU backend ({at})";
        case Rule::node_not_offered:
            return "a node of this type is not supported by the CPU backend ({at})";
        default:
            return nullptr;
    }
}

}  // namespace kit::words
