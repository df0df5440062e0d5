// needs: thrust
// alone: its headers are translated, so their order matters
// CUB: reductions, scans, loads, stores and sorts of a block, reductions and scans of a warp, and device-wide functions.
#include <cub/cub.cuh>
#include <vector>

#include "conformance.cuh"

namespace {

constexpr int block = 128;

struct Larger {
    template <class T>
    __host__ __device__ T operator()(const T& a, const T& b) const {
        return a < b ? b : a;
    }
};
struct Plus {
    template <class T>
    __host__ __device__ T operator()(const T& a, const T& b) const {
        return a + b;
    }
};
struct IsSmall {
    __host__ __device__ bool operator()(int x) const { return x < 10; }
};

/// Computes the sum, the maximum, and the sum of the first ten values.
template <class T, cub::BlockReduceAlgorithm Algorithm>
__global__ void reduce_block(T* out) {
    using Reduce = cub::BlockReduce<T, block, Algorithm>;
    __shared__ typename Reduce::TempStorage temp;
    const T value = static_cast<T>(threadIdx.x);
    const T sum = Reduce(temp).Sum(value);
    __syncthreads();
    const T largest = Reduce(temp).Reduce(value, Larger());
    __syncthreads();
    const T part = Reduce(temp).Sum(value, 10);
    if (threadIdx.x > 0) return;
    out[0] = sum;
    out[1] = largest;
    out[2] = part;
}

template <class T, cub::BlockScanAlgorithm Algorithm>
__global__ void scan_block(T* out) {
    using Scan = cub::BlockScan<T, block, Algorithm>;
    __shared__ typename Scan::TempStorage temp;
    T items[2] = {1, 2}, before[2], total;
    Scan(temp).ExclusiveSum(items, before, total);
    out[2 * threadIdx.x] = before[0];
    out[2 * threadIdx.x + 1] = before[1];
    if (threadIdx.x == 0) out[2 * block] = total;
    __syncthreads();
    T sum;
    Scan(temp).InclusiveSum(static_cast<T>(threadIdx.x), sum);
    if (threadIdx.x == block - 1) out[2 * block + 1] = sum;
}

template <class T, int Width>
__global__ void warps(T* out) {
    using Reduce = cub::WarpReduce<T, Width>;
    using Scan = cub::WarpScan<T, Width>;
    __shared__ typename Reduce::TempStorage reduces[block / Width];
    __shared__ typename Scan::TempStorage scans[block / Width];
    const unsigned group = threadIdx.x / Width;
    const T sum = Reduce(reduces[group]).Sum(static_cast<T>(threadIdx.x));
    if (threadIdx.x % Width == 0) out[group] = sum;
    T count;
    Scan(scans[group]).InclusiveSum(static_cast<T>(1), count);
    out[block + threadIdx.x] = count;
}

__global__ void sort_block(const int* in, int* out) {
    using Load = cub::BlockLoad<int, block, 4, cub::BLOCK_LOAD_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<int, block, 4>;
    using Store = cub::BlockStore<int, block, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Sort::TempStorage sort;
        typename Store::TempStorage store;
    } temp;
    int items[4];
    Load(temp.load).Load(in, items);
    __syncthreads();
    Sort(temp.sort).Sort(items);
    __syncthreads();
    Store(temp.store).Store(out, items);
}

template <class T, cub::BlockReduceAlgorithm Algorithm>
void check_reduce() {
    Buffer<T> out(3);
    reduce_block<T, Algorithm><<<1, block>>>(out);
    CHECK_EQUAL(out.read(), std::vector<T>{8128, 127, 45});
}

template <class T, cub::BlockScanAlgorithm Algorithm>
void check_scan() {
    Buffer<T> out(2 * block + 2);
    scan_block<T, Algorithm><<<1, block>>>(out);
    std::vector<T> expected;
    for (int i = 0; i < block; ++i) {
        expected.push_back(static_cast<T>(3 * i));
        expected.push_back(static_cast<T>(3 * i + 1));
    }
    expected.push_back(3 * block);
    expected.push_back(8128);
    CHECK_EQUAL(out.read(), expected);
}

