// Sentences about refused launches, and about functions that the executor does not support.
#include <words/finding.hpp>

namespace kit::words {

using facts::Rule;

const char* words_of_launch(Rule rule) {
    switch (rule) {
        case Rule::block_without_threads:
            return "the launch of `{kernel}` was refused: the block {block} has no threads ({at})~Launch at least one thread per block";
        case Rule::grid_without_blocks:
            return "the launch of `{kernel}` was refused: the grid {grid} has no blocks ({at})~Launch at least one block, or skip the launch if there is no work";
        case Rule::too_many_threads:
            return "the launch of `{kernel}` was refused: a block has {threads} threads, but {device} allows only {most} per block ({at})~Launch smaller blocks, and more of them";
        case Rule::block_too_large:
            return "the launch of `{kernel}` was refused: the block {block} is larger than {most} in {direction}, the limit of {device} ({at})~Launch smaller blocks";
        case Rule::grid_too_large:
            return "the launch of `{kernel}` was refused: the grid {grid} has more than {most} blocks in {direction}, the limit of {device} ({at})~Launch fewer blocks, and let the kernel loop over the rest";
        case Rule::blocks_cannot_meet:
            return "the launch of `{kernel}` was refused: the cooperative grid has {blocks} blocks, but all must run at the same time, and {device} has room for only {most} such blocks ({at})~Launch at most this many";
        case Rule::beyond_launch_bounds:
            return "the launch of `{kernel}` was refused: a block has {threads} threads, but the kernel's __launch_bounds__ allows only {most} ({at})~Launch smaller blocks, or raise the bound";
        case Rule::too_many_registers:
            return "the launch of `{kernel}` was refused: a block has {threads} threads with {registers} registers each, but all threads of a block together can have only {most} ({at})~Launch smaller blocks";
        case Rule::too_many_constants:
            return "the launch of `{kernel}` was refused: the program has {bytes} bytes of __constant__ variables, but a device has room for only {most}, so nvcc does not compile such a program ({at})~Make them smaller";
        case Rule::too_much_static_shared:
            return "the launch of `{kernel}` was refused: the kernel declares {bytes} bytes of static __shared__ variables, but at most {most} are allowed ({at})~Make them smaller, or use dynamic shared memory";
        case Rule::too_much_dynamic_shared:
            return "the launch of `{kernel}` was refused: it requests {bytes} bytes of dynamic shared memory, but the limit of this kernel is {granted} ({at})~Request fewer bytes, or raise the limit with cudaFuncAttributeMaxDynamicSharedMemorySize ({device} allows {most})";
        case Rule::cluster_not_set:
            return "the launch of `{kernel}` was refused: the kernel's attribute cudaFuncAttributeClusterDimMustBeSet demands clusters, but this launch has none ({at})~Launch it with a cluster size";
        case Rule::clusters_too_new:
            return "the launch of `{kernel}` was refused: clusters need sm_90, but {device} is sm_{architecture} ({at})~Check the device before the launch";
        case Rule::cluster_without_blocks:
            return "the launch of `{kernel}` was refused: the size of a cluster is {cluster} blocks, but every direction needs at least 1 ({at})~Correct the size";
        case Rule::kernel_has_cluster:
            return "the launch of `{kernel}` was refused: the size of a cluster is {cluster} blocks, but the kernel is compiled for {required} ({at})~Launch it with that size";
        case Rule::cluster_too_large:
            return "the launch of `{kernel}` was refused: the size of a cluster is {cluster} blocks, but {device} allows at most {most} ({at})~Use smaller clusters";
        case Rule::cluster_not_portable:
            return "the launch of `{kernel}` was refused: the size of a cluster is {cluster} blocks, but without cudaFuncAttributeNonPortableClusterSizeAllowed only {most} are allowed ({at})~Use smaller clusters, or set this attribute";
        case Rule::cluster_beyond_bounds:
            return "the launch of `{kernel}` was refused: the size of a cluster is {cluster} blocks, but the kernel's __launch_bounds__ allows only {most} ({at})~Use smaller clusters";
        case Rule::cluster_does_not_divide:
            return "the launch of `{kernel}` was refused: the grid {grid} is not a multiple of the cluster {cluster} ({at})~Round the number of blocks up to whole clusters";
        case Rule::attribute_without_blocks:
            return "launch attribute {attribute} sets clusters of 0 blocks ({at})~Set at least 1";
        case Rule::attribute_without_policy:
            return "launch attribute {attribute} does not name a policy ({at})~Pass a value of the enumeration";
        case Rule::attribute_too_many_percent:
            return "launch attribute {attribute} is more than 100 percent ({at})~Set at most 100";
        case Rule::attribute_without_window:
            return "launch attribute {attribute} is not a valid window ({at})~Set a hit ratio between 0 and 1, a size of at most accessPolicyMaxWindowSize, and a missProp other than persisting";
        case Rule::attribute_not_offered:
            return "launch attribute {attribute} is not supported by the CPU executor ({at})~Leave it out, or run the program on a GPU";
        case Rule::not_offered:
            return "{function} is not supported by the CPU backend ({at})~Run the program on a GPU";
        case Rule::array_not_offered:
            return "a copy of a cudaArray is not supported by the CPU backend ({at})~Run the program on a GPU";
        case Rule::node_not_offered:
            return "a node of this type is not supported by the CPU backend ({at})~Run the program on a GPU";
        default:
            return nullptr;
    }
}

}  // namespace kit::words
