// Bulk copies (sm_90): from global to shared memory with a barrier that expects their bytes, and back with groups.
#include <cuda/barrier>
#include <cuda/ptx>

#include "conformance.cuh"

using Barrier = cuda::barrier<cuda::thread_scope_block>;

static bool has_bulk_copies() {
    int major = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    return major >= 9;
}

__global__ void round_trip(const int* in, int* out, int n, bool expect_first) {
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(16) int tile[];
    __shared__ alignas(Barrier) unsigned char room[sizeof(Barrier)];
    Barrier* const barrier = reinterpret_cast<Barrier*>(room);
    if (threadIdx.x == 0) {
        init(barrier, blockDim.x);
        cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    }
    __syncthreads();
    const auto bytes = static_cast<unsigned>(sizeof(int)) * static_cast<unsigned>(n);
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        if (expect_first) token = cuda::device::barrier_arrive_tx(*barrier, 1, bytes);
        cuda::device::memcpy_async_tx(tile, in + blockIdx.x * n, cuda::aligned_size_t<16>(bytes), *barrier);
        if (!expect_first) token = cuda::device::barrier_arrive_tx(*barrier, 1, bytes);
    } else {
        token = barrier->arrive();
    }
    barrier->wait(static_cast<Barrier::arrival_token&&>(token));
    for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) tile[i] += i;
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, out + blockIdx.x * n, tile,
                                 bytes);
        cuda::ptx::cp_async_bulk_commit_group();
        cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>());
    }
#endif
}

CASE("there and back again") {
    if (!has_bulk_copies()) SKIP("bulk copies need compute capability 9.0");
    const int n = 128, blocks = 3;
    std::vector<int> in(n * blocks), want(n * blocks);
    for (int i = 0; i < n * blocks; ++i) {
        in[i] = 5 * i;
        want[i] = 5 * i + i % n;
    }
    const Buffer<int> data(in);
    for (bool expect_first : {false, true}) {
        Buffer<int> out(n * blocks);
        round_trip<<<blocks, 64, n * sizeof(int)>>>(data, out, n, expect_first);
        CHECK_EQUAL(out.read(), want);
    }
}

CONFORMANCE_MAIN("bulk_copy")
