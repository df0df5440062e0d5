// Threads that switch to the next thread without the executor, as in a program of kitcc -unchecked: in a loop
// without waits, or at a barrier. Each kernel leaves this mode at some point, and every result must be the
// same as with the executor.
//
// build: kitcc -unchecked turns.cu -o turns
// run  : ./turns        status 0 if the results are correct
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <vector>

/// After a barrier, every thread must see the stores before it. The barrier is in a function that is not
/// inlined.
__device__ void all_come() {
    __syncthreads();
}
__device__ unsigned my_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__global__ void neighbours(unsigned* out) {
    __shared__ unsigned of[1024];
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z, t = my_rank();
    for (int round = 0; round < 5; ++round) {
        of[t] = my_rank() + round;
        all_come();
        const unsigned next = of[(t + 1) % threads];
        __syncthreads();
        of[t] = next;
    }
    out[blockIdx.x * threads + my_rank()] = of[t];
}

/// Has no barrier, only a loop of threads. The stores of this kernel have the type of the index.
__global__ void indices(unsigned* out) {
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    out[blockIdx.x * threads + my_rank()] = my_rank();
}

/// Some threads return early, others reach a barrier, and the last warp synchronizes without the other warps.
__global__ void some_leave(unsigned* out, unsigned n) {
    const unsigned t = my_rank();
    if (t < 3 || t >= n) {
        if (t < 3) out[t] = t;
        return;
    }
    unsigned sum = t;
    if (t % 32 == 7) sum = __shfl_down_sync(1u << 7, sum, 0);
    out[t] = sum;
}

/// The loop of threads ends in the middle of a row, because all threads after that point wait.
__global__ void later_ones_wait(unsigned* out) {
    __shared__ unsigned count;
    const unsigned t = my_rank(), w = t / 32;
    if (t == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1u);
    const unsigned all = __syncthreads_count(t % 2);
    unsigned value = t;
    if (w % 2) value = __shfl_xor_sync(0xffffffffu, value, 1);
    __syncthreads();
    out[t] = value + count + all;
}

/// A thread waits for a later thread, with an atomic in global memory and then in shared memory.
__global__ void waits_for_the_last(unsigned* flag, unsigned* out) {
    __shared__ unsigned here;
    const unsigned t = threadIdx.x;
    if (t == 0) {
        while (atomicAdd(flag, 0u) != blockDim.x - 1) {
        }
        here = 0;
    } else {
        atomicAdd(flag, 1u);
    }
    __syncthreads();
    if (t == 5)
        while (atomicAdd(&here, 0u) != blockDim.x - 1) {
        }
    else
        atomicAdd(&here, 1u);
    __syncthreads();
    out[t] = here;
}

/// The index is read in a loop with floats and, at times, by a function outside of the loop.
__device__ __noinline__ unsigned index_outside() {
    return threadIdx.x;
}
__global__ void asked_outside(const float* in, float* sum, unsigned* out) {
    const unsigned t = threadIdx.x;
    sum[t] = in[t] + 1;
    if (t % 5 == 3) out[t] = index_outside() + static_cast<unsigned>(sum[t]);
}

/// Each block waits for the next block. All blocks are resident, and each has its own shared memory, which a
/// function declares.
__device__ unsigned& number_of_block() {
    __shared__ unsigned number;
    return number;
}
__global__ void waits_for_the_next_block(unsigned* begun, unsigned* out) {
    if (threadIdx.x == 0) {
        number_of_block() = blockIdx.x;
        atomicAdd(&begun[blockIdx.x], 1u);
        while (blockIdx.x + 1 < gridDim.x && atomicAdd(&begun[blockIdx.x + 1], 0u) == 0) {
        }
    }
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) out[blockIdx.x] = number_of_block();
}

/// An error must stop the kernel at the correct place, even if its threads switch without the executor.
__global__ void two_barriers(int kind, unsigned* nowhere) {
    __shared__ unsigned of[256];
    of[threadIdx.x] = 0;
    __syncthreads();
    if (kind == 0 && threadIdx.x == 100) nowhere[0] = 1;
    if (kind == 1 && threadIdx.x >= 40) __syncthreads();
    __syncthreads();
    if (kind == 2 && threadIdx.x == 100)
        for (volatile int i = 0; i >= 0;) {
        }
    __syncthreads();
}
__global__ void reaches_nothing(unsigned* nowhere) {
    nowhere[threadIdx.x] = 1;
}

