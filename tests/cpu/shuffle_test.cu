// Warp shuffles: every form, type, width and mask.
#include "conformance.cuh"

constexpr unsigned FULL = 0xffffffffu;

enum Form { direct, up, down, butterfly };

template <class T>
__global__ void shuffle(const T* in, T* out, Form form, int argument, int width) {
    const T value = in[threadIdx.x];
    T result = value;
    if (form == direct) result = __shfl_sync(FULL, value, argument, width);
    if (form == up) result = __shfl_up_sync(FULL, value, static_cast<unsigned>(argument), width);
    if (form == down) result = __shfl_down_sync(FULL, value, static_cast<unsigned>(argument), width);
    if (form == butterfly) result = __shfl_xor_sync(FULL, value, argument, width);
    out[threadIdx.x] = result;
}

// Returns the lane from which the shuffle reads, as the programming guide defines it.
int source_lane(int lane, Form form, int argument, int width) {
    const int begin = lane / width * width;
    const int end = begin + width;
    int source = lane;
    switch (form) {
        case direct:
            source = begin + (argument & (width - 1));
            break;
        case up:
            source = lane - argument < begin ? lane : lane - argument;
            break;
        case down:
            source = lane + argument >= end ? lane : lane + argument;
            break;
        case butterfly:
            source = (lane ^ argument) >= end ? lane : lane ^ argument;
            break;
    }
    return source;
}

template <class T>
void check_shuffle(Form form, int argument, int width) {
    std::vector<T> in(32), want(32);
    for (int i = 0; i < 32; ++i)
        in[i] = static_cast<T>((i + 1) * (sizeof(T) == 8 ? 1234567890123.0 : 12345.0));
    for (int i = 0; i < 32; ++i) want[i] = in[source_lane(i, form, argument, width)];
    Buffer<T> data(in), out(32);
    shuffle<<<1, 32>>>(data.data(), out.data(), form, argument, width);
    if (!CHECK_EQUAL(out.read(), want))
        conformance::fail(__FILE__, __LINE__,
                          "form " + std::to_string(form) + ", argument " + std::to_string(argument) +
                              ", width " + std::to_string(width));
}

CASE("__shfl_sync: broadcast from any lane, every width") {
    for (int width = 1; width <= 32; width *= 2)
        for (int lane : {0, 1, 7, 31}) check_shuffle<int>(direct, lane, width);
}

CASE("__shfl_sync: a source lane beyond the width, or negative, wraps around") {
    for (int width : {4, 16, 32})
        for (int lane : {32, 37, -1, 66}) check_shuffle<int>(direct, lane, width);
}

CASE("__shfl_up_sync: the lowest lanes of each segment keep their value") {
    for (int width = 1; width <= 32; width *= 2)
        for (int delta : {0, 1, 3, 16}) check_shuffle<int>(up, delta, width);
}

CASE("__shfl_down_sync: the highest lanes of each segment keep their value") {
    for (int width = 1; width <= 32; width *= 2)
        for (int delta : {0, 1, 3, 16}) check_shuffle<int>(down, delta, width);
}

CASE("__shfl_xor_sync: a later segment is out of reach, an earlier one is not") {
    for (int width = 1; width <= 32; width *= 2)
        for (int lane_mask : {0, 1, 5, 8, 16, 31}) check_shuffle<int>(butterfly, lane_mask, width);
}

template <class T>
void check_all_forms() {
    check_shuffle<T>(direct, 5, 32);
    check_shuffle<T>(up, 1, 8);
    check_shuffle<T>(down, 2, 16);
    check_shuffle<T>(butterfly, 4, 32);
}

CASE("shuffles of int, unsigned, float") {
    check_all_forms<int>();
    check_all_forms<unsigned>();
    check_all_forms<float>();
}

CASE("shuffles of long, long long and double move all 64 bits") {
    check_all_forms<long>();
    check_all_forms<unsigned long>();
    check_all_forms<long long>();
    check_all_forms<unsigned long long>();
    check_all_forms<double>();
}

__global__ void different_sources(int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    out[lane] = __shfl_sync(FULL, 100 + lane, (7 * lane + 3) % 32);
}

CASE("__shfl_sync: each lane names a source of its own") {
    Buffer<int> out(32);
    different_sources<<<1, 32>>>(out);
    std::vector<int> want(32);
    for (int i = 0; i < 32; ++i) want[i] = 100 + (7 * i + 3) % 32;
    CHECK_EQUAL(out.read(), want);
}

