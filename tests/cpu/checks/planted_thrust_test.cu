// needs: thrust
// Mistakes in device code that Thrust runs (iterators out of bounds, unwritten memory, host memory, races of
// functors), and similar code that is correct.
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <exception>
#include <vector>

#include "checks.cuh"

namespace {

constexpr int n = 100;

/// Runs a call that the executor stops. Thrust then throws an exception.
template <class Call>
void stopped(Call call) {
    try {
        call();
    } catch (const std::exception&) {
    }
}

/// A vector that is never destroyed, because its destructor throws an exception after an error of the device.
thrust::device_vector<int>& kept(int value) {
    return *new thrust::device_vector<int>(n, value);
}

struct Twice {
    __device__ int operator()(int x) const { return 2 * x; }
};

/// Device memory that has not been written.
struct Unwritten {
    Unwritten() { cudaMalloc(&data, n * sizeof(int)); }
    ~Unwritten() { cudaFree(data); }
    Unwritten(const Unwritten&) = delete;
    Unwritten& operator=(const Unwritten&) = delete;
    thrust::device_ptr<int> begin() const { return thrust::device_ptr<int>(data); }
    int* data = nullptr;
};

}  // namespace

PLANTED("the end of a reduction is one too far", "address", "out of bounds") {
    auto& a = kept(1);
    stopped([&] {
        thrust::reduce(a.begin(), a.end() + 1);  // <-
    });
}

PLANTED("a transformation into a vector that is too short", "address", "thrust::for_each") {
    auto &a = kept(1), &b = *new thrust::device_vector<int>(n / 2);
    stopped([&] {
        thrust::transform(a.begin(), a.end(), b.begin(), Twice());  // <-
    });
}

PLANTED("a copy into a vector that is too short", "address", "past the end") {
    thrust::device_vector<int> a(n, 1), b(n / 2);
    stopped([&] {
        thrust::copy(a.begin(), a.end(), b.begin());  // <-
    });
}

PLANTED("a sum of memory that nothing has written", "uninitialised", "thrust::reduce") {
    const Unwritten memory;
    thrust::reduce(memory.begin(), memory.begin() + n);  // <-
}

PLANTED("a scan of memory that nothing has written", "uninitialised", "thrust::inclusive_scan") {
    const Unwritten memory;
    thrust::device_vector<int> sums(n);
    thrust::inclusive_scan(memory.begin(), memory.begin() + n, sums.begin());  // <-
}

PLANTED("a pointer to the host's memory with the policy of the device", "host_pointer", "host memory") {
    std::vector<int> values(n, 1);
    stopped([&] {
        thrust::reduce(thrust::device, values.data(), values.data() + n);  // <-
    });
}

struct AddTo {
    int* sum;
    __device__ void operator()(int i) const {
        *sum += i;  // <-
    }
};

PLANTED("a functor that adds to one place without an atomic", "race", "atomic") {
    thrust::device_vector<int> a(n, 1), sum(1, 0);
    thrust::for_each(a.begin(), a.end(), AddTo{thrust::raw_pointer_cast(sum.data())});
}

struct Next {
    const int* data;
    __device__ int operator()(int i) const {
        return data[i + 1];  // <-
    }
};

PLANTED("a functor that reads past the end", "address", "out of bounds") {
    auto &a = kept(n - 1), &b = kept(0);
    stopped(
        [&] { thrust::transform(a.begin(), a.end(), b.begin(), Next{thrust::raw_pointer_cast(a.data())}); });
}

SILENT("a reduction of a part, and a sort of memory that was written") {
    const Unwritten memory;
    thrust::sequence(memory.begin(), memory.begin() + n / 2);
    thrust::sort(memory.begin(), memory.begin() + n / 2);
    CHECK_EQUAL(thrust::reduce(memory.begin(), memory.begin() + n / 2), n / 2 * (n / 2 - 1) / 2);
}

struct AddAtomically {
    int* sum;
    __device__ void operator()(int i) const { atomicAdd(sum, i); }
};

SILENT("a functor that adds to one place with an atomic") {
    thrust::device_vector<int> a(n, 1), sum(1, 0);
    thrust::for_each(a.begin(), a.end(), AddAtomically{thrust::raw_pointer_cast(sum.data())});
    CHECK_EQUAL(static_cast<int>(sum[0]), n);
}

CHECKS_MAIN("planted_thrust")
