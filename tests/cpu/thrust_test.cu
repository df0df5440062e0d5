// needs: thrust
// Thrust: device vectors, iterators, policies, and the algorithms that courses use.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <vector>

#include "conformance.cuh"

namespace {

constexpr int n = 1000;

struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
struct IsEven {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Increment {
    int* counts;
    __device__ void operator()(int i) const { counts[i] += 1; }
};
struct Product {
    __host__ __device__ float operator()(const thrust::tuple<float, float>& pair) const {
        return thrust::get<0>(pair) * thrust::get<1>(pair);
    }
};
struct Particle {
    float position, mass;
};
struct Lighter {
    __host__ __device__ bool operator()(const Particle& a, const Particle& b) const {
        return a.mass < b.mass;
    }
};

template <class T>
std::vector<T> read(const thrust::device_vector<T>& vector) {
    std::vector<T> values(vector.size());
    thrust::copy(vector.begin(), vector.end(), values.begin());
    return values;
}

/// Returns 0, 7, 14, ... modulo 101, so that values are repeated.
std::vector<int> scattered() {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i * 7 % 101;
    return values;
}

}  // namespace

CASE("vectors: copies, single elements, and a change of size") {
    thrust::host_vector<int> host(4, 3);
    host[1] = 5;
    thrust::device_vector<int> device = host;
    device[2] = 7;
    device.push_back(11);
    CHECK_EQUAL(read(device), std::vector<int>{3, 5, 7, 3, 11});
    host = device;
    CHECK_EQUAL(host[4], 11);
    const std::vector<double> real{1.5, 2.5};
    const thrust::device_vector<int> whole(real.begin(), real.end());
    CHECK_EQUAL(read(whole), std::vector<int>{1, 2});
    device.resize(2);
    CHECK_EQUAL(static_cast<int>(device.size()), 2);
    CHECK(device == thrust::device_vector<int>(std::vector<int>{3, 5}));
    CHECK_EQUAL(read(thrust::device_vector<float>(3)), std::vector<float>(3, 0.0f));
}

CASE("sequence, fill, transform, for_each and placeholders") {
    using namespace thrust::placeholders;
    thrust::device_vector<int> a(n), b(n);
    thrust::sequence(a.begin(), a.end(), 1, 2);
    CHECK_EQUAL(static_cast<int>(a[n - 1]), 2 * n - 1);
    thrust::fill(b.begin(), b.end(), 4);
    thrust::transform(a.begin(), a.end(), b.begin(), b.begin(), thrust::plus<int>());
    thrust::transform(b.begin(), b.end(), b.begin(), 3 * _1 - 1);
    CHECK_EQUAL(static_cast<int>(b[10]), 3 * 25 - 1);
    thrust::device_vector<int> counts(n, 0);
    thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                     Increment{thrust::raw_pointer_cast(counts.data())});
    CHECK_EQUAL(read(counts), std::vector<int>(n, 1));
}

CASE("reductions") {
    thrust::device_vector<int> a(n);
    thrust::sequence(a.begin(), a.end());
    CHECK_EQUAL(thrust::reduce(a.begin(), a.end()), n * (n - 1) / 2);
    CHECK_EQUAL(thrust::reduce(a.begin(), a.end(), -1, thrust::maximum<int>()), n - 1);
    CHECK_EQUAL(thrust::transform_reduce(a.begin(), a.end(), Square(), 0, thrust::plus<int>()), 332833500);
    CHECK_EQUAL(thrust::inner_product(a.begin(), a.end(), a.begin(), 0), 332833500);
    CHECK_EQUAL(static_cast<int>(thrust::count_if(a.begin(), a.end(), IsEven())), n / 2);
    CHECK_EQUAL(static_cast<int>(thrust::max_element(a.begin(), a.end()) - a.begin()), n - 1);
    CHECK_EQUAL(static_cast<int>(*thrust::min_element(a.begin() + 5, a.end())), 5);
    CHECK_EQUAL(thrust::reduce(thrust::make_transform_iterator(thrust::counting_iterator<int>(1), Square()),
                               thrust::make_transform_iterator(thrust::counting_iterator<int>(4), Square())),
                14);
}

CASE("scans, in other memory and in place") {
    thrust::device_vector<int> a(5, 1), b(5);
    a[2] = 10;
    thrust::inclusive_scan(a.begin(), a.end(), b.begin());
    CHECK_EQUAL(read(b), std::vector<int>{1, 2, 12, 13, 14});
    thrust::exclusive_scan(a.begin(), a.end(), b.begin(), 100);
    CHECK_EQUAL(read(b), std::vector<int>{100, 101, 102, 112, 113});
    thrust::inclusive_scan(a.begin(), a.end(), a.begin(), thrust::maximum<int>());
    CHECK_EQUAL(read(a), std::vector<int>{1, 1, 10, 10, 10});
    thrust::adjacent_difference(b.begin(), b.end(), b.begin());
    CHECK_EQUAL(read(b), std::vector<int>{100, 1, 1, 10, 1});
}

