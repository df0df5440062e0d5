// What the tests with collectives share: a communicator for each of some devices.
#pragma once

#include <nccl.h>

#include <map>

#include "18_multi_gpu/two_devices.hpp"
#include "grader/calls.hpp"

namespace multi_gpu_test {

#ifdef KIT_CPU
[[maybe_unused]] static const bool more_devices_here = (kit::cpu::assume_devices(3), true);
#endif

/// True where there are so many devices, and two at least; otherwise the case is skipped, with the reason.
inline bool has_devices(kit::Case& test, int ranks) {
    int count = 0;
    test.cuda(cudaGetDeviceCount(&count));
    if (ranks > 2 && count < ranks) test.skip("this needs " + std::to_string(ranks) + " GPUs");
    return has_two_devices(test);
}

inline void wait_for(kit::Case& test, int ranks) {
    for (int device = 0; device < ranks; ++device) {
        const OnDevice here(device);
        test.cuda(cudaDeviceSynchronize());
    }
}

/// So many ranks, one device each, used once, as the contract promises. A GPU's driver needs a second for that, so there they are
/// made once; on the executor each case has its own, which no other one has left in disorder. They are never destroyed:
/// ncclCommDestroy waits until all graphs with collectives of them are gone.
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

/// Not two: the executor has more devices than most machines.
#ifdef KIT_CPU
constexpr int other_ranks = 3;
#else
constexpr int other_ranks = 1;
#endif

/// For the name of a case.
inline std::string ranks_in_words(int ranks) {
    return ranks == 2 ? "" : ranks == 1 ? ", 1 rank" : ", " + std::to_string(ranks) + " ranks";
}

}  // namespace multi_gpu_test