template <class T, int Width>
void check_warps() {
    Buffer<T> out(2 * block);
    warps<T, Width><<<1, block>>>(out);
    const std::vector<T> got = out.read();
    for (int group = 0; group < block / Width; ++group)
        CHECK_EQUAL(got[static_cast<std::size_t>(group)],
                    static_cast<T>(group * Width * Width + Width * (Width - 1) / 2));
    CHECK_EQUAL(got[block + 2 * Width - 1], static_cast<T>(Width));
}

/// Calls a device-wide function in its two phases.
template <class Call>
void run(Call call) {
    void* storage = nullptr;
    std::size_t bytes = 0;
    REQUIRE_CUDA(call(storage, bytes));
    REQUIRE_CUDA(cudaMalloc(&storage, bytes));
    REQUIRE_CUDA(call(storage, bytes));
    REQUIRE_CUDA(cudaDeviceSynchronize());
    REQUIRE_CUDA(cudaFree(storage));
}

}  // namespace

CASE("BlockReduce, for each algorithm and for four types") {
    check_reduce<int, cub::BLOCK_REDUCE_WARP_REDUCTIONS>();
    check_reduce<int, cub::BLOCK_REDUCE_RAKING>();
    check_reduce<int, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>();
    check_reduce<float, cub::BLOCK_REDUCE_WARP_REDUCTIONS>();
    check_reduce<double, cub::BLOCK_REDUCE_RAKING>();
    check_reduce<long long, cub::BLOCK_REDUCE_WARP_REDUCTIONS>();
}

CASE("BlockScan, for each algorithm") {
    check_scan<int, cub::BLOCK_SCAN_RAKING>();
    check_scan<int, cub::BLOCK_SCAN_WARP_SCANS>();
    check_scan<float, cub::BLOCK_SCAN_WARP_SCANS>();
    check_scan<double, cub::BLOCK_SCAN_RAKING_MEMOIZE>();
}

CASE("WarpReduce and WarpScan, for whole warps and parts") {
    check_warps<int, 32>();
    check_warps<int, 8>();
    check_warps<float, 16>();
    check_warps<double, 32>();
    check_warps<unsigned long long, 32>();
}

CASE("BlockLoad, BlockRadixSort and BlockStore") {
    std::vector<int> values(4 * block);
    for (int i = 0; i < 4 * block; ++i) values[static_cast<std::size_t>(i)] = i * 37 % (4 * block) - 200;
    Buffer<int> in(values), out(4 * block);
    sort_block<<<1, block>>>(in, out);
    for (int i = 0; i < 4 * block; ++i) values[static_cast<std::size_t>(i)] = i - 200;
    CHECK_EQUAL(out.read(), values);
}

CASE("DeviceReduce, DeviceScan, DeviceRadixSort and DeviceSelect") {
    constexpr int n = 1000;
    std::vector<int> values(n), places(n);
    for (int i = 0; i < n; ++i) {
        values[static_cast<std::size_t>(i)] = i * 37 % 101 - 50;
        places[static_cast<std::size_t>(i)] = i;
    }
    Buffer<int> in(values), in_place(places), out(n), out_place(n), count(1);
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceReduce::Sum(storage, bytes, in_place.data(), out.data(), n);
    });
    CHECK_EQUAL(out.read()[0], n * (n - 1) / 2);
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceReduce::Max(storage, bytes, in.data(), out.data(), n);
    });
    CHECK_EQUAL(out.read()[0], 50);
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(storage, bytes, in_place.data(), out.data(), n);
    });
    CHECK_EQUAL(out.read()[n - 1], (n - 1) * (n - 2) / 2);
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(storage, bytes, in.data(), out.data(), in_place.data(),
                                               out_place.data(), n);
    });
    CHECK_EQUAL(out.read()[n - 1], 50);
    CHECK_EQUAL(out.read()[0], -50);
    CHECK_EQUAL(out_place.read()[1], 101);
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceSelect::If(storage, bytes, in_place.data(), out.data(), count.data(), n, IsSmall());
    });
    CHECK_EQUAL(count.read(), std::vector<int>{10});
    CHECK_EQUAL(out.read()[9], 9);
}