__global__ void warp_sums(const int* in, int* out) {
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(FULL, value, offset);
    if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = value;
}

CASE("the textbook's warp reduction, several warps per block") {
    std::vector<int> in(3 * 128), want(12);
    for (int i = 0; i < 3 * 128; ++i) {
        in[i] = i * i % 257;
        want[i / 32] += in[i];
    }
    Buffer<int> data(in), out(12);
    warp_sums<<<3, 128>>>(data, out);
    CHECK_EQUAL(out.read(), want);
}

__global__ void inclusive_scan(int* data) {
    const int lane = static_cast<int>(threadIdx.x);
    int value = data[lane];
    for (int delta = 1; delta < 32; delta *= 2) {
        const int left = __shfl_up_sync(FULL, value, delta);
        if (lane >= delta) value += left;
    }
    data[lane] = value;
}

CASE("the textbook's warp scan") {
    std::vector<int> in(32), want(32);
    for (int i = 0; i < 32; ++i) {
        in[i] = i % 5 - 1;
        want[i] = in[i] + (i ? want[i - 1] : 0);
    }
    Buffer<int> data(in);
    inclusive_scan<<<1, 32>>>(data);
    CHECK_EQUAL(data.read(), want);
}

__global__ void two_branches(int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    if (lane < 8)
        out[lane] = __shfl_sync(0x000000ffu, lane, 7);
    else if (lane % 2 == 0)
        out[lane] = __shfl_sync(0x55555500u, lane, 30);
    else
        out[lane] = -lane;
}

CASE("partial masks in divergent branches") {
    Buffer<int> out(32);
    two_branches<<<1, 32>>>(out);
    std::vector<int> want(32);
    for (int i = 0; i < 32; ++i) want[i] = i < 8 ? 7 : i % 2 == 0 ? 30 : -i;
    CHECK_EQUAL(out.read(), want);
}

__global__ void ragged(int* out) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const unsigned mask = threadIdx.x < 32 ? FULL : (1u << (blockDim.x - 32)) - 1;
    out[threadIdx.x] = __shfl_down_sync(mask, 10 * lane, 1, 4);
}

CASE("the ragged last warp, with a mask of its lanes") {
    Buffer<int> out(40);
    ragged<<<1, 40>>>(out);
    std::vector<int> want(40);
    for (int i = 0; i < 40; ++i) want[i] = 10 * (i % 4 == 3 ? i % 32 : i % 32 + 1);
    CHECK_EQUAL(out.read(), want);
}

__global__ void after_exit(int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    if (lane >= 20) return;
    out[lane] = __shfl_xor_sync(FULL, lane, 1);  // the mask may contain lanes that have returned
}

CASE_MISUSE("lanes that have returned may be named in the mask") {
    Buffer<int> out(20);
    after_exit<<<1, 32>>>(out);
    std::vector<int> want(20);
    for (int i = 0; i < 20; ++i) want[i] = i ^ 1;
    CHECK_EQUAL(out.read(), want);
}

__global__ void two_dimensional(int* out) {
    const int rank = static_cast<int>(threadIdx.x + blockDim.x * threadIdx.y);
    out[rank] = __shfl_sync(FULL, rank, 9);
}

CASE("warps follow the linear thread index in a 2D block") {
    Buffer<int> out(64);
    two_dimensional<<<1, dim3(8, 8)>>>(out);
    std::vector<int> want(64);
    for (int i = 0; i < 64; ++i) want[i] = i / 32 * 32 + 9;
    CHECK_EQUAL(out.read(), want);
}

__global__ void half_loops(int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    int sum = 0;
    if (lane < 16)
        for (int i = 0; i < 16; ++i) sum += __shfl_sync(0x0000ffffu, lane * lane, i);
    else
        for (int i = 16; i < 20; ++i) sum += __shfl_sync(0xffff0000u, lane, i);
    out[lane] = sum;
}

CASE("halves of a warp shuffle a different number of times") {
    Buffer<int> out(32);
    half_loops<<<1, 32>>>(out);
    std::vector<int> want(32);
    for (int i = 0; i < 32; ++i) want[i] = i < 16 ? 1240 : 16 + 17 + 18 + 19;
    CHECK_EQUAL(out.read(), want);
}

CONFORMANCE_MAIN("shuffle")
