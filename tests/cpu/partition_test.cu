// Further functions of cooperative groups: runtime partitions, binary and labeled partitions, scans, copies, invoke_one.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "conformance.cuh"

namespace cg = cooperative_groups;

template <class T>
__global__ void scans(const T* in, T* inclusive, T* exclusive) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const T value = in[threadIdx.x];
    inclusive[threadIdx.x] = cg::inclusive_scan(warp, value, cg::plus<T>());
    exclusive[threadIdx.x] = cg::exclusive_scan(warp, value);
}

template <class T>
void check_scans() {
    std::vector<T> in(64), inclusive(64), exclusive(64);
    for (int i = 0; i < 64; ++i) {
        in[i] = static_cast<T>(i * 5 % 13 + 1);
        exclusive[i] = i % 32 ? inclusive[i - 1] : T{0};
        inclusive[i] = exclusive[i] + in[i];
    }
    Buffer<T> data(in), got_inclusive(64), got_exclusive(64);
    scans<<<1, 64>>>(data.data(), got_inclusive.data(), got_exclusive.data());
    CHECK_EQUAL(got_inclusive.read(), inclusive);
    CHECK_EQUAL(got_exclusive.read(), exclusive);
}

CASE("cg::inclusive_scan and exclusive_scan over a warp: int, float, unsigned long long") {
    check_scans<int>();
    check_scans<float>();
    check_scans<unsigned long long>();
}

__global__ void scan_in_tiles(int* out) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    out[threadIdx.x] = cg::inclusive_scan(tile, static_cast<int>(tile.thread_rank()), cg::greater<int>());
}

CASE("cg::inclusive_scan over tiles of eight with another operator") {
    Buffer<int> out(32);
    scan_in_tiles<<<1, 32>>>(out);
    std::vector<int> want(32);
    for (int i = 0; i < 32; ++i) want[i] = i % 8;
    CHECK_EQUAL(out.read(), want);
}

__global__ void runtime_partition(unsigned size, unsigned* out) {
    const cg::thread_group group = cg::tiled_partition(cg::this_thread_block(), size);
    group.sync();
    out[2 * threadIdx.x] = group.thread_rank();
    out[2 * threadIdx.x + 1] = static_cast<unsigned>(group.size());
}

CASE("tiled_partition with a size known at run time only") {
    for (unsigned size : {1u, 4u, 32u}) {
        Buffer<unsigned> out(128);
        runtime_partition<<<1, 64>>>(size, out);
        std::vector<unsigned> want;
        for (unsigned i = 0; i < 64; ++i) want.insert(want.end(), {i % size, size});
        CHECK_EQUAL(out.read(), want);
    }
}

__global__ void binary(int* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int lane = static_cast<int>(threadIdx.x);
    const cg::coalesced_group half = cg::binary_partition(warp, lane % 3 == 0);
    int* mine = out + 3 * lane;
    mine[0] = static_cast<int>(half.size());
    mine[1] = static_cast<int>(half.thread_rank());
    mine[2] = half.shfl(lane, 2);
}

CASE("binary_partition: two groups, ranked by lane") {
    Buffer<int> out(96);
    binary<<<1, 32>>>(out);
    std::vector<int> want;
    int ranks[2] = {};
    for (int i = 0; i < 32; ++i)
        want.insert(want.end(), {i % 3 == 0 ? 11 : 21, ranks[i % 3 == 0]++, i % 3 == 0 ? 6 : 4});
    CHECK_EQUAL(out.read(), want);
}

__global__ void labeled(int* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int lane = static_cast<int>(threadIdx.x);
    const auto group = cg::labeled_partition(warp, lane % 5);
    out[2 * lane] = static_cast<int>(group.size());
    out[2 * lane + 1] = cg::reduce(group, lane, cg::plus<int>());
}

CASE("labeled_partition: a group per label, and a reduction in each") {
    Buffer<int> out(64);
    labeled<<<1, 32>>>(out);
    int sizes[5] = {}, sums[5] = {};
    for (int i = 0; i < 32; ++i) ++sizes[i % 5], sums[i % 5] += i;
    std::vector<int> want;
    for (int i = 0; i < 32; ++i) want.insert(want.end(), {sizes[i % 5], sums[i % 5]});
    CHECK_EQUAL(out.read(), want);
}

