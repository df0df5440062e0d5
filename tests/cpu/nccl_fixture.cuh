// For tests of NCCL: two ranks in one process, each with its own device.
#pragma once

#include <nccl.h>

#include "conformance.cuh"
#include "device_fixture.cuh"

#define CHECK_NCCL(call, want) CHECK_EQUAL(static_cast<int>(call), static_cast<int>(want))

/// Two ranks, each with a communicator, a stream and two buffers.
struct Ranks {
    static constexpr std::size_t n = 96;
    ncclComm_t comm[2] = {};
    cudaStream_t stream[2] = {};
    cudaEvent_t event[2] = {};
    float *send[2] = {}, *receive[2] = {};

    Ranks() {
        CHECK_NCCL(ncclCommInitAll(comm, 2, nullptr), ncclSuccess);
        for (int rank = 0; rank < 2; ++rank) {
            const OnDevice here(rank);
            cudaStreamCreateWithFlags(&stream[rank], cudaStreamNonBlocking);
            cudaEventCreateWithFlags(&event[rank], cudaEventDisableTiming);
            cudaMalloc(&send[rank], n * sizeof(float));
            cudaMalloc(&receive[rank], n * sizeof(float));
            std::vector<float> values(n);
            for (std::size_t i = 0; i < n; ++i) values[i] = value(rank, i);
            cudaMemcpy(send[rank], values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
            cudaMemset(receive[rank], 0, n * sizeof(float));
            cudaDeviceSynchronize();
        }
    }
    ~Ranks() {
        for (int rank = 0; rank < 2; ++rank) {
            const OnDevice here(rank);
            cudaDeviceSynchronize();
            ncclCommDestroy(comm[rank]);
            cudaStreamDestroy(stream[rank]);
            cudaEventDestroy(event[rank]);
            cudaFree(send[rank]);
            cudaFree(receive[rank]);
        }
    }
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    /// Returns the value of element i that a rank sends.
    static float value(int rank, std::size_t i) {
        return static_cast<float>(100 * rank) + static_cast<float>(i);
    }

    std::vector<float> read(int rank, std::size_t count = n) const {
        const OnDevice here(rank);
        CHECK_CUDA(cudaStreamSynchronize(stream[rank]), cudaSuccess);
        std::vector<float> values(count);
        cudaMemcpy(values.data(), receive[rank], count * sizeof(float), cudaMemcpyDeviceToHost);
        return values;
    }
};
