// Tests of the profile: rounds of loops in which some lanes of a warp do nothing and wait. Each expected
// number follows from the addresses.
#include "profile_fixture.cuh"

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

CONFORMANCE_MAIN("profile_rounds")
