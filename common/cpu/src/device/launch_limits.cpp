// The limits that CUDA checks when a kernel is launched, each with its error code and an error message.
#include "launch_limits.hpp"

#include <algorithm>
#include <map>

#include "cluster_limits.hpp"
#include "constants.hpp"
#include "device.hpp"
#include "kernel_settings.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

using facts::Rule;
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
    const auto wrong = [&](facts::Rule rule) { return finding(rule, launch.place).in(launch.name); };
    const auto refuse = [&](cudaError_t error, Finding finding) {
        add_finding(std::move(finding));
        return error;
    };
    const unsigned block[] = {launch.block.x, launch.block.y, launch.block.z};
    const unsigned grid[] = {launch.grid.x, launch.grid.y, launch.grid.z};
    if (!block[0] || !block[1] || !block[2])
        return refuse(cudaErrorInvalidValue,
                      wrong(Rule::block_without_threads).with("block", text_of(launch.block)));
    if (!grid[0] || !grid[1] || !grid[2])
        return refuse(cudaErrorInvalidValue,
                      wrong(Rule::grid_without_blocks).with("grid", text_of(launch.grid)));
    const std::size_t threads = std::size_t(block[0]) * block[1] * block[2];
    if (threads > max_block_threads)
        return refuse(cudaErrorInvalidValue, wrong(Rule::too_many_threads)
                                                 .with("threads", threads)
                                                 .with("device", d.name)
                                                 .with("most", max_block_threads));
    for (int i = 0; i < 3; ++i) {
        if (block[i] > max_block_dim[i])
            return refuse(cudaErrorInvalidValue, wrong(Rule::block_too_large)
                                                     .with("block", text_of(launch.block))
                                                     .with("most", max_block_dim[i])
                                                     .with("direction", std::string(1, "xyz"[i]))
                                                     .with("device", d.name));
        if (grid[i] > max_grid_dim[i])
            return refuse(cudaErrorInvalidValue, wrong(Rule::grid_too_large)
                                                     .with("grid", text_of(launch.grid))
                                                     .with("most", max_grid_dim[i])
                                                     .with("direction", std::string(1, "xyz"[i]))
                                                     .with("device", d.name));
    }

    if (constant_bytes() > constant_limit)
        return refuse(
            cudaErrorInvalidKernelImage,
            wrong(Rule::too_many_constants).with("bytes", constant_bytes()).with("most", constant_limit));

    const KernelFacts& facts = known_facts(launch.function);
    if (threads > facts.max_threads)
        return refuse(
            cudaErrorInvalidValue,
            wrong(Rule::beyond_launch_bounds).with("threads", threads).with("most", facts.max_threads));
    if (static_cast<int>(threads) > max_threads_of(launch.function, facts))
        return refuse(cudaErrorLaunchOutOfResources,
                      wrong(Rule::too_many_registers)
                          .with("threads", threads)
                          .with("registers", registers_of(launch.function, facts))
                          .with("most", registers_per_block));
    const std::size_t limit = dynamic_shared_limit(launch.function, facts);
    if (facts.static_shared_bytes > shared_per_block)
        return refuse(cudaErrorInvalidValue, wrong(Rule::too_much_static_shared)
                                                 .with("bytes", facts.static_shared_bytes)
                                                 .with("most", shared_per_block));
    if (launch.dynamic_shared > limit) {
        const std::size_t most =
            d.shared_per_block_optin - std::min(d.shared_per_block_optin, facts.static_shared_bytes);
        return refuse(cudaErrorInvalidValue, wrong(Rule::too_much_dynamic_shared)
                                                 .with("bytes", launch.dynamic_shared)
                                                 .with("granted", limit)
                                                 .with("device", d.name)
                                                 .with("most", most));
    }
    if (const ClusterRefusal refusal = refuse_cluster(launch, facts); refusal.error)
        return refuse(refusal.error, refusal.why);
    if (launch.cooperative) {
        const int resident =
            resident_blocks_of(launch.function, facts, static_cast<int>(threads), launch.dynamic_shared);
        const std::size_t most =
            static_cast<std::size_t>(resident) * static_cast<std::size_t>(d.multiprocessors);
        const std::size_t blocks = std::size_t(grid[0]) * grid[1] * grid[2];
        if (blocks > most)
            return refuse(cudaErrorCooperativeLaunchTooLarge, wrong(Rule::blocks_cannot_meet)
                                                                  .with("blocks", blocks)
                                                                  .with("device", d.name)
                                                                  .with("most", most));
    }
    return cudaSuccess;
}

}  // namespace kit::cpu
