// Tiles of more than one warp: 64 to 512 threads, with their barriers, shuffles, votes, reductions and scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "conformance.cuh"

namespace cg = cooperative_groups;

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

CONFORMANCE_MAIN("wide_tile")
