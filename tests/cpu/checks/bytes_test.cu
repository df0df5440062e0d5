// Programs that access so much memory byte by byte that a byte's records are packed before its next access
// (byte_cells.hpp). Every race must still be found, and nothing else.
#include "streams.cuh"

constexpr int BYTES = 1 << 14;
constexpr int BLOCK = 256;

using Byte = unsigned char;

// ---- a thread per byte ------------------------------------------------------------------------------------------

/// A kernel that lets each thread access all of the memory before the next thread starts.
__global__ void reads_beside(const Byte* in, Byte* data, int* sums) {
    for (unsigned i = threadIdx.x; i < BYTES; i += BLOCK) data[i] = in[i];  // <-
    int sum = 0;
    for (unsigned i = threadIdx.x; i < BYTES; i += BLOCK) sum += data[i ^ 1];  // <-
    sums[threadIdx.x] = sum;
}
PLANTED("every byte is read by a neighbour of its writer", "race", "no barrier") {
    Buffer<Byte> in(BYTES), data(BYTES);
    Buffer<int> sums(BLOCK);
    reads_beside<<<1, BLOCK>>>(in, data, sums);
}

/// A kernel in which one thread reads one byte that a different thread has written.
__global__ void reads_one_beside(const Byte* in, Byte* data, int* sums) {
    for (unsigned i = threadIdx.x; i < BYTES; i += BLOCK) data[i] = in[i];  // <-
    int sum = 0;
    for (unsigned i = threadIdx.x; i < BYTES; i += BLOCK) sum += data[i == 5000 ? 5001 : i];  // <-
    sums[threadIdx.x] = sum;
}
PLANTED("one byte of many is read by a neighbour of its writer", "race", "no barrier") {
    Buffer<Byte> in(BYTES), data(BYTES);
    Buffer<int> sums(BLOCK);
    reads_one_beside<<<1, BLOCK>>>(in, data, sums);
}

__global__ void reads_after_barrier(const Byte* in, Byte* data, int* sums) {
    for (unsigned i = threadIdx.x; i < BYTES; i += BLOCK) data[i] = in[i];
    __syncthreads();
    int sum = 0;
    for (unsigned i = threadIdx.x; i < BYTES; i += BLOCK) sum += data[i ^ 1];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < BYTES; i += BLOCK) data[i ^ 3] = static_cast<Byte>(sum);
}
SILENT("bytes are exchanged with barriers between") {
    Buffer<Byte> in(BYTES, 1), data(BYTES);
    Buffer<int> sums(BLOCK);
    reads_after_barrier<<<1, BLOCK>>>(in, data, sums);
    CHECK_EQUAL(sums.read(), std::vector<int>(BLOCK, BYTES / BLOCK));
    CHECK_EQUAL(data.read(), std::vector<Byte>(BYTES, BYTES / BLOCK));
}

__global__ void reads_beside_in_tile(int* sums) {
    __shared__ Byte tile[BYTES / 2];
    for (unsigned i = threadIdx.x; i < BYTES / 2; i += BLOCK) tile[i] = 1;  // <-
    int sum = 0;
    for (unsigned i = threadIdx.x; i < BYTES / 2; i += BLOCK) sum += tile[i ^ 1];  // <-
    sums[threadIdx.x] = sum;
}
PLANTED("every byte of a large tile is read by a neighbour of its writer", "race", "race on `tile[") {
    Buffer<int> sums(BLOCK);
    reads_beside_in_tile<<<1, BLOCK>>>(sums);
}

/// A kernel in which two blocks each write one half of a word.
__global__ void writes_halves(short* data, int halves) {
    for (unsigned i = threadIdx.x; i < BYTES / 4; i += BLOCK)
        data[2 * i + blockIdx.x % static_cast<unsigned>(halves)] = static_cast<short>(blockIdx.x);  // <-
}
PLANTED("two blocks write the same half of every word", "race", "nothing orders two blocks") {
    Buffer<short> data(BYTES / 2);
    writes_halves<<<2, BLOCK>>>(data, 1);
}
SILENT("two blocks write different halves of every word") {
    Buffer<short> data(BYTES / 2);
    writes_halves<<<2, BLOCK>>>(data, 2);
    const std::vector<short> got = data.read();
    for (int i = 0; i < BYTES / 2; i += 101) CHECK_EQUAL(got[i], static_cast<short>(i % 2));
}