__global__ void coalesced_collectives(int* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int lane = static_cast<int>(threadIdx.x);
    const auto parity = cg::binary_partition(warp, lane % 2 == 1);
    if (lane % 2 == 0) return;
    const auto odd = cg::binary_partition(parity, lane > 15);
    int* mine = out + 4 * lane;
    mine[0] = static_cast<int>(odd.ballot(odd.thread_rank() == 1));
    mine[1] = odd.all(lane > 15) != 0;
    mine[2] = odd.shfl_down(lane, 1);
    mine[3] = odd.shfl_up(lane, 1);
}

CASE("collectives of a coalesced group work on ranks, not on lanes") {
    Buffer<int> out(128);
    coalesced_collectives<<<1, 32>>>(out);
    std::vector<int> want(128);
    for (int i = 1; i < 32; i += 2) {
        want[4 * i] = 2;
        want[4 * i + 1] = i > 15;
        want[4 * i + 2] = i == 15 || i == 31 ? i : i + 2;
        want[4 * i + 3] = i == 1 || i == 17 ? i : i - 2;
    }
    CHECK_EQUAL(out.read(), want);
}

__global__ void staged(const int* in, int* out) {
    __shared__ int tile[128];
    const auto block = cg::this_thread_block();
    const unsigned first = block.group_index().x * 128;
    cg::memcpy_async(block, tile, in + first, sizeof(int) * 128);
    cg::wait(block);
    for (unsigned i = block.thread_rank(); i < 128; i += block.size()) out[first + i] = tile[127 - i];
}

CASE("cg::memcpy_async into shared memory, and cg::wait") {
    std::vector<int> in(256), want(256);
    for (int i = 0; i < 256; ++i) in[i] = i;
    for (int i = 0; i < 256; ++i) want[i] = i / 128 * 128 + 127 - i % 128;
    Buffer<int> data(in), out(256);
    staged<<<2, 64>>>(data, out);
    CHECK_EQUAL(out.read(), want);
}

__global__ void one_for_all(int* counter, int* seen) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::invoke_one(warp, [&] { atomicAdd(counter, 1); });
    seen[threadIdx.x] = cg::invoke_one_broadcast(warp, [&] { return atomicAdd(counter + 1, 10); });
}

CASE("invoke_one calls once per group; invoke_one_broadcast tells everybody the result") {
    Buffer<int> counter(2), seen(64);
    one_for_all<<<1, 64>>>(counter, seen);
    CHECK_EQUAL(counter.read(), std::vector<int>{2, 20});
    const std::vector<int> got = seen.read();
    CHECK_EQUAL(std::vector<int>(got.begin(), got.begin() + 32), std::vector<int>(32, got[0]));
    CHECK_EQUAL(std::vector<int>(got.begin() + 32, got.end()), std::vector<int>(32, got[32]));
    CHECK_EQUAL(got[0] + got[32], 10);
}

__device__ unsigned polymorphic_rank(const cg::thread_group& group) {
    group.sync();
    return group.thread_rank() + 100 * static_cast<unsigned>(group.size());
}

__global__ void base_class(unsigned* out) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<4>(block);
    out[2 * threadIdx.x] = polymorphic_rank(block);
    out[2 * threadIdx.x + 1] = polymorphic_rank(tile);
}

CASE("thread_group is the base of blocks and tiles") {
    Buffer<unsigned> out(80);
    base_class<<<1, 40>>>(out);
    std::vector<unsigned> want;
    for (unsigned i = 0; i < 40; ++i) want.insert(want.end(), {4000 + i, 400 + i % 4});
    CHECK_EQUAL(out.read(), want);
}

// Tiles of more than one warp: 64 to 512 threads, with their barriers, shuffles, votes, reductions and scans.

/// Older devices need block_tile_memory in shared memory. The test also passes block_tile_memory on newer
/// devices.
template <unsigned Size>
__device__ cg::thread_block_tile<Size, cg::thread_block> tile_of_block() {
    __shared__ cg::block_tile_memory<1024> memory;
    return cg::tiled_partition<Size>(cg::this_thread_block(memory));
}

