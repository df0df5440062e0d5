// The shadow memory that the checks need: at most 8 bytes for each byte of device memory that kernels access,
// in words or byte by byte. A GPU has no shadow memory, but the same kernels must have the same results
// there.
#include "conformance.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

using Byte = unsigned char;

constexpr int BYTES = 1 << 19;
constexpr int BLOCK = 256;

/// Device memory that no kernel has accessed before. Such memory is never freed, because the shadow of freed
/// memory would also be counted. Therefore, each case runs once in its own process, as CASE_FATAL does.
class Fresh {
  public:
    explicit Fresh(Byte value = 0) {
        REQUIRE_CUDA(cudaMalloc(&data_, BYTES));
        REQUIRE_CUDA(cudaMemset(data_, value, BYTES));
    }
    Byte* data() const { return data_; }
    operator Byte*() const { return data_; }

    Byte at(int i) const {
        Byte value = 0;
        CHECK_CUDA(cudaMemcpy(&value, data_ + i, 1, cudaMemcpyDeviceToHost), cudaSuccess);
        return value;
    }

  private:
    Byte* data_ = nullptr;  // never freed
};

/// Checks the size of the shadow after a kernel has accessed all of the memory.
void check_shadow(const Fresh& memory) {
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
#ifdef KIT_CPU
    const double ratio = static_cast<double>(kit::cpu::shadow_bytes(memory, BYTES)) / BYTES;
    CHECK_EQUAL(ratio >= 7 ? std::string("at least 7") : "only " + std::to_string(ratio), "at least 7");
    CHECK_EQUAL(ratio <= 8 ? std::string("at most 8") : std::to_string(ratio), "at most 8");
#else
    (void)memory;
#endif
}

__device__ int place() {
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

template <class T>
__global__ void add_one(T* data) {
    data[place()] = static_cast<T>(data[place()] + 1);
}

CASE_FATAL("words, and pairs of bytes") {
    const Fresh words(1), halves(1);
    add_one<<<BYTES / BLOCK / 4, BLOCK>>>(reinterpret_cast<int*>(words.data()));
    add_one<<<BYTES / BLOCK / 2, BLOCK>>>(reinterpret_cast<short*>(halves.data()));
    CHECK_EQUAL(words.at(4), Byte{2});
    CHECK_EQUAL(halves.at(2), Byte{2});
    check_shadow(words);
    check_shadow(halves);
}

__global__ void copy_bytes(const Byte* in, Byte* out) {
    out[place()] = in[place()];
}

CASE_FATAL("a copy of bytes, a thread per byte") {
    const Fresh in(5), out;
    copy_bytes<<<BYTES / BLOCK, BLOCK>>>(in, out);
    CHECK_EQUAL(out.at(BYTES - 1), Byte{5});
    check_shadow(in);
    check_shadow(out);
}

CASE_FATAL("a copy of bytes, a block per byte") {
    const Fresh in(5), out;
    copy_bytes<<<BYTES, 1>>>(in, out);
    CHECK_EQUAL(out.at(BYTES - 1), Byte{5});
    check_shadow(in);
    check_shadow(out);
}

/// A copy with a small grid, whose threads access memory in large strides.
__global__ void copy_in_strides(const Byte* in, Byte* out) {
    for (int i = place(); i < BYTES; i += static_cast<int>(gridDim.x * blockDim.x)) out[i] = in[i];
}

CASE_FATAL("a copy of bytes in long strides") {
    const Fresh in(5), out;
    copy_in_strides<<<1, 64>>>(in, out);
    CHECK_EQUAL(out.at(BYTES - 1), Byte{5});
    check_shadow(in);
    check_shadow(out);
}

/// Each thread counts in its own section, which does not end at the end of a word.
__global__ void count_in_sections(const Byte* in, int section, unsigned* bins) {
    const int end = min((place() + 1) * section, BYTES);
    for (int i = place() * section; i < end; ++i) atomicAdd(&bins[in[i]], 1u);
}

CASE_FATAL("a histogram of bytes, in sections") {
    const Fresh in(7);
    Buffer<unsigned> bins(256);
    constexpr int section = 61;
    count_in_sections<<<BYTES / section / BLOCK + 1, BLOCK>>>(in, section, bins);
    CHECK_EQUAL(bins.read()[7], static_cast<unsigned>(BYTES));
    check_shadow(in);
}

/// Accesses the four bytes of a word with four instructions.
__global__ void swap_colours(const uchar4* in, uchar4* out) {
    const uchar4 pixel = in[place()];
    out[place()].x = pixel.z;
    out[place()].y = pixel.y;
    out[place()].z = pixel.x;
    out[place()].w = pixel.w;
}

CASE_FATAL("pixels of four bytes, one member after another") {
    const Fresh in(9), out;
    swap_colours<<<BYTES / BLOCK / 4, BLOCK>>>(reinterpret_cast<const uchar4*>(in.data()),
                                               reinterpret_cast<uchar4*>(out.data()));
    CHECK_EQUAL(out.at(2), Byte{9});
    check_shadow(in);
    check_shadow(out);
}

constexpr int WIDTH = 1024, HEIGHT = BYTES / WIDTH;

__global__ void transpose(const Byte* in, Byte* out) {
    const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[x * HEIGHT + y] = in[y * WIDTH + x];
}

CASE_FATAL("a matrix of bytes is transposed") {
    const Fresh in(3), out;
    transpose<<<dim3(WIDTH / 32, HEIGHT / 8), dim3(32, 8)>>>(in, out);
    CHECK_EQUAL(out.at(HEIGHT), Byte{3});
    check_shadow(in);
    check_shadow(out);
}

/// Nine threads read each byte, with one instruction.
__global__ void blur(const Byte* in, Byte* out) {
    const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * 8 + threadIdx.y);
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            sum += in[(y + dy + HEIGHT) % HEIGHT * WIDTH + (x + dx + WIDTH) % WIDTH];
    out[y * WIDTH + x] = static_cast<Byte>(sum / 9);
}

