// For tests of NVSHMEM: two PEs, which are host threads, each with its own device.
#pragma once

#include <nvshmem.h>
#include <nvshmemx.h>

#include <thread>

#include "conformance.cuh"
#include "device_fixture.cuh"

/// Runs the body on each of two PEs, between nvshmemx_init_attr and nvshmem_finalize.
template <class Body>
void on_two_pes(Body body) {
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    nvshmemx_get_uniqueid(&id);
    std::thread pes[2];
    for (int pe = 0; pe < 2; ++pe)
        pes[pe] = std::thread([&body, &id, pe] {
            nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
            nvshmemx_set_attr_uniqueid_args(pe, 2, &id, &attributes);
            cudaSetDevice(pe);
            CHECK_EQUAL(nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes), 0);
            body(pe);
            nvshmem_finalize();
        });
    for (std::thread& pe : pes) pe.join();
}

/// Copies n elements of a PE's memory to the host.
template <class T>
std::vector<T> read_back(const T* data, std::size_t n) {
    std::vector<T> values(n);
    CHECK_CUDA(cudaMemcpy(values.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
}
