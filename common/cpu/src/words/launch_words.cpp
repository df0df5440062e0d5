// What a launch asks for, and how much there is.
#include "launch_words.hpp"

#include "finding.hpp"

namespace kit::cpu {
namespace {

std::string number(unsigned long long value) {
    return std::to_string(value);
}

std::string shape(const dim3& d) {
    return "(" + number(d.x) + ", " + number(d.y) + ", " + number(d.z) + ")";
}

std::string too_large(const char* what, const dim3& size, int direction, const Limit& limit) {
    return what + shape(size) + " is larger than " + number(limit.most) + " in " + "xyz"[direction] + " on " +
           limit.device;
}

std::string wrong_cluster(const dim3& cluster, const std::string& why) {
    return "clusters of " + shape(cluster) + " blocks" + why;
}

std::string what_is_wrong(AttributeFault fault) {
    switch (fault) {
        case AttributeFault::none:
            break;
        case AttributeFault::cluster_without_blocks:
            return "says clusters of 0 blocks";
        case AttributeFault::no_policy:
            return "names no policy";
        case AttributeFault::too_many_percent:
            return "is more than 100 percent";
        case AttributeFault::no_window:
            return "is no window: the hit ratio lies between 0 and 1, the size is at most "
                   "accessPolicyMaxWindowSize, and "
                   "what misses cannot persist";
        case AttributeFault::not_offered:
            return "is not offered by the CPU executor";
    }
    return "";
}

}  // namespace

std::string launch_in_words(const std::string& kernel) {
    return "the launch of `" + kernel + "`";
}

Finding launch_refused(const std::string& kernel, const std::string& why, Place place) {
    return {"launch", launch_in_words(kernel) + " was refused: " + why + " (" + describe(place) + ")", place};
}

std::string block_without_threads(const dim3& block) {
    return "the block " + shape(block) + " has no threads";
}

std::string grid_without_blocks(const dim3& grid) {
    return "the grid " + shape(grid) + " has no blocks";
}

std::string too_many_threads(std::size_t threads, const Limit& limit) {
    return "a block of " + number(threads) + " threads; " + limit.device + " allows " + number(limit.most) +
           " per block";
}

std::string block_too_large(const dim3& block, int direction, const Limit& limit) {
    return too_large("the block ", block, direction, limit);
}

std::string grid_too_large(const dim3& grid, int direction, const Limit& limit) {
    return too_large("the grid ", grid, direction, limit);
}

std::string blocks_cannot_meet(std::size_t blocks, const Limit& limit) {
    return "a cooperative grid of " + number(blocks) + " blocks; " + limit.device + " can hold " +
           number(limit.most) + " such blocks at once, and all must be there to meet";
}

std::string beyond_launch_bounds(std::size_t threads, std::size_t most) {
    return "a block of " + number(threads) + " threads; the kernel's __launch_bounds__ allows " +
           number(most);
}

std::string too_many_registers(std::size_t threads, int registers, std::size_t most) {
    return "a block of " + number(threads) + " threads with " + std::to_string(registers) +
           " registers each; a block can have " + number(most) + " registers in all";
}

std::string too_many_constants(std::size_t bytes, std::size_t most) {
    return "the program has " + number(bytes) + " bytes of __constant__ variables, and " + number(most) +
           " is all that there is: nvcc would not even compile it";
}

std::string too_much_static_shared(std::size_t bytes, std::size_t most) {
    return "the kernel declares " + number(bytes) + " bytes of __shared__ variables; at most " +
           number(most) + " may be static";
}

std::string too_much_dynamic_shared(std::size_t bytes, std::size_t granted, const Limit& limit) {
    return number(bytes) +
           " bytes of dynamic shared memory; without a larger cudaFuncAttributeMaxDynamicSharedMemorySize "
           "this kernel may have " +
           number(granted) + " (" + limit.device + " allows up to " + number(limit.most) + ")";
}

std::string cluster_not_set() {
    return "the kernel's cudaFuncAttributeClusterDimMustBeSet demands clusters, and this launch has none";
}

std::string clusters_too_new(const char* device, int architecture) {
    return std::string("clusters came with sm_90, and ") + device + " is sm_" + std::to_string(architecture);
}

std::string cluster_without_blocks(const dim3& cluster) {
    return wrong_cluster(cluster, ": every direction needs at least 1");
}

std::string kernel_has_cluster(const dim3& cluster, const dim3& required) {
    return wrong_cluster(cluster, "; the kernel is made for clusters of " + shape(required));
}

std::string cluster_too_large(const dim3& cluster, const Limit& limit) {
    return wrong_cluster(cluster,
                         std::string("; ") + limit.device + " allows " + number(limit.most) + " at most");
}

std::string cluster_not_portable(const dim3& cluster, std::size_t most) {
    return wrong_cluster(cluster,
                         "; without cudaFuncAttributeNonPortableClusterSizeAllowed at most " + number(most));
}

std::string cluster_beyond_bounds(const dim3& cluster, std::size_t most) {
    return wrong_cluster(cluster, "; the kernel's __launch_bounds__ allows " + number(most));
}

std::string cluster_does_not_divide(const dim3& cluster, const dim3& grid) {
    return wrong_cluster(cluster, " do not divide the grid " + shape(grid));
}

Finding attribute_refused(int attribute, AttributeFault fault, Place place) {
    return {"launch",
            "launch attribute " + std::to_string(attribute) + " " + what_is_wrong(fault) + " (" +
                describe(place) + ")",
            place};
}

}  // namespace kit::cpu
