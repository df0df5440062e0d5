// What warps ask memory for, counted line by line: the numbers follow from the addresses, whatever the schedule. On a GPU the
// kernels run, and nobody counts.
#include <cooperative_groups.h>

#include "conformance.cuh"
#ifdef KIT_CPU
#include <kit_cpu/profile.hpp>

using kit::cpu::KernelProfile;
using kit::cpu::RequestCounts;
using kit::cpu::RequestKind;

/// All that kernels do meanwhile, together.
template <class Launch>
KernelProfile counted(Launch launch) {
    kit::cpu::begin_profile();
    launch();
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    kit::cpu::end_profile();
    const std::vector<KernelProfile> kernels = kit::cpu::take_profile();
    CHECK_EQUAL(kernels.size(), 1u);
    return kernels.empty() ? KernelProfile{} : kernels[0];
}

#define CHECK_REQUESTS(kind, wanted_requests, wanted_lanes, wanted_units, wanted_ideal) \
    do {                                                                                \
        const RequestCounts all = profile.total(RequestKind::kind);                     \
        CHECK_EQUAL(all.requests, std::uint64_t(wanted_requests));                      \
        CHECK_EQUAL(all.lanes, std::uint64_t(wanted_lanes));                            \
        CHECK_EQUAL(all.units, std::uint64_t(wanted_units));                            \
        CHECK_EQUAL(all.ideal, std::uint64_t(wanted_ideal));                            \
    } while (0)
#define CHECK_DIVERGENT(wanted) CHECK_EQUAL(profile.divergent(), std::uint64_t(wanted))
#define COUNTED(launch) const KernelProfile profile = counted([&] { launch; })
#else
template <class... Numbers>
void nobody_counts(const Numbers&...) {}
#define CHECK_REQUESTS(kind, ...) nobody_counts(__VA_ARGS__)
#define CHECK_DIVERGENT(wanted) nobody_counts(wanted)
#define COUNTED(launch)                                   \
    do {                                                  \
        launch;                                           \
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess); \
    } while (0)
#endif

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

