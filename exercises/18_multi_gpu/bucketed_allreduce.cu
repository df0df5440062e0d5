// 18_multi_gpu/bucketed_allreduce: gradients that travel while the next bucket is computed.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests bucketed_allreduce.cu
//        ../../tests/18_multi_gpu/bucketed_allreduce_test.cu -lnccl -o bucketed_allreduce
// Run:   ./bucketed_allreduce
//
//   v6  backward, update: kernels in one stream of each device, collectives in a second one

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "18_multi_gpu/nccl_check.hpp"
#include "kit.cuh"

namespace multi_gpu {

__global__ void make_bucket(unsigned* delta, unsigned* gradient, int size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    delta[i] = 2654435761u * delta[i] + 12345u;
    gradient[i] = delta[i] >> 8;
}

__global__ void subtract(const unsigned* gradient, unsigned* weights, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) weights[i] -= gradient[i];
}

// v6: like v4, but with one collective per bucket, in a separate stream.
// Cost    : one collective per bucket; all of them except the last are hidden if the kernels take longer.
// Requires: all ranks use the same order of buckets; one event marks each computed bucket, and one marks the arrival of all.
// Next    : kernels that send data themselves; see the lecture.
// [backward]
void backward(const Worker* workers, int ranks, const Buckets& buckets) {
    int current = 0;
    CUDA_CHECK(cudaGetDevice(&current));
    for (int bucket = buckets.count() - 1; bucket >= 0; --bucket) {
        int begin = buckets.begin(bucket);
        int size = buckets.size(bucket);

        // TODO(1): On each device, compute this bucket with make_bucket() in worker.compute. Fork: let worker.communicate wait
        // until the bucket is computed. About 9 lines.
        KIT_TODO(1, workers, ranks, begin, size);

        // TODO(2): Sum this bucket over all ranks, in place, in worker.communicate. About 7 lines.
        KIT_TODO(2, workers, ranks, begin, size);
    }
    CUDA_CHECK(cudaSetDevice(current));
}
// [/backward]

// [update]
void update(const Worker* workers, int ranks, int n) {
    int current = 0;
    CUDA_CHECK(cudaGetDevice(&current));
    for (int rank = 0; rank < ranks; ++rank) {
        const Worker& own = workers[rank];
        CUDA_CHECK(cudaSetDevice(own.device));

        // TODO(3): Join: let worker.compute wait for all work in worker.communicate. Then launch subtract(). 4 lines.
        KIT_TODO(3, own, n);
    }
    CUDA_CHECK(cudaSetDevice(current));
}
// [/update]

}  // namespace multi_gpu