/// An argument has the same name as the kernel, and a template is launched by its address.
__global__ void doubled(unsigned* doubled) {
    doubled[threadIdx.x] = 2 * threadIdx.x;
}
template <class T, int Factor>
__global__ void times(T* out, T plus = 1) {
    out[threadIdx.x] = Factor * threadIdx.x + plus;
}

int failures = 0;

void expect(const char* name, const std::vector<unsigned>& got,
            const std::function<unsigned(unsigned)>& want) {
    for (unsigned i = 0; i < got.size(); ++i) {
        if (got[i] == want(i)) continue;
        std::printf("%s: element %u is %u and should be %u\n", name, i, got[i], want(i));
        ++failures;
        return;
    }
}

std::vector<unsigned> result(const unsigned* out, unsigned count) {
    std::vector<unsigned> values(count);
    const cudaError_t error =
        cudaMemcpy(values.data(), out, count * sizeof(unsigned), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorString(error));
        ++failures;
    }
    return values;
}

void expect_error(const char* name, cudaError_t want) {
    const cudaError_t got = cudaDeviceSynchronize();
    cudaDeviceReset();
    if (got == want) return;
    std::printf("%s: %s instead of %s\n", name, cudaGetErrorName(got), cudaGetErrorName(want));
    ++failures;
}

int main() {
    constexpr unsigned most = 8 * 1024;
    unsigned *out, *flag;
    cudaMalloc(&out, most * sizeof *out);
    cudaMalloc(&flag, sizeof *flag);
    for (const dim3 block :
         {dim3(256), dim3(16, 16), dim3(7, 5, 3), dim3(1, 64), dim3(1024), dim3(33), dim3(1)}) {
        const unsigned threads = block.x * block.y * block.z;
        cudaMemset(out, 0xff, most * sizeof *out);
        indices<<<8, block>>>(out);
        expect("indices", result(out, 8 * threads), [&](unsigned i) { return i % threads; });
        neighbours<<<8, block>>>(out);
        expect("neighbours", result(out, 8 * threads), [&](unsigned i) { return (i + 1) % threads + 4; });
    }
    cudaMemset(out, 0, most * sizeof *out);
    some_leave<<<1, 256>>>(out, 200);
    expect("some_leave", result(out, 256), [](unsigned i) { return i < 200 ? i : 0; });
    later_ones_wait<<<1, dim3(16, 16)>>>(out);
    expect("later_ones_wait", result(out, 256),
           [](unsigned i) { return (i / 32 % 2 ? i ^ 1 : i) + 256 + 128; });
    cudaMemset(flag, 0, sizeof *flag);
    waits_for_the_last<<<1, 100>>>(flag, out);
    expect("waits_for_the_last", result(out, 100), [](unsigned) { return 99; });
    cudaMemset(out, 0, most * sizeof *out);
    asked_outside<<<1, 256>>>(reinterpret_cast<float*>(out + 256), reinterpret_cast<float*>(out + 512), out);
    expect("asked_outside", result(out, 256), [](unsigned i) { return i % 5 == 3 ? i + 1 : 0; });
    cudaMemset(out, 0, most * sizeof *out);
    waits_for_the_next_block<<<600, 64>>>(out + 1024, out);
    expect("waits_for_the_next_block", result(out, 600), [](unsigned i) { return i; });
    doubled<<<1, 100>>>(out);
    expect("doubled", result(out, 100), [](unsigned i) { return 2 * i; });
    times<unsigned, 3><<<1, 100>>>(out);
    expect("times", result(out, 100), [](unsigned i) { return 3 * i + 1; });
    unsigned two = 2;
    void* arguments[] = {&out, &two};
    cudaLaunchKernel(reinterpret_cast<const void*>(&times<unsigned, 5>), dim3(1), dim3(100), arguments, 0,
                     nullptr);
    expect("times by address", result(out, 100), [](unsigned i) { return 5 * i + 2; });
    cudaDeviceSynchronize();
    reaches_nothing<<<4, 64>>>(nullptr);
    expect_error("reaches_nothing", cudaErrorIllegalAddress);
    for (int kind = 0; kind < 3; ++kind) {
        two_barriers<<<4, 256>>>(kind, nullptr);
        expect_error("two_barriers", std::vector<cudaError_t>{cudaErrorIllegalAddress, cudaErrorLaunchFailure,
                                                              cudaErrorLaunchTimeout}[kind]);
    }
    cudaMalloc(&out, most * sizeof *out);
    neighbours<<<8, 256>>>(out);
    expect("neighbours", result(out, 8 * 256), [&](unsigned i) { return (i + 1) % 256 + 4; });
    std::printf("%d failures\n", failures);
    return failures != 0;
}
