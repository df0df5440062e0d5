// What the tests with collectives share: a communicator for each of the two devices.
#pragma once

#include <nccl.h>

#include "18_multi_gpu/two_devices.hpp"
#include "grader/calls.hpp"

namespace multi_gpu_test {

/// Two ranks, one device each, used once, as the contract promises. A GPU's driver needs a second for that, so there they are made
/// once; on the executor each case has its own, which no other one has left in disorder. They are never destroyed:
/// ncclCommDestroy waits until all graphs with collectives of them are gone.
inline const std::vector<ncclComm_t>& two_ranks(kit::Case& test) {
    static std::vector<ncclComm_t> comms;
#ifndef KIT_CPU
    if (!comms.empty()) return comms;
#endif
    comms.assign(2, nullptr);
    const auto good = [&](ncclResult_t result) {
        test.check(result == ncclSuccess, std::string("NCCL cannot begin: ") + ncclGetErrorString(result) +
                                              " (NCCL_DEBUG=WARN says more)");
    };
    good(ncclCommInitAll(comms.data(), 2, nullptr));
    int* values[2] = {};
    Stream streams[2] = {Stream(0), Stream(1)};
    for (int rank = 0; rank < 2; ++rank) {
        const OnDevice here(rank);
        test.cuda(cudaMalloc(&values[rank], sizeof(int)));
        test.cuda(cudaMemset(values[rank], 0, sizeof(int)));
        test.cuda(cudaDeviceSynchronize());
    }
    good(ncclGroupStart());
    for (int rank = 0; rank < 2; ++rank)
        good(ncclAllReduce(values[rank], values[rank], 1, ncclInt, ncclSum,
                           comms[static_cast<std::size_t>(rank)], streams[rank]));
    good(ncclGroupEnd());
    wait_for_both(test);
    for (int* value : values) test.cuda(cudaFree(value));
    return comms;
}

}  // namespace multi_gpu_test