CASE("runs of equal keys: ReduceByKey, scans by key, UniqueByKey and Encode") {
    constexpr int n = 7;
    Buffer<int> keys(std::vector<int>{1, 1, 2, 3, 3, 3, 1}), values(std::vector<int>{1, 2, 3, 4, 5, 6, 7});
    Buffer<int> unique(n), out(n), runs(1);
    const auto first = [](const Buffer<int>& from, std::size_t count) {
        std::vector<int> all = from.read();
        all.resize(count);
        return all;
    };
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceReduce::ReduceByKey(storage, bytes, keys.data(), unique.data(), values.data(),
                                              out.data(), runs.data(), Plus(), n);
    });
    CHECK_EQUAL(runs.read(), std::vector<int>{4});
    CHECK_EQUAL(first(unique, 4), (std::vector<int>{1, 2, 3, 1}));
    CHECK_EQUAL(first(out, 4), (std::vector<int>{3, 3, 15, 7}));
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSumByKey(storage, bytes, keys.data(), values.data(), out.data(), n);
    });
    CHECK_EQUAL(out.read(), (std::vector<int>{1, 3, 3, 4, 9, 15, 7}));
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveScanByKey(storage, bytes, keys.data(), values.data(), out.data(),
                                                   Plus(), 10, n);
    });
    CHECK_EQUAL(out.read(), (std::vector<int>{10, 11, 10, 10, 14, 19, 10}));
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceSelect::UniqueByKey(storage, bytes, keys.data(), values.data(), unique.data(),
                                              out.data(), runs.data(), n);
    });
    CHECK_EQUAL(first(out, 4), (std::vector<int>{1, 3, 4, 7}));
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceRunLengthEncode::Encode(storage, bytes, keys.data(), unique.data(), out.data(),
                                                  runs.data(), n);
    });
    CHECK_EQUAL(first(unique, 4), (std::vector<int>{1, 2, 3, 1}));
    CHECK_EQUAL(first(out, 4), (std::vector<int>{2, 1, 3, 1}));
}

CASE("DevicePartition and DeviceSegmentedReduce") {
    constexpr int n = 7;
    Buffer<int> in(std::vector<int>{20, 1, 2, 30, 3, 40, 4}), flags(std::vector<int>{1, 0, 0, 1, 0, 0, 0});
    Buffer<int> out(n), count(1), ends(std::vector<int>{0, 2, 2, 7}), sums(3);
    run([&](void* storage, std::size_t& bytes) {
        return cub::DevicePartition::If(storage, bytes, in.data(), out.data(), count.data(), n, IsSmall());
    });
    CHECK_EQUAL(count.read(), std::vector<int>{4});
    CHECK_EQUAL(out.read(), (std::vector<int>{1, 2, 3, 4, 40, 30, 20}));
    run([&](void* storage, std::size_t& bytes) {
        return cub::DevicePartition::Flagged(storage, bytes, in.data(), flags.data(), out.data(),
                                             count.data(), n);
    });
    CHECK_EQUAL(count.read(), std::vector<int>{2});
    CHECK_EQUAL(out.read(), (std::vector<int>{20, 30, 4, 40, 3, 2, 1}));
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceSegmentedReduce::Sum(storage, bytes, in.data(), sums.data(), 3, ends.data(),
                                               ends.data() + 1);
    });
    CHECK_EQUAL(sums.read(), (std::vector<int>{21, 0, 79}));
    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceSegmentedReduce::Max(storage, bytes, in.data(), sums.data(), 3, ends.data(),
                                               ends.data() + 1);
    });
    CHECK_EQUAL(sums.read()[2], 40);
}

CONFORMANCE_MAIN("cub")
