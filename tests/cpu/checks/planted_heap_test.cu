// Mistakes with malloc, free, new and delete in kernels.
#include "checks.cuh"

namespace {

/// Hides the pointer from the compiler, which would warn about the mistakes.
template <class T>
__device__ T* hidden(T* pointer) {
    T* volatile kept = pointer;
    return kept;
}

__global__ void behind_the_end(int* out) {
    int* const mine = hidden(new int[4]);
    for (int i = 0; i < 4; ++i) mine[i] = i;
    out[threadIdx.x] = mine[4];  // <-
    delete[] mine;
}

}  // namespace

PLANTED("a read behind the end of what new[] gave", "address", "allocated by new[] in a kernel") {
    Buffer<int> out(1);
    behind_the_end<<<1, 1>>>(out);
}

namespace {

__global__ void never_written(int* out) {
    int* const mine = hidden(static_cast<int*>(malloc(4 * sizeof(int))));
    mine[0] = 1;
    out[threadIdx.x] = mine[0] + mine[1];  // <-
    free(mine);
}

}  // namespace

PLANTED("what malloc gave has not been written", "uninitialised", "allocated by malloc in a kernel") {
    Buffer<int> out(1);
    never_written<<<1, 1>>>(out);
}

namespace {

__global__ void shared_block(int* out) {
    __shared__ int* block;
    if (threadIdx.x == 0) block = new int[64];
    __syncthreads();
    block[threadIdx.x] = 1;                      // <-
    out[threadIdx.x] = block[63 - threadIdx.x];  // <-
    __syncthreads();
    if (threadIdx.x == 0) delete[] block;
}

}  // namespace

PLANTED("a race on what new gave", "race", "allocated by new[] in a kernel") {
    Buffer<int> out(64);
    shared_block<<<1, 64>>>(out);
}

namespace {

__global__ void used_after_delete(int* out) {
    int* const mine = hidden(new int(5));
    delete hidden(mine);
    out[0] = *mine;  // <-
}

}  // namespace

PLANTED("a use after delete", "address", "which have been freed") {
    Buffer<int> out(1);
    used_after_delete<<<1, 1>>>(out);
}

namespace {

__global__ void free_twice() {
    void* const mine = malloc(16);
    free(hidden(mine));
    free(hidden(mine));  // <-
}

}  // namespace

PLANTED("freed twice", "argument", "freed twice") {
    free_twice<<<1, 1>>>();
}

namespace {

__global__ void delete_of_the_host(int* data) {
    delete[] data;  // <-
}

}  // namespace

PLANTED("a kernel deletes what cudaMalloc gave the host", "argument", "only the host can free") {
    Buffer<int> data(16);
    delete_of_the_host<<<1, 1>>>(data);
}

namespace {

__global__ void allocate(int** where) {
    *where = static_cast<int*>(malloc(64));
    for (int i = 0; i < 16; ++i) (*where)[i] = i;
}

}  // namespace

PLANTED("the host copies from the heap", "argument", "functions of the runtime cannot use") {
    Buffer<int*> where(1);
    allocate<<<1, 1>>>(where);
    int* const block = where.read()[0];
    int copy[16];
    cudaMemcpy(copy, block, sizeof copy, cudaMemcpyDeviceToHost);  // <-
}

PLANTED("the host frees a block of the heap", "argument", "Use the function that frees such memory") {
    Buffer<int*> where(1);
    allocate<<<1, 1>>>(where);
    int* const block = where.read()[0];
    cudaFree(block);  // <-
}

PLANTED("the host calls free() for a block of the heap", "argument",
        "let a kernel free memory that a kernel has allocated") {
    Buffer<int*> where(1);
    allocate<<<1, 1>>>(where);
    int* const block = where.read()[0];
    free(block);  // <-
}

CHECKS_MAIN("planted_heap")