// ---- words that are too mixed to be packed --------------------------------------------------------------------------

/// Block k and block k + 4 read byte k of each word. Each byte has its own instruction and its own number of
/// barriers before it.
__device__ int read_motley(const Byte* data) {
    const unsigned k = blockIdx.x % 4, first = blockIdx.x * 37 % BLOCK;
    for (unsigned i = 0; i < blockIdx.x; ++i) __syncthreads();
    int sum = 0;
    for (unsigned i = threadIdx.x; i < BYTES / 4; i += BLOCK) {
        const Byte* const word = data + 4 * ((i + first) % (BYTES / 4));
        sum += k == 0 ? word[0] : k == 1 ? -word[1] : k == 2 ? word[2] ^ 5 : word[3] | 3;  // <-
    }
    return sum;
}

__global__ void one_block_writes(Byte* data, int* sums) {
    if (blockIdx.x < 8) {
        sums[blockIdx.x * BLOCK + threadIdx.x] = read_motley(data);
    } else {
        for (unsigned i = 4 * threadIdx.x; i < BYTES; i += 4 * BLOCK) data[i] = 1;  // <-
    }
}
PLANTED("one of the bytes that others read each in its own way is written", "race", "of block (8,0,0)") {
    Buffer<Byte> data(BYTES);
    Buffer<int> sums(8 * BLOCK);
    one_block_writes<<<9, BLOCK>>>(data, sums);
}

__global__ void blocks_read(const Byte* data, int* sums) {
    sums[blockIdx.x * BLOCK + threadIdx.x] = read_motley(data);
}
// ---- several kernels ---------------------------------------------------------------------------------------------------

__global__ void fill_bytes(Byte* data) {
    data[blockIdx.x * BLOCK + threadIdx.x] = 1;
}
SILENT("many blocks read bytes, each in its own way") {
    Buffer<Byte> data(BYTES, 1);
    Buffer<int> sums(8 * BLOCK);
    blocks_read<<<8, BLOCK>>>(data, sums);
    fill_bytes<<<BYTES / BLOCK, BLOCK>>>(data);
    CHECK_EQUAL(sums.read()[0], BYTES / 4 / BLOCK);
}

__global__ void put_bytes(Byte* data) {
    data[blockIdx.x * BLOCK + threadIdx.x] = 2;  // <-
}
__global__ void count_bytes(const Byte* data, int* sum) {
    const Byte byte = data[blockIdx.x * BLOCK + threadIdx.x];  // <-
    atomicAdd(sum, byte);
}
PLANTED("bytes are written in one stream and read in another", "race", "`count_bytes`") {
    Buffer<Byte> data(BYTES);
    Buffer<int> sum(1);
    Streams streams;
    put_bytes<<<BYTES / BLOCK, BLOCK, 0, streams.a>>>(data);
    count_bytes<<<BYTES / BLOCK, BLOCK, 0, streams.b>>>(data, sum);
}
SILENT("bytes are written in one stream, and after an event read in another") {
    Buffer<Byte> data(BYTES);
    Buffer<int> sum(1);
    Streams streams;
    cudaEvent_t written;
    REQUIRE_CUDA(cudaEventCreate(&written));
    put_bytes<<<BYTES / BLOCK, BLOCK, 0, streams.a>>>(data);
    CHECK_CUDA(cudaEventRecord(written, streams.a), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(streams.b, written), cudaSuccess);
    count_bytes<<<BYTES / BLOCK, BLOCK, 0, streams.b>>>(data, sum);
    CHECK_EQUAL(sum.read(), std::vector<int>{2 * BYTES});
    cudaEventDestroy(written);
}

__global__ void put_before_copy(Byte* data) {
    data[blockIdx.x * BLOCK + threadIdx.x] = 3;  // <-
}
PLANTED("bytes are written in one stream and copied in another", "race", "cudaMemcpyAsync") {
    Buffer<Byte> data(BYTES), copy(BYTES);
    Streams streams;
    put_before_copy<<<BYTES / BLOCK, BLOCK, 0, streams.a>>>(data);
    cudaMemcpyAsync(copy, data, BYTES, cudaMemcpyDeviceToDevice, streams.b);  // <-
}

CHECKS_MAIN("bytes")