CASE("sort, sort_by_key, and an order of structs") {
    thrust::device_vector<int> keys = scattered(), values(n);
    thrust::sequence(values.begin(), values.end());
    thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
    CHECK_EQUAL(static_cast<int>(keys[n - 1]), 100);
    CHECK_EQUAL(static_cast<int>(values[0]), 0);
    CHECK_EQUAL(static_cast<int>(values[1]), 101);
    thrust::sort(keys.begin(), keys.end(), thrust::greater<int>());
    CHECK_EQUAL(static_cast<int>(keys[0]), 100);
    std::vector<float> real{2.5f, -1.0f, 0.0f, 7.0f};
    thrust::device_vector<float> floats = real;
    thrust::sort(floats.begin(), floats.end());
    CHECK_EQUAL(read(floats), std::vector<float>{-1.0f, 0.0f, 2.5f, 7.0f});
    const std::vector<Particle> particles{{1, 3}, {2, 1}, {3, 2}};
    thrust::device_vector<Particle> sorted = particles;
    thrust::sort(sorted.begin(), sorted.end(), Lighter());
    const Particle heaviest = sorted[2];
    CHECK_EQUAL(heaviest.position, 1.0f);
}

CASE("unique, reduce_by_key, copy_if, remove_if and partition") {
    thrust::device_vector<int> keys = scattered(), out(n), counts(n);
    thrust::sort(keys.begin(), keys.end());
    const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::constant_iterator<int>(1),
                                            out.begin(), counts.begin());
    CHECK_EQUAL(static_cast<int>(ends.first - out.begin()), 101);
    CHECK_EQUAL(thrust::reduce(counts.begin(), ends.second), n);
    CHECK_EQUAL(static_cast<int>(thrust::unique(keys.begin(), keys.end()) - keys.begin()), 101);
    thrust::device_vector<int> a(n), even(n);
    thrust::sequence(a.begin(), a.end());
    const auto end = thrust::copy_if(a.begin(), a.end(), even.begin(), IsEven());
    CHECK_EQUAL(static_cast<int>(end - even.begin()), n / 2);
    CHECK_EQUAL(static_cast<int>(even[7]), 14);
    const auto odd = thrust::remove_if(a.begin(), a.end(), IsEven());
    CHECK_EQUAL(static_cast<int>(odd - a.begin()), n / 2);
    CHECK_EQUAL(static_cast<int>(a[3]), 7);
    thrust::sequence(a.begin(), a.end());
    CHECK_EQUAL(static_cast<int>(thrust::stable_partition(a.begin(), a.end(), IsEven()) - a.begin()), n / 2);
    CHECK_EQUAL(static_cast<int>(a[n / 2]), 1);
}

CASE("zip, permutation, gather, scatter and searches") {
    thrust::device_vector<float> x(n, 2.0f), y(n, 3.0f);
    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    CHECK_EQUAL(thrust::transform_reduce(pairs, pairs + n, Product(), 0.0f, thrust::plus<float>()), 6.0f * n);
    const std::vector<int> places{4, 0, 2};
    thrust::device_vector<int> map = places, from(5), to(5, 0), picked(3);
    thrust::sequence(from.begin(), from.end(), 10);
    CHECK_EQUAL(thrust::reduce(thrust::make_permutation_iterator(from.begin(), map.begin()),
                               thrust::make_permutation_iterator(from.begin(), map.end())),
                36);
    thrust::gather(map.begin(), map.end(), from.begin(), picked.begin());
    CHECK_EQUAL(read(picked), std::vector<int>{14, 10, 12});
    thrust::scatter(picked.begin(), picked.end(), map.begin(), to.begin());
    CHECK_EQUAL(read(to), std::vector<int>{10, 0, 12, 0, 14});
    CHECK_EQUAL(static_cast<int>(thrust::lower_bound(from.begin(), from.end(), 12) - from.begin()), 2);
    thrust::upper_bound(from.begin(), from.end(), map.begin(), map.end(), picked.begin());
    CHECK_EQUAL(read(picked), std::vector<int>{0, 0, 0});
}

CASE("raw pointers, device_ptr, and policies with a stream") {
    int* raw = nullptr;
    REQUIRE_CUDA(cudaMalloc(&raw, n * sizeof(int)));
    const thrust::device_ptr<int> begin(raw);
    thrust::fill(begin, begin + n, 4);
    CHECK_EQUAL(thrust::reduce(begin, begin + n), 4 * n);
    thrust::sequence(thrust::device, raw, raw + n);
    cudaStream_t stream = nullptr;
    REQUIRE_CUDA(cudaStreamCreate(&stream));
    thrust::sort(thrust::cuda::par.on(stream), raw, raw + n, thrust::greater<int>());
    CHECK_EQUAL(thrust::reduce(thrust::cuda::par.on(stream), raw, raw + 2), 2 * n - 3);
    REQUIRE_CUDA(cudaStreamDestroy(stream));
    REQUIRE_CUDA(cudaFree(raw));
    const thrust::device_ptr<int> own = thrust::device_malloc<int>(3);
    thrust::fill(own, own + 3, 2);
    CHECK_EQUAL(thrust::reduce(own, own + 3), 6);
    thrust::device_free(own);
    std::vector<int> host{3, 1, 2};
    thrust::sort(thrust::host, host.begin(), host.end());
    CHECK_EQUAL(host, std::vector<int>{1, 2, 3});
}

CONFORMANCE_MAIN("thrust")
