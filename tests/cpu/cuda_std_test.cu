// libcu++: types and functions of cuda::std in device code, and cuda::ceil_div.
#include <cuda/cmath>
#include <cuda/std/array>
#include <cuda/std/bitset>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>

#include "conformance.cuh"

struct Parts {
    cuda::std::array<int, 4> values;
    __host__ __device__ int total() const {
        int sum = 0;
        for (const int value : values) sum += value;
        return sum;
    }
};

template <class T, class = cuda::std::enable_if_t<cuda::std::is_integral_v<T>>>
__host__ __device__ T twice(T x) {
    return 2 * x;
}

__global__ void types(Parts parts, cuda::std::complex<float> z, int* out) {
    int k = 0;
    cuda::std::array<int, 3> numbers{1, 2, 3};
    const cuda::std::optional<int> maybe =
        threadIdx.x ? cuda::std::optional<int>() : cuda::std::optional<int>(5);
    const auto pair = cuda::std::make_tuple(7, 2.5f);
    const auto [whole, real] = pair;
    out[k++] = parts.total();
    out[k++] =
        numbers[1] + maybe.value_or(3) + twice(cuda::std::get<0>(pair)) + whole + static_cast<int>(real);
    out[k++] = cuda::std::numeric_limits<int>::max() == 2147483647;
    out[k++] = static_cast<int>(cuda::std::abs(z * z));
    out[k++] = static_cast<int>((cuda::std::int64_t{1} << 40) >> 38);
    out[k++] = static_cast<int>(cuda::std::sqrt(16.0f)) + cuda::std::min(3, 4);
    cuda::std::swap(numbers[0], numbers[2]);
    out[k++] = 10 * numbers[0] + numbers[2] + static_cast<int>(cuda::std::bitset<8>(7).count());
    out[k++] = cuda::std::plus<int>()(2, 3);
    const cuda::std::variant<int, float> one = 2.5f;
    out[k++] = static_cast<int>(one.index()) + cuda::std::accumulate(numbers.begin(), numbers.end(), 0);
    out[k++] = cuda::ceil_div(7, 2) + 10 * cuda::ceil_div(8, 2) + 100 * cuda::round_up(7, 4) +
               10000 * cuda::round_down(7, 4);
}

CASE("types and functions of cuda::std, and cuda::ceil_div") {
    Buffer<int> out(10);
    types<<<1, 1>>>(Parts{{1, 2, 3, 4}}, {3, 4}, out);
    CHECK_EQUAL(out.read(), std::vector<int>{10, 2 + 5 + 14 + 7 + 2, 1, 25, 4, 7, 34, 5, 7, 40844});
    CHECK_EQUAL((Parts{{5, 6, 7, 8}}.total()), 26);
}

CONFORMANCE_MAIN("cuda_std")
