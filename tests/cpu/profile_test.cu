// Tests of the profile: memory requests of warps, counted line by line. The expected numbers follow from the
// addresses. On a GPU, the kernels run without counting.
#include <cuda/barrier>
#include <utility>

#include "profile_fixture.cuh"

// ---- global memory ----

template <class T>
__global__ void copy_strided(T* out, const T* in, int stride, int offset) {
    out[threadIdx.x] = in[threadIdx.x * stride + offset];
}

template <class T>
void check_width(unsigned sectors) {
    Buffer<T> in(32, T{}), out(32);
    COUNTED((copy_strided<T><<<1, 32>>>(out, in, 1, 0)));
    CHECK_REQUESTS(load, 1, 32, sectors, sectors);
    CHECK_REQUESTS(store, 1, 32, sectors, sectors);
}

CASE("one request of a full warp for each width") {
    check_width<unsigned char>(1);
    check_width<short>(2);
    check_width<float>(4);
    check_width<double>(8);
    check_width<int4>(16);
}

struct Halves {
    double low, high;
};
CASE("16 bytes are one request if they are aligned to 16, and otherwise two") {
    {
        Buffer<double2> in(32, double2{1, 2}), out(32);
        COUNTED((copy_strided<double2><<<1, 32>>>(out, in, 1, 0)));
        CHECK_REQUESTS(load, 1, 32, 16, 16);
    }
    Buffer<Halves> in(32, Halves{1, 2}), out(32);
    COUNTED((copy_strided<Halves><<<1, 32>>>(out, in, 1, 0)));
    CHECK_REQUESTS(load, 2, 64, 32, 16);
    CHECK_REQUESTS(store, 2, 64, 32, 16);
}

CASE("shifted by one element: one sector more") {
    Buffer<float> in(64, 1.0f), out(32);
    COUNTED((copy_strided<<<1, 32>>>(static_cast<float*>(out), static_cast<const float*>(in), 1, 1)));
    CHECK_REQUESTS(load, 1, 32, 5, 4);
#ifdef KIT_CPU
    CHECK_EQUAL(profile.lines.size(), 1u);
    if (profile.lines.empty()) return;
    CHECK_EQUAL(kit::cpu::cost_in_words(profile.lines[0], RequestKind::load),
                std::string("5 sectors per request, 4 are enough: neighbours are contiguous, but do not "
                            "begin with a sector"));
    CHECK_EQUAL(kit::cpu::cost_in_words(profile.lines[0], RequestKind::store), std::string());
#endif
}

CASE("strides of 2, 8 and 40 elements") {
    Buffer<float> in(32 * 40, 1.0f), out(32);
    for (const auto& [stride, sectors] : {std::pair(2, 8), std::pair(8, 32), std::pair(40, 32)}) {
        COUNTED(
            (copy_strided<<<1, 32>>>(static_cast<float*>(out), static_cast<const float*>(in), stride, 0)));
        CHECK_REQUESTS(load, 1, 32, sectors, 4);
    }
}

CASE("all lanes read one value: one sector") {
    Buffer<float> in(1, 1.0f), out(32);
    COUNTED((copy_strided<<<1, 32>>>(static_cast<float*>(out), static_cast<const float*>(in), 0, 0)));
    CHECK_REQUESTS(load, 1, 32, 1, 1);
}

__global__ void copy_reversed(float* out, const float* in) {
    out[threadIdx.x] = in[threadIdx.x ^ 31];
}
__global__ void read_in_pairs(float* out, const float* in, unsigned distance) {
    out[threadIdx.x] = in[threadIdx.x / 2 * distance];
}
CASE("neighbours read one value: ideal are the bytes of all lanes, or what it takes") {
    Buffer<float> in(16 * 32, 1.0f), out(32);
    {
        COUNTED((read_in_pairs<<<1, 32>>>(out, in, 32)));
        CHECK_REQUESTS(load, 1, 32, 16, 4);
    }
    COUNTED((read_in_pairs<<<1, 32>>>(out, in, 1)));
    CHECK_REQUESTS(load, 1, 32, 2, 2);
}

CASE("the order of the lanes makes no difference") {
    Buffer<float> in(32, 1.0f), out(32);
    COUNTED((copy_reversed<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 1, 32, 4, 4);
}

CASE("a last warp that is not full, and one that does nothing") {
    Buffer<float> in(70, 1.0f), out(70);
    COUNTED((copy_some<<<1, 128>>>(out, in, 70)));
    CHECK_REQUESTS(load, 3, 70, 9, 9);
}

// ---- shared memory ----

template <class T>
__global__ void read_tile(T* out, int stride) {
    __shared__ T tile[32 * 33];
    for (unsigned i = threadIdx.x; i < 32 * 33; i += 32) tile[i] = T{};
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * stride];
}

