// For tests of the profile: counts kernels while they run, and compares the counts. A GPU does not count.
#pragma once

#include "conformance.cuh"
#ifdef KIT_CPU
#include <kit_cpu/profile.hpp>

using kit::cpu::KernelProfile;
using kit::cpu::RequestCounts;
using kit::cpu::RequestKind;

/// Sums the counts of all kernels that run during the lifetime of the object.
template <class Launch>
KernelProfile counted(Launch launch) {
    kit::cpu::begin_profile();
    launch();
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    kit::cpu::end_profile();
    const std::vector<KernelProfile> kernels = kit::cpu::take_profile();
    CHECK_EQUAL(kernels.size(), 1u);
    return kernels.empty() ? KernelProfile{} : kernels[0];
}

#define CHECK_REQUESTS(kind, wanted_requests, wanted_lanes, wanted_units, wanted_ideal) \
    do {                                                                                \
        const RequestCounts all = profile.total(RequestKind::kind);                     \
        CHECK_EQUAL(all.requests, std::uint64_t(wanted_requests));                      \
        CHECK_EQUAL(all.lanes, std::uint64_t(wanted_lanes));                            \
        CHECK_EQUAL(all.units, std::uint64_t(wanted_units));                            \
        CHECK_EQUAL(all.ideal, std::uint64_t(wanted_ideal));                            \
    } while (0)
#define CHECK_DIVERGENT(wanted) CHECK_EQUAL(profile.divergent(), std::uint64_t(wanted))
#define COUNTED(launch) const KernelProfile profile = counted([&] { launch; })
#else
template <class... Numbers>
void nobody_counts(const Numbers&...) {}
#define CHECK_REQUESTS(kind, ...) nobody_counts(__VA_ARGS__)
#define CHECK_DIVERGENT(wanted) nobody_counts(wanted)
#define COUNTED(launch)                                   \
    do {                                                  \
        launch;                                           \
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess); \
    } while (0)
#endif

__global__ void copy_some(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
