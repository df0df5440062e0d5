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

/// Reads 32 rows of 8 x 8 matrices by ldmatrix. Row i starts at 16-byte chunk i * row_chunks, plus its number if it is swizzled.
__global__ void read_rows(unsigned* out, int row_chunks, int swizzle) {
    __shared__ __align__(16) uint4 tile[32 * 9];
    for (unsigned i = threadIdx.x; i < 32 * 9; i += 32) tile[i] = uint4{};
    __syncwarp();
    const int row = static_cast<int>(threadIdx.x), chunk = row % 8 & swizzle;
    unsigned r[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&tile[row * row_chunks + chunk]))));
    out[threadIdx.x] = r[0] + r[1] + r[2] + r[3];
}

void check_rows(int row_chunks, int swizzle, unsigned wavefronts) {
    Buffer<unsigned> out(32);
    COUNTED((read_rows<<<1, 32>>>(out, row_chunks, swizzle)));
    CHECK_REQUESTS(shared_load, 1, 32, wavefronts, 4);
}

CASE("banks: ldmatrix is one request of 16 bytes per lane, one wavefront for each matrix without conflicts") {
    int major = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    if (major < 8) SKIP("it needs compute capability 8.0");
    check_rows(1, 0, 4);   // matrices without gaps
    check_rows(8, 0, 32);  // rows of 128 bytes: eight rows in the same banks
    check_rows(4, 0, 16);  // rows of 64 bytes
    check_rows(9, 0, 4);   // rows with a padding of 16 bytes
    check_rows(8, 7, 4);   // swizzled
    check_rows(8, 3, 8);   // swizzled by two bits only
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

// Tests of the profile: rounds of loops in which some lanes of a warp do nothing and wait. Each expected
// number follows from the addresses.

__global__ void neighbours(int* out, const int* in) {
    int sum = 0;
    for (int k = 0; k < 3; ++k) {
        const int i = static_cast<int>(threadIdx.x) + k - 1;
        if (i >= 0 && i < 32) sum += in[i];
    }
    out[threadIdx.x] = sum;
}
CASE("a lane that does nothing in a round waits for the others") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((neighbours<<<1, 32>>>(out, in)));
    // Lane 0 has no left neighbour, and lane 31 no right one. The sectors of lanes 1 to 31 are the same four
    // as those of all lanes.
    CHECK_REQUESTS(load, 3, 31 + 32 + 31, 12, 12);
    CHECK_DIVERGENT(2);
}

/// Returns whether the lane has work in inner round k of outer round i.
__host__ __device__ bool works(int lane, int i, int k) {
    return (lane + i + 2 * k) % 5 == 0;
}
__global__ void now_and_then(int* out, const int* in, const int* rounds) {
    const int lane = static_cast<int>(threadIdx.x);
    for (int i = 0; i < rounds[lane]; ++i)
        for (int k = 0; k < 4; ++k)
            if (works(lane, i, k)) out[lane] += in[32 * k + lane];
}
CASE("rounds of two loops, in which few lanes do something; the outer condition reads") {
    std::vector<int> rounds(32);
    for (int lane = 0; lane < 32; ++lane) rounds[lane] = 1 + lane % 3;
    Buffer<int> in(128, 1), out(32, 0), of_lane(rounds);
    COUNTED((now_and_then<<<1, 32>>>(out, in, of_lane)));
    // In each of 3 times 4 rounds some lane works: it loads from both arrays, and stores. The outer condition
    // is evaluated four times.
#ifdef KIT_CPU
    CHECK_EQUAL(profile.total(RequestKind::store).requests, std::uint64_t(12));
    CHECK_EQUAL(profile.total(RequestKind::load).requests, std::uint64_t(4 + 2 * 12));
#endif
    CHECK_EQUAL(out.read()[2], 2);  // the rounds i = 1, k = 1 and i = 2, k = 3
}

__device__ int every_fourth(const int* in, int lane, int rounds) {
    int sum = 0;
    for (int k = 0; k < rounds; ++k)
        if ((lane + k) % 4 == 0) sum += in[32 * k + lane];
    return sum;
}
__global__ void calls_loops(int* out, const int* in) {
    const int lane = static_cast<int>(threadIdx.x);
    int sum = every_fourth(in, lane, 2);
    for (int i = 0; i < 3; ++i) sum += every_fourth(in, lane, 4);
    out[lane] = sum + every_fourth(in, lane, 5);
}
CASE("loops of a helper, behind each other and in a loop") {
    Buffer<int> in(32 * 5, 1), out(32);
    COUNTED((calls_loops<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 2 + 3 * 4 + 5, 8 * (2 + 3 * 4 + 5), 4 * (2 + 3 * 4 + 5), 1 * (2 + 3 * 4 + 5));
    CHECK_REQUESTS(store, 1, 32, 4, 4);
}

__global__ void leaves_and_skips(int* out, const int* in) {
    const int lane = static_cast<int>(threadIdx.x);
    int k = 0, sum = 0;
    for (;;) {
        if (k == 4 + lane % 4) break;
        ++k;
        if (k % 2 == lane % 2) continue;
        sum += in[32 * k + lane];
    }
    do {
        if (k % 2 == 0) out[32 * k + lane] = sum;
    } while (--k > 0);
}
CASE("endless loops and conditions at the end; who continues waits for the next round, too") {
    Buffer<int> in(32 * 8, 1), out(32 * 8, 0);
    COUNTED((leaves_and_skips<<<1, 32>>>(out, in)));
    // Lanes run 4, 5, 6 or 7 rounds. Half of them load in rounds 1 to 4; in round 5 those that run 6; in
    // round 6 those that run 7; in 7 none.
    CHECK_REQUESTS(load, 6, 4 * 16 + 2 * 8, 6 * 4, 4 * 2 + 2 * 1);
    // In the next loop, half of the lanes store in each of four rounds, to two rows. Then the quarter with
    // more rounds stores.
    CHECK_REQUESTS(store, 6, 4 * 16 + 2 * 8, 4 * 8 + 2 * 4, 4 * 2 + 2 * 1);
}

__global__ void rows(int* out, const int* in, const int* begins) {
    int sum = 0;
    for (int k = begins[threadIdx.x]; k < begins[threadIdx.x + 1]; ++k) sum += in[k];
    out[threadIdx.x] = sum;
}
CASE("what is the same in all rounds is loaded once, as with nvcc") {
    std::vector<int> two_each(33);
    for (int i = 0; i < 33; ++i) two_each[i] = 2 * i;
    Buffer<int> in(64, 1), out(32), begins(two_each);
    COUNTED((rows<<<1, 32>>>(out, in, begins)));
    // Loads begin and end of the row. The ends begin one word later, so they need a fifth sector. Then two
    // rounds load eight sectors each.
    CHECK_REQUESTS(load, 2 + 2, 4 * 32, 4 + 5 + 2 * 8, 4 + 4 + 2 * 4);
}

CONFORMANCE_MAIN("profile")
