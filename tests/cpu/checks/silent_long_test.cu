// Correct kernels that pass more barriers, meetings and fences than a record of the checks can count (2^16).
#include <cooperative_groups.h>

#include <cuda/barrier>

#include "checks.cuh"

__global__ void many_barriers(int* out, int rounds) {
    __shared__ int tile[34];
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
        tile[threadIdx.x] = i;
        __syncthreads();
        sum ^= tile[(threadIdx.x + 33) % 34];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
SILENT("a tile is filled and read 40,000 times, with two barriers a round") {
    Buffer<int> out(34);
    many_barriers<<<1, 34>>>(out, 40000);
    CHECK_EQUAL(out.read()[0], 0);
}

__global__ void many_warp_barriers(int* out, int rounds) {
    __shared__ int lanes[4];
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
        lanes[threadIdx.x] = i;
        __syncwarp();
        sum ^= lanes[(threadIdx.x + 1) % 4];
        __syncwarp();
    }
    out[threadIdx.x] = sum;
}
SILENT("a warp that meets 80,000 times") {
    Buffer<int> out(4);
    many_warp_barriers<<<1, 4>>>(out, 40000);
    CHECK_EQUAL(out.read()[0], 0);
}

__global__ void many_grid_barriers(int* out, int rounds) {
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int i = 0; i < rounds; ++i) {
        out[blockIdx.x] = i;
        grid.sync();
        if (out[1 - blockIdx.x] != i) __trap();
        grid.sync();
    }
}
SILENT("two blocks that meet 80,000 times") {
    Buffer<int> out(2);
    int rounds = 40000, *data = out;
    void* arguments[] = {&data, &rounds};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(many_grid_barriers), dim3(2), dim3(1), arguments);
    CHECK_EQUAL(out.read()[0], 39999);
}

__global__ void many_fences(int* value, int* flag, int rounds) {
    if (threadIdx.x == 0) {
        for (int i = 0; i < rounds; ++i) {
            *value = i;
            __threadfence();
        }
        atomicExch(flag, 1);
    } else if (threadIdx.x == 32) {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        ++*value;
    }
}
SILENT("a message after 70,000 fences") {
    Buffer<int> value(1), flag(1);
    many_fences<<<1, 64>>>(value, flag, 70000);
    CHECK_EQUAL(value.read()[0], 70000);
}

/// A block that continues under a new number is still the block with which another block has synchronized.
__global__ void heard_of_long_ago(int* data, int* flag, int rounds) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 7;
        for (int i = 0; i < rounds; ++i) __syncthreads();
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) atomicExch(flag, 1);
    } else {
        if (threadIdx.x == 0)
            while (atomicAdd(flag, 0) == 0) {
            }
        __threadfence();
        __syncthreads();
        data[threadIdx.x + 2] = data[threadIdx.x];
    }
}
SILENT("a message about what lies 40,000 barriers back") {
    Buffer<int> data(4), flag(1);
    heard_of_long_ago<<<2, 2>>>(data, flag, 40000);
    CHECK_EQUAL(data.read()[3], 7);
}

__global__ void many_phases(int* out, int rounds) {
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(Barrier) unsigned char room[sizeof(Barrier)];
    __shared__ int tile[2];
    auto* const barrier = reinterpret_cast<Barrier*>(room);
    if (threadIdx.x == 0) init(barrier, 2);
    __syncthreads();
    for (int i = 0; i < rounds; ++i) {
        tile[threadIdx.x] = i;
        barrier->arrive_and_wait();
        out[threadIdx.x] = tile[1 - threadIdx.x];
        barrier->arrive_and_wait();
    }
}
SILENT("200,000 phases of a cuda::barrier") {
    Buffer<int> out(2);
    many_phases<<<1, 2>>>(out, 100000);
    CHECK_EQUAL(out.read()[0], 99999);
}

/// One thread passes to its own block what it has acquired from another block, after the same number of warp
/// barriers.
__global__ void told_on_later(int* data, int* flags, int rounds) {
    if (blockIdx.x == 0) {
        if (threadIdx.x > 0) return;
        data[0] = 7;
        __threadfence();
        atomicExch(&flags[0], 1);
    } else if (threadIdx.x < 32) {
        if (threadIdx.x == 0) {
            while (atomicAdd(&flags[0], 0) == 0) {
            }
            __threadfence();
            data[1] = 8;
            __threadfence_block();
        }
        for (int i = 0; i < rounds; ++i) __syncwarp();
        if (threadIdx.x == 0) atomicExch_block(&flags[1], 1);
    } else if (threadIdx.x == 32) {
        while (atomicAdd_block(&flags[1], 0) == 0) {
        }
        __threadfence_block();
        data[2] = data[0] + data[1];
    }
}
SILENT("a message that is told on after 100,000 warp barriers") {
    Buffer<int> data(3), flags(2);
    told_on_later<<<2, 64>>>(data, flags, 100000);
    CHECK_EQUAL(data.read()[2], 15);
}

CHECKS_MAIN("silent_long")