template <class T>
void check_tile(int stride, unsigned wavefronts, unsigned ideal, unsigned of_store = 0) {
    if (!of_store) of_store = ideal;
    Buffer<T> out(32);
    COUNTED((read_tile<T><<<1, 32>>>(out, stride)));
    CHECK_REQUESTS(shared_load, 1, 32, wavefronts, ideal);
    CHECK_REQUESTS(shared_store, 33, 33 * 32, 33 * of_store, 33 * of_store);
}

CASE("banks: strides of 4 bytes each") {
    check_tile<float>(1, 1, 1);
    check_tile<float>(0, 1, 1);  // all lanes read one word
    check_tile<float>(2, 2, 1);
    check_tile<float>(3, 1, 1);
    check_tile<float>(4, 4, 1);
    check_tile<float>(32, 32, 1);
    check_tile<float>(33, 1, 1);
}
CASE("banks: narrow values share words") {
    check_tile<unsigned char>(1, 1, 1);
    check_tile<short>(1, 1, 1);
    check_tile<unsigned char>(8, 2, 1);
}
CASE("banks: 8 bytes by half warps, 16 by quarters") {
    check_tile<double>(1, 2, 2);
    check_tile<double>(2, 4, 2);
    check_tile<double>(32, 32, 2);
    check_tile<int4>(1, 4, 4);
    check_tile<int4>(32, 32, 4);
    check_tile<int4>(33, 4, 4);
}

CASE("banks: wide loads of which neighbours want the same go together, as on an H200; stores do not") {
    check_tile<double>(0, 1, 1, 2);
    check_tile<int4>(0, 2, 2, 4);
}

__global__ void pass_on(int* out) {
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int tile[32];
    __shared__ alignas(Barrier) unsigned char room[sizeof(Barrier)];
    Barrier& barrier = *reinterpret_cast<Barrier*>(room);
    if (threadIdx.x == 0) init(&barrier, 32);
    __syncthreads();
    tile[threadIdx.x] = threadIdx.x;
    Barrier::arrival_token token = barrier.arrive();
    barrier.wait(std::move(token));
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

CASE("what a cuda::barrier does with its own words is no load and no store") {
    Buffer<int> out(32);
    COUNTED((pass_on<<<1, 32>>>(out)));
    CHECK_REQUESTS(shared_load, 1, 32, 1, 1);
    CHECK_REQUESTS(shared_store, 1, 32, 1, 1);
}

// ---- atomics, barriers, what was read before ----

__global__ void count_values(unsigned* bins, const int* in) {
    atomicAdd(&bins[in[threadIdx.x]], 1u);
}
CASE("atomics: distinct addresses of a request, and in the whole kernel") {
    std::vector<int> values(64);
    for (int i = 0; i < 64; ++i) values[i] = i < 32 ? i % 8 : 5;
    Buffer<int> in(values);
    Buffer<unsigned> bins(16, 0u);
    COUNTED((count_values<<<1, 64>>>(bins, in)));
    CHECK_REQUESTS(atomic, 2, 64, 8 + 1, 64);
    CHECK_REQUESTS(load, 2, 64, 8, 8);
#ifdef KIT_CPU
    std::uint64_t addresses = 0;
    for (const kit::cpu::LineCounts& line : profile.lines) addresses += line.addresses;
    CHECK_EQUAL(addresses, 8u);
#endif
}

__global__ void three_rounds(int* out, const int* in) {
    __shared__ int tile[64];
    int sum = 0;
    for (int round = 0; round < 3; ++round) {
        tile[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
CASE("barriers are counted by warps; rounds two and three read what the warp has just read") {
    Buffer<int> in(64, 1), out(64);
    COUNTED((three_rounds<<<1, 64>>>(out, in)));
    CHECK_REQUESTS(load, 6, 192, 24, 24);
    CHECK_REQUESTS(shared_load, 6, 192, 6, 6);
#ifdef KIT_CPU
    std::uint64_t barriers = 0, repeated = 0;
    for (const kit::cpu::LineCounts& line : profile.lines) {
        barriers += line.barriers;
        repeated += line.repeated;
    }
    CHECK_EQUAL(barriers, 2u * 3u * 2u);
    CHECK_EQUAL(repeated, 4u);
#endif
}

__global__ void overwritten(int* data) {
    const int before = data[threadIdx.x];
    data[threadIdx.x] = before + 1;
    const int after = static_cast<volatile int*>(data)[threadIdx.x];
    data[threadIdx.x] = 2 * after;
}
CASE("what has been written since is no repetition") {
    Buffer<int> data(32, 1);
    COUNTED((overwritten<<<1, 32>>>(data)));
    CHECK_REQUESTS(load, 2, 64, 8, 8);
#ifdef KIT_CPU
    for (const kit::cpu::LineCounts& line : profile.lines) CHECK_EQUAL(line.repeated, 0u);
#endif
}

CONFORMANCE_MAIN("profile")