CASE_FATAL("a picture of bytes is blurred") {
    const Fresh in(90), out;
    blur<<<dim3(WIDTH / 32, HEIGHT / 8), dim3(32, 8)>>>(in, out);
    CHECK_EQUAL(out.at(5), Byte{90});
    check_shadow(in);
    check_shadow(out);
}

/// Three threads read each byte, each with its own instruction.
__global__ void smooth(const Byte* in, Byte* out) {
    const int i = place();
    const int before = in[i == 0 ? 0 : i - 1], here = in[i], after = in[i == BYTES - 1 ? i : i + 1];
    out[i] = static_cast<Byte>((before + 2 * here + after) / 4);
}

CASE_FATAL("each byte is read by three threads at three instructions") {
    const Fresh in(80), out;
    smooth<<<BYTES / BLOCK, BLOCK>>>(in, out);
    CHECK_EQUAL(out.at(1), Byte{80});
    check_shadow(in);
    check_shadow(out);
}

CASE_FATAL("bytes that two streams use in turn") {
    const Fresh in(6), out, last;
    cudaStream_t a, b;
    cudaEvent_t copied;
    REQUIRE_CUDA(cudaStreamCreate(&a));
    REQUIRE_CUDA(cudaStreamCreate(&b));
    REQUIRE_CUDA(cudaEventCreate(&copied));
    copy_bytes<<<BYTES / BLOCK, BLOCK, 0, a>>>(in, out);
    CHECK_CUDA(cudaEventRecord(copied, a), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(b, copied, 0), cudaSuccess);
    smooth<<<BYTES / BLOCK, BLOCK, 0, b>>>(out, last);
    check_shadow(out);
    check_shadow(last);
    CHECK_EQUAL(last.at(1), Byte{6});
    cudaEventDestroy(copied);
    cudaStreamDestroy(b);
    cudaStreamDestroy(a);
}

/// Threads of two blocks write each byte, which is a race that the executor reports.
__global__ void race(Byte* data) {
    data[place() % BYTES] = static_cast<Byte>(place() / BYTES);
}

CASE_MISUSE("bytes that two blocks race for") {
    static const Fresh data(9);
    race<<<2 * BYTES / BLOCK, BLOCK>>>(data);
    CHECK(data.at(0) <= 1);
    check_shadow(data);
}

CONFORMANCE_MAIN("shadow")
