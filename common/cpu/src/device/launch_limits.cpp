// The limits that CUDA checks when a kernel is launched, each with its error code and a sentence.
#include "launch_limits.hpp"

#include <algorithm>
#include <map>

#include "cluster_limits.hpp"
#include "constants.hpp"
#include "device.hpp"
#include "kernel_settings.hpp"
#include "words/finding.hpp"

namespace kit::cpu {
namespace {

std::string number(unsigned long long value) {
    return std::to_string(value);
}

std::string shape(dim3 d) {
    return "(" + number(d.x) + ", " + number(d.y) + ", " + number(d.z) + ")";
}

}  // namespace

const KernelFacts& known_facts(const void* kernel) {
    static auto& known = *new std::map<const void*, KernelFacts>{{nullptr, {}}};
    const auto found = known.find(kernel);
    return found != known.end() ? found->second : known[kernel] = kernel_facts(kernel);
}

std::size_t dynamic_shared_limit(const void* kernel, const KernelFacts& facts) {
    const std::size_t standard =
        facts.static_shared_bytes < shared_per_block ? shared_per_block - facts.static_shared_bytes : 0;
    if (!kernel) return std::max(standard, largest_grant());
    const int set = kernel_settings(kernel).dynamic_shared;
    return set < 0 ? standard : static_cast<std::size_t>(set);
}

cudaError_t check_launch(const Launch& launch) {
    const Device& d = device();
    auto refuse = [&](cudaError_t error, const std::string& why) {
        add_finding(
            {"launch",
             "the launch of `" + launch.name + "` was refused: " + why + " (" + describe(launch.place) + ")",
             launch.place});
        return error;
    };
    const unsigned block[] = {launch.block.x, launch.block.y, launch.block.z};
    const unsigned grid[] = {launch.grid.x, launch.grid.y, launch.grid.z};
    if (!block[0] || !block[1] || !block[2])
        return refuse(cudaErrorInvalidValue, "the block " + shape(launch.block) + " has no threads");
    if (!grid[0] || !grid[1] || !grid[2])
        return refuse(cudaErrorInvalidValue, "the grid " + shape(launch.grid) + " has no blocks");
    const std::size_t threads = std::size_t(block[0]) * block[1] * block[2];
    if (threads > max_block_threads)
        return refuse(cudaErrorInvalidValue, "a block of " + number(threads) + " threads; " + d.name +
                                                 " allows " + number(max_block_threads) + " per block");
    for (int i = 0; i < 3; ++i) {
        if (block[i] > max_block_dim[i])
            return refuse(cudaErrorInvalidValue, "the block " + shape(launch.block) + " is larger than " +
                                                     number(max_block_dim[i]) + " in " + "xyz"[i] + " on " +
                                                     d.name);
        if (grid[i] > max_grid_dim[i])
            return refuse(cudaErrorInvalidValue, "the grid " + shape(launch.grid) + " is larger than " +
                                                     number(max_grid_dim[i]) + " in " + "xyz"[i] + " on " +
                                                     d.name);
    }

    if (constant_bytes() > constant_limit)
        return refuse(cudaErrorInvalidKernelImage,
                      "the program has " + number(constant_bytes()) +
                          " bytes of __constant__ variables, and " + number(constant_limit) +
                          " is all that there is: nvcc would not even compile it");

    const KernelFacts& facts = known_facts(launch.function);
    if (threads > facts.max_threads)
        return refuse(cudaErrorInvalidValue, "a block of " + number(threads) +
                                                 " threads; the kernel's __launch_bounds__ allows " +
                                                 number(facts.max_threads));
    if (static_cast<int>(threads) > max_threads_of(launch.function, facts))
        return refuse(cudaErrorLaunchOutOfResources,
                      "a block of " + number(threads) + " threads with " +
                          number(static_cast<unsigned>(registers_of(launch.function, facts))) +
                          " registers each; a block can have " + number(registers_per_block) +
                          " registers in all");
    const std::size_t limit = dynamic_shared_limit(launch.function, facts);
    if (facts.static_shared_bytes > shared_per_block)
        return refuse(cudaErrorInvalidValue, "the kernel declares " + number(facts.static_shared_bytes) +
                                                 " bytes of __shared__ variables; at most " +
                                                 number(shared_per_block) + " may be static");
    if (launch.dynamic_shared > limit)
        return refuse(cudaErrorInvalidValue,
                      number(launch.dynamic_shared) +
                          " bytes of dynamic shared memory; without a larger "
                          "cudaFuncAttributeMaxDynamicSharedMemorySize this kernel may have " +
                          number(limit) + " (" + d.name + " allows up to " +
                          number(d.shared_per_block_optin -
                                 std::min(d.shared_per_block_optin, facts.static_shared_bytes)) +
                          ")");
    if (const ClusterRefusal refusal = refuse_cluster(launch, facts); refusal.error)
        return refuse(refusal.error, refusal.why);
    if (launch.cooperative) {
        const int resident =
            resident_blocks_of(launch.function, facts, static_cast<int>(threads), launch.dynamic_shared);
        const std::size_t most =
            static_cast<std::size_t>(resident) * static_cast<std::size_t>(d.multiprocessors);
        const std::size_t blocks = std::size_t(grid[0]) * grid[1] * grid[2];
        if (blocks > most)
            return refuse(cudaErrorCooperativeLaunchTooLarge,
                          "a cooperative grid of " + number(blocks) + " blocks; " + d.name + " can hold " +
                              number(most) + " such blocks at once, and all must be there to meet");
    }
    return cudaSuccess;
}

}  // namespace kit::cpu