CASE("shifted by one element: one sector more") {
    Buffer<float> in(64, 1.0f), out(32);
    COUNTED((copy_strided<<<1, 32>>>(static_cast<float*>(out), static_cast<const float*>(in), 1, 1)));
    CHECK_REQUESTS(load, 1, 32, 5, 4);
#ifdef KIT_CPU
    CHECK_EQUAL(profile.lines.size(), 1u);
    if (profile.lines.empty()) return;
    CHECK_EQUAL(kit::cpu::cost_in_words(profile.lines[0], RequestKind::load),
                std::string("5 sectors per request, 4 are enough: neighbours lie side by side, but do not "
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
CASE("the order of the lanes makes no difference") {
    Buffer<float> in(32, 1.0f), out(32);
    COUNTED((copy_reversed<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 1, 32, 4, 4);
}

__global__ void copy_some(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
CASE("a last warp that is not full, and one that does nothing") {
    Buffer<float> in(70, 1.0f), out(70);
    COUNTED((copy_some<<<1, 128>>>(out, in, 70)));
    CHECK_REQUESTS(load, 3, 70, 9, 9);
}

// ---- which lanes go together ----

__global__ void triangle(int* out, const int* in) {
    int sum = 0;
    for (unsigned i = 0; i <= threadIdx.x; ++i) sum += in[i];
    out[threadIdx.x] = sum;
}
CASE("a loop of as many rounds as the lane has a number: 32 rounds of the warp, and all meet behind it") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((triangle<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 32, 32 * 33 / 2, 32, 32);
    CHECK_REQUESTS(store, 1, 32, 4, 4);
}

__global__ void nested(int* out, const int* in) {
    int sum = 0;
    for (unsigned i = 0; i < 1 + threadIdx.x % 4; ++i)
        for (unsigned k = 0; k < 1 + threadIdx.x / 16; ++k) sum += in[i * 2 + k];
    out[threadIdx.x] = sum;
}
CASE("loops in a loop, both ragged") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((nested<<<1, 32>>>(out, in)));
    // Round i of the outer loop: lanes with lane % 4 >= i; of the inner one the first for all of them, the second for half.
    CHECK_REQUESTS(load, 8, 32 + 16 + 24 + 12 + 16 + 8 + 8 + 4, 8, 8);
    CHECK_REQUESTS(store, 1, 32, 4, 4);
}

__global__ void count_odd_ones(unsigned* bins, const int* in, int n) {
    for (int i = static_cast<int>(threadIdx.x); i < n; i += 32) {
        const int value = in[i];
        if (value % 2 != 0) atomicAdd(&bins[value], 1u);
    }
}

CASE("lanes that have nothing to do in a round wait for the next one") {
    constexpr int rounds = 8;
    std::vector<int> values(32 * rounds);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>((i + i / 32) % 7);
    Buffer<int> in(values);
    Buffer<unsigned> bins(7, 0u);
    COUNTED((count_odd_ones<<<1, 32>>>(bins, in, 32 * rounds)));
    CHECK_REQUESTS(load, rounds, 32 * rounds, 4 * rounds, 4 * rounds);
}

struct Pair {
    int first, second;
};

__global__ void copy_pairs(Pair* out, const Pair* in) {
    out[threadIdx.x] = in[threadIdx.x];
}

CASE("a struct that is aligned to its words goes word by word") {
    Buffer<Pair> in(32, Pair{1, 2}), out(32);
    COUNTED((copy_pairs<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 2, 64, 16, 8);
    CHECK_REQUESTS(store, 2, 64, 16, 8);
}

__global__ void two_ways(int* out, const int* in) {
    if (threadIdx.x % 2)
        out[threadIdx.x] = in[threadIdx.x];
    else
        out[threadIdx.x] = 7;
}
CASE("two ways through a branch are two requests, of half the lanes each") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((two_ways<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 1, 16, 4, 2);
    CHECK_REQUESTS(store, 2, 32, 8, 4);
}

__global__ void exchange(int* out, const int* in) {
    int value = in[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
        out[threadIdx.x] = value;
    }
}
CASE("lanes that meet in a shuffle stay together") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((exchange<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 1, 32, 4, 4);
    CHECK_REQUESTS(store, 5, 160, 20, 20);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 32));
}

__device__ __noinline__ int weighed(const int* in, int i) {
    return 3 * in[i] + 1;
}
__global__ void calls_a_helper(int* out, const int* in) {
    int sum = weighed(in, threadIdx.x);
    if (threadIdx.x < 8) sum += weighed(in, threadIdx.x + 8);
    out[threadIdx.x] = sum;
}
CASE("a helper that is called twice") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((calls_a_helper<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(load, 2, 40, 5, 5);
}

// ---- divergent branches ----

CASE("a guard that cuts a warp in two, warps of which all or none are beyond it") {
    Buffer<float> in(70, 1.0f), out(70);
    COUNTED((copy_some<<<1, 128>>>(out, in, 70)));
    CHECK_DIVERGENT(1);
#ifdef KIT_CPU
    CHECK_EQUAL(profile.lines.size(), 1u);
#endif
}
CASE("full warps side by side do not diverge, nor does a warp of which only some lanes exist") {
    Buffer<float> in(77, 1.0f), out(77);
    COUNTED((copy_some<<<1, 77>>>(out, in, 77)));
    CHECK_DIVERGENT(0);
}
CASE("two ways through a branch: one divergent branch") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((two_ways<<<1, 32>>>(out, in)));
    CHECK_DIVERGENT(1);
}
CASE("lanes leave a loop one after another: 31 of 32 rounds divide the warp") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((triangle<<<1, 32>>>(out, in)));
    CHECK_DIVERGENT(31);
}

/// Way 0 has one access, way 1 two, way 2 none, way 3 an atomic one.
__global__ void four_ways(int* out, const int* in) {
    switch (threadIdx.x % 4) {
        case 0:
            out[threadIdx.x] = 1;
            break;
        case 1:
            out[threadIdx.x] = in[threadIdx.x];
            break;
        case 2:
            break;
        default:
            atomicAdd(&out[threadIdx.x], 1);
    }
}
CASE("four ways, of which one does nothing: three divergent branches") {
    Buffer<int> in(32, 1), out(32, 0);
    COUNTED((four_ways<<<1, 32>>>(out, in)));
    CHECK_DIVERGENT(3);
}

/// Divides as `distance` says, after a barrier, two times.
__global__ void divided(int* out, int distance) {
    for (int round = 0; round < 2; ++round) {
        __syncthreads();
        if (static_cast<int>(threadIdx.x) / distance % 2 == 0) out[threadIdx.x] = round;
    }
}
CASE("behind a barrier all are together again; between warps nothing diverges") {
    Buffer<int> out(128);
    for (const auto& [distance, wanted] :
         {std::pair(1, 8), std::pair(16, 8), std::pair(32, 0), std::pair(64, 0)}) {
        COUNTED((divided<<<1, 128>>>(out, distance)));
        CHECK_DIVERGENT(wanted);
    }
}

__global__ void votes_then_writes(int* out, const int* in) {
    const int value = in[threadIdx.x];
    const unsigned votes = __ballot_sync(0xffffffffu, value > 0);
    if (value > 0) out[__popc(votes & ((1u << threadIdx.x) - 1))] = value;
    const int all = __shfl_sync(0xffffffffu, __popc(votes), 0);
    out[32 + threadIdx.x] = all;
}
CASE("lanes that part between two shuffles are together behind the second") {
    std::vector<int> values(32);
    for (int i = 0; i < 32; ++i) values[i] = i % 3;
    Buffer<int> in(values), out(64);
    COUNTED((votes_then_writes<<<1, 32>>>(out, in)));
    CHECK_DIVERGENT(1);
    CHECK_REQUESTS(store, 2, 21 + 32, 3 + 4, 3 + 4);
}

/// In each round every other lane writes, and then all vote.
__global__ void every_other_lane(int* out) {
    for (unsigned round = 0; round < 4; ++round) {
        if ((threadIdx.x + round) % 2 == 0) out[32 * round + threadIdx.x] = 1;
        if (__all_sync(0xffffffffu, out == nullptr)) break;
    }
}
/// The same in tiles, each of which votes for itself.
__global__ void every_other_lane_of_tiles(int* out) {
    const auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    for (unsigned round = 0; round < 4; ++round) {
        if ((threadIdx.x + round) % 2 == 0) out[32 * round + threadIdx.x] = 1;
        if (tile.all(out == nullptr)) break;
    }
}
CASE("a vote ends a round: lanes that have nothing to do in it do not begin the next one") {
    for (const auto& kernel : {every_other_lane, every_other_lane_of_tiles}) {
        Buffer<int> out(128, 0);
        COUNTED((kernel<<<1, 32>>>(out)));
        // 16 lanes in each round, every other word of four sectors.
        CHECK_REQUESTS(store, 4, 4 * 16, 4 * 4, 4 * 2);
        CHECK_DIVERGENT(4);
    }
}

/// Half of the warp shuffles for itself in a branch.
__global__ void half_exchanges(int* out, const int* in) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value += __shfl_xor_sync(0xffffu, value, 1);
    out[threadIdx.x] = value;
}
CASE("who shuffles in a branch is awaited behind it") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((half_exchanges<<<1, 32>>>(out, in)));
    CHECK_REQUESTS(store, 1, 32, 4, 4);
    CHECK_DIVERGENT(1);
}

/// Tiles of 8 lanes meet for themselves.
__global__ void tiles_of_8(int* out, const int* in) {
    int value = in[threadIdx.x];
    const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    for (int offset = 4; offset > 0; offset /= 2) value += tile.shfl_xor(value, offset);
    out[threadIdx.x] = value;
}
CASE("tiles that meet for themselves go on together") {
    Buffer<int> in(64, 1), out(64);
    COUNTED((tiles_of_8<<<1, 64>>>(out, in)));
    CHECK_DIVERGENT(0);
    CHECK_REQUESTS(store, 2, 64, 8, 8);
    CHECK_EQUAL(out.read(), std::vector<int>(64, 8));
}

/// Between the halves of a branch there is no access: nobody sees it, and a GPU's compiler would have made no branch of it.
__global__ void chooses(int* out, const int* in) {
    const int value = in[threadIdx.x];
    int result = 3 * value;
    if (threadIdx.x % 2) result = value + 7;
    out[threadIdx.x] = result;
}
CASE("a choice without an access is no divergent branch") {
    Buffer<int> in(32, 1), out(32);
    COUNTED((chooses<<<1, 32>>>(out, in)));
    CHECK_DIVERGENT(0);
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
    check_tile<float>(0, 1, 1);  // one word for all
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