template <unsigned Size>
__global__ void exchange(int* out) {
    __shared__ int values[1024];
    const auto tile = tile_of_block<Size>();
    const int thread = static_cast<int>(threadIdx.x), rank = static_cast<int>(tile.thread_rank());
    values[thread] = thread;
    tile.sync();
    const int opposite = values[thread ^ static_cast<int>(Size - 1)];
    tile.sync();
    const auto warp = cg::tiled_partition<32>(tile);
    int* mine = out + 10 * thread;
    mine[0] = opposite;
    mine[1] = cg::reduce(tile, thread, cg::plus<int>());
    mine[2] = cg::inclusive_scan(tile, thread, cg::plus<int>());
    mine[3] = cg::exclusive_scan(tile, 1);
    mine[4] = tile.shfl(thread, 40);
    mine[5] = (tile.any(rank == 63) != 0) + 2 * (tile.any(rank < 0) != 0);
    mine[6] = (tile.all(rank >= 0) != 0) + 2 * (tile.all(rank != 5) != 0);
    mine[7] = static_cast<int>(tile.meta_group_rank() * 100 + tile.meta_group_size());
    mine[8] = static_cast<int>(warp.meta_group_rank() * 100 + warp.meta_group_size());
    mine[9] = cg::reduce(warp, 1, cg::plus<int>()) + 100 * static_cast<int>(tile.num_threads());
}

template <int Size>
void check_exchange(int threads) {
    Buffer<int> out(10 * threads);
    exchange<Size><<<1, threads>>>(out);
    std::vector<int> want;
    for (int t = 0; t < threads; ++t) {
        const int rank = t % Size, first = t - rank;
        for (const int value :
             {first + Size - 1 - rank, Size * first + Size * (Size - 1) / 2,
              (rank + 1) * first + rank * (rank + 1) / 2, rank, first + 40, 1, 1,
              t / Size * 100 + threads / Size, rank / 32 * 100 + Size / 32, 32 + 100 * Size})
            want.push_back(value);
    }
    CHECK_EQUAL(out.read(), want);
}

CASE("tiles of 64, 128, 256 and 512 threads: sync, reduce, scan, shfl, votes, ranks") {
    check_exchange<64>(1024);
    check_exchange<128>(512);
    check_exchange<256>(256);
    check_exchange<512>(1024);
}

__global__ void apart(int* out) {
    const auto tile = tile_of_block<64>();
    int sum = 0;
    // The tiles of a block are independent of each other, so each may repeat its loop a different number of
    // times.
    for (unsigned i = 0; i <= tile.meta_group_rank(); ++i) sum += cg::reduce(tile, 1, cg::plus<int>());
    if (tile.meta_group_rank() == 1) {
        tile.sync();
        sum += tile.shfl(static_cast<int>(tile.thread_rank()), 63);
    }
    out[threadIdx.x] = sum;
}

CASE("tiles of several warps in different branches") {
    Buffer<int> out(256);
    apart<<<1, 256>>>(out);
    std::vector<int> want(256);
    for (int t = 0; t < 256; ++t) want[t] = 64 * (t / 64 + 1) + (t / 64 == 1 ? 63 : 0);
    CHECK_EQUAL(out.read(), want);
}

__global__ void nested(double* out) {
    const auto half = tile_of_block<256>();
    const auto quarter = cg::tiled_partition<128>(half);
    const cg::thread_block_tile<128> untyped = quarter;
    out[threadIdx.x] = cg::reduce(untyped, 0.5 * threadIdx.x, cg::greater<double>()) +
                       1000 * (quarter.meta_group_rank() + 10 * quarter.meta_group_size());
}

CASE("a tile of a tile, doubles, a tile whose parent's type is forgotten") {
    Buffer<double> out(512);
    nested<<<1, 512>>>(out);
    std::vector<double> want(512);
    for (int t = 0; t < 512; ++t) want[t] = 0.5 * (t / 128 * 128 + 127) + 1000 * (t / 128 % 2 + 20);
    CHECK_EQUAL(out.read(), want);
}

CONFORMANCE_MAIN("partition")
