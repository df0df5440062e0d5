// Shared by the tests with collectives: one communicator per device.
#pragma once

#include <nccl.h>

#include <map>

#include "18_multi_gpu/devices.hpp"
#include "grader/calls.hpp"

namespace multi_gpu_test {

/// Ranks with one device each. Their communicators have been used once, as the contract promises. On a GPU this takes the driver a
/// second, so they are created once; on the executor each case has its own, in a clean state. They are never destroyed, because
/// ncclCommDestroy waits until all graphs with their collectives have been destroyed.
inline const std::vector<ncclComm_t>& communicators(kit::Case& test, int ranks) {
    static std::map<int, std::vector<ncclComm_t>> made;
    std::vector<ncclComm_t>& comms = made[ranks];
#ifndef KIT_CPU
    if (!comms.empty()) return comms;
#endif
    comms.assign(static_cast<std::size_t>(ranks), nullptr);
    const auto good = [&](ncclResult_t result) {
        test.check(result == ncclSuccess, std::string("NCCL cannot begin: ") + ncclGetErrorString(result) +
                                              " (NCCL_DEBUG=WARN says more)");
    };
    good(ncclCommInitAll(comms.data(), ranks, nullptr));
    std::vector<int*> values;
    for (int device = 0; device < ranks; ++device) {
        const OnDevice here(device);
        values.push_back(nullptr);
        test.cuda(cudaMalloc(&values.back(), sizeof(int)));
        test.cuda(cudaMemset(values.back(), 0, sizeof(int)));
        test.cuda(cudaDeviceSynchronize());
    }
    good(ncclGroupStart());
    for (std::size_t rank = 0; rank < comms.size(); ++rank)
        good(ncclAllReduce(values[rank], values[rank], 1, ncclInt, ncclSum, comms[rank], nullptr));
    good(ncclGroupEnd());
    wait_for(test, ranks);
    for (int* value : values) test.cuda(cudaFree(value));
    return comms;
}

}  // namespace multi_gpu_test
