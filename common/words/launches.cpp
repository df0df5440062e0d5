// Sentences about launches that are refused, and about calls that are not offered.
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
            return "the launch of `{kernel}` was refused: a block of {threads} threads; {device} allows {most} per block ({at})";
        case Rule::block_too_large:
            return "the launch of `{kernel}` was refused: the block {block} is larger than {most} in {direction} on {device} ({at})";
        case Rule::grid_too_large:
            return "the launch of `{kernel}` was refused: the grid {grid} is larger than {most} in {direction} on {device} ({at})";
        case Rule::blocks_cannot_meet:
            return "the launch of `{kernel}` was refused: a cooperative grid of {blocks} blocks; {device} can hold {most} such blocks at once, and all must be there to meet ({at})";
        case Rule::beyond_launch_bounds:
            return "the launch of `{kernel}` was refused: a block of {threads} threads; the kernel's __launch_bounds__ allows {most} ({at})";
        case Rule::too_many_registers:
            return "the launch of `{kernel}` was refused: a block of {threads} threads with {registers} registers each; a block can have {most} registers in all ({at})";
        case Rule::too_many_constants:
            return "the launch of `{kernel}` was refused: the program has {bytes} bytes of __constant__ variables, and {most} is all that there is: nvcc would not even compile it ({at})";
        case Rule::too_much_static_shared:
            return "the launch of `{kernel}` was refused: the kernel declares {bytes} bytes of __shared__ variables; at most {most} may be static ({at})";
        case Rule::too_much_dynamic_shared:
            return "the launch of `{kernel}` was refused: {bytes} bytes of dynamic shared memory; without a larger cudaFuncAttributeMaxDynamicSharedMemorySize this kernel may have {granted} ({device} allows up to {most}) ({at})";
        case Rule::cluster_not_set:
            return "the launch of `{kernel}` was refused: the kernel's cudaFuncAttributeClusterDimMustBeSet demands clusters, and this launch has none ({at})";
        case Rule::clusters_too_new:
            return "the launch of `{kernel}` was refused: clusters came with sm_90, and {device} is sm_{architecture} ({at})";
        case Rule::cluster_without_blocks:
            return "the launch of `{kernel}` was refused: clusters of {cluster} blocks: every direction needs at least 1 ({at})";
        case Rule::kernel_has_cluster:
            return "the launch of `{kernel}` was refused: clusters of {cluster} blocks; the kernel is made for clusters of {required} ({at})";
        case Rule::cluster_too_large:
            return "the launch of `{kernel}` was refused: clusters of {cluster} blocks; {device} allows {most} at most ({at})";
        case Rule::cluster_not_portable:
            return "the launch of `{kernel}` was refused: clusters of {cluster} blocks; without cudaFuncAttributeNonPortableClusterSizeAllowed at most {most} ({at})";
        case Rule::cluster_beyond_bounds:
            return "the launch of `{kernel}` was refused: clusters of {cluster} blocks; the kernel's __launch_bounds__ allows {most} ({at})";
        case Rule::cluster_does_not_divide:
            return "the launch of `{kernel}` was refused: clusters of {cluster} blocks do not divide the grid {grid} ({at})";
        case Rule::attribute_without_blocks:
            return "launch attribute {attribute} says clusters of 0 blocks ({at})";
        case Rule::attribute_without_policy:
            return "launch attribute {attribute} names no policy ({at})";
        case Rule::attribute_too_many_percent:
            return "launch attribute {attribute} is more than 100 percent ({at})";
        case Rule::attribute_without_window:
            return "launch attribute {attribute} is no window: the hit ratio lies between 0 and 1, the size is at most accessPolicyMaxWindowSize, and what misses cannot persist ({at})";
        case Rule::attribute_not_offered:
            return "launch attribute {attribute} is not offered by the CPU executor ({at})";
        case Rule::not_offered:
            return "{function} is not offered by the CPU backend ({at})";
        case Rule::array_not_offered:
            return "a copy of a cudaArray is not offered by the CPU backend ({at})";
        case Rule::node_not_offered:
            return "a node of this type is not offered by the CPU backend ({at})";
        default:
            return nullptr;
    }
}

}  // namespace kit::words
