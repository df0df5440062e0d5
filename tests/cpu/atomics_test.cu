// Atomics: every function and type, on global and on shared memory, in all three scopes; results and return
// values.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "conformance.cuh"

// Each CUDA function as a type: its call on the device, and how one application on the host changes the old
// value.
#define ATOMIC(Name, call, host_expression)              \
    struct Name {                                        \
        template <class T>                               \
        __device__ static T device(T* cell, T value) {   \
            return call(cell, value);                    \
        }                                                \
        template <class T>                               \
        static T host([[maybe_unused]] T old, T value) { \
            return static_cast<T>(host_expression);      \
        }                                                \
    };
#define ATOMIC_IN_ALL_SCOPES(Name, call, host_expression) \
    ATOMIC(Name, call, host_expression)                   \
    ATOMIC(Name##Block, call##_block, host_expression)    \
    ATOMIC(Name##System, call##_system, host_expression)

ATOMIC_IN_ALL_SCOPES(Add, atomicAdd, old + value)
ATOMIC_IN_ALL_SCOPES(Sub, atomicSub, old - value)
ATOMIC_IN_ALL_SCOPES(Min, atomicMin, value < old ? value : old)
ATOMIC_IN_ALL_SCOPES(Max, atomicMax, value > old ? value : old)
ATOMIC_IN_ALL_SCOPES(And, atomicAnd, old& value)
ATOMIC_IN_ALL_SCOPES(Or, atomicOr, old | value)
ATOMIC_IN_ALL_SCOPES(Xor, atomicXor, old ^ value)
ATOMIC_IN_ALL_SCOPES(Inc, atomicInc, old >= value ? 0 : old + 1)
ATOMIC_IN_ALL_SCOPES(Dec, atomicDec, old == 0 || old > value ? value : old - 1)
ATOMIC_IN_ALL_SCOPES(Exch, atomicExch, value)

constexpr int THREADS = 96;

/// Thread i applies the operation with values[i] (or values[0]) to a global and to a shared variable, and
/// stores both old values.
template <class Operation, class T>
__global__ void apply(const T* values, T* cells, T* olds) {
    __shared__ T cell;
    const unsigned i = threadIdx.x;
    if (i == 0) cell = cells[1];
    __syncthreads();
    olds[i] = Operation::device(&cells[0], values[i]);
    olds[THREADS + i] = Operation::device(&cell, values[i]);
    __syncthreads();
    if (i == 0) cells[1] = cell;
}

/// An operation on this type, on the device and on the host. The checks take the operation as an argument, so
/// they are compiled once per type.
template <class T>
struct Functions {
    void (*kernel)(const T* values, T* cells, T* olds);
    T (*host)(T old, T value);
};
template <class Operation, class T>
Functions<T> functions_of() {
    return {apply<Operation, T>, Operation::template host<T>};
}

template <class T>
void check_chain(const Functions<T>& functions, T start, T value) {
    std::vector<T> chain(1, start);
    for (int i = 0; i < THREADS; ++i) chain.push_back(functions.host(chain.back(), value));
    Buffer<T> values(std::vector<T>(THREADS, value)), cells(std::vector<T>(2, start)), olds(2 * THREADS);
    functions.kernel<<<1, THREADS>>>(values.data(), cells.data(), olds.data());
    CHECK_EQUAL(cells.read(), std::vector<T>(2, chain.back()));
    const std::vector<T> got = olds.read();
    std::vector<T> want(chain.begin(), chain.end() - 1);
    std::vector<T> global(got.begin(), got.begin() + THREADS), shared(got.begin() + THREADS, got.end());
    for (auto* set : {&want, &global, &shared}) std::sort(set->begin(), set->end());
    CHECK_EQUAL(global, want);
    CHECK_EQUAL(shared, want);
}

/// All threads pass the same value, so the old values do not depend on the threads' order: they are start,
/// f(start), f(f(start)), ...
template <class Operation, class T>
void check_chain(T start, T value) {
    check_chain(functions_of<Operation, T>(), start, value);
}

template <class T>
void check_fold(const Functions<T>& functions, T start) {
    std::vector<T> in(THREADS);
    for (int i = 0; i < THREADS; ++i) {
        std::uint64_t bits = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15u;
        in[i] = static_cast<T>(bits >> (64 - 8 * sizeof(T)));
    }
    T want = start;
    for (T value : in) want = functions.host(want, value);
    Buffer<T> values(in), cells(std::vector<T>(2, start)), olds(2 * THREADS);
    functions.kernel<<<1, THREADS>>>(values.data(), cells.data(), olds.data());
    CHECK_EQUAL(cells.read(), std::vector<T>(2, want));
}

/// Every thread passes a different value, so only the final value does not depend on the threads' order.
template <class Operation, class T>
void check_fold(T start) {
    check_fold(functions_of<Operation, T>(), start);
}

using Long = long long;
using ULong = unsigned long long;

CASE("atomicAdd: int, unsigned, unsigned long long, float, double") {
    check_chain<Add, int>(-40, 3);
    check_chain<Add, unsigned>(0xfffffff0u, 7);  // wraps around
    check_chain<Add, ULong>(0xfffffff0ull, 1ull << 40);
    check_chain<Add, float>(0.5f, 0.25f);
    check_chain<Add, double>(1e9, 0.125);
}

CASE("atomicAdd_block and atomicAdd_system") {
    check_chain<AddBlock, int>(-40, 3);
    check_chain<AddBlock, unsigned>(0, 1);
    check_chain<AddBlock, ULong>(5, 1ull << 33);
    check_chain<AddBlock, float>(0.5f, 0.25f);
    check_chain<AddBlock, double>(0, 0.5);
    check_chain<AddSystem, int>(-40, 3);
    check_chain<AddSystem, unsigned>(0, 1);
    check_chain<AddSystem, ULong>(5, 1ull << 33);
    check_chain<AddSystem, float>(0.5f, 0.25f);
    check_chain<AddSystem, double>(0, 0.5);
}

CASE("atomicSub: int, unsigned; all scopes") {
    check_chain<Sub, int>(10, 1);
    check_chain<Sub, unsigned>(10, 1);  // wraps around
    check_chain<SubBlock, int>(10, 4);
    check_chain<SubBlock, unsigned>(1000, 4);
    check_chain<SubSystem, int>(10, 4);
    check_chain<SubSystem, unsigned>(1000, 4);
}

template <class Operation>
void check_fold_of_all_integers() {
    check_fold<Operation, int>(0x12345678);
    check_fold<Operation, unsigned>(0x92345678u);
    check_fold<Operation, ULong>(0x923456789abcdef0u);
}

CASE("atomicMin and atomicMax: int, unsigned, long long, unsigned long long; all scopes") {
    check_fold_of_all_integers<Min>();
    check_fold_of_all_integers<MinBlock>();
    check_fold_of_all_integers<MinSystem>();
    check_fold_of_all_integers<Max>();
    check_fold_of_all_integers<MaxBlock>();
    check_fold_of_all_integers<MaxSystem>();
    check_fold<Min, Long>(1ll << 60);
    check_fold<MinBlock, Long>(1ll << 60);
    check_fold<MinSystem, Long>(1ll << 60);
    check_fold<Max, Long>(-(1ll << 60));
    check_fold<MaxBlock, Long>(-(1ll << 60));
    check_fold<MaxSystem, Long>(-(1ll << 60));
}

CASE("atomicMin and atomicMax: signedness decides") {
    check_chain<Min, int>(3, -1);
    check_chain<Max, int>(-5, 2);
    check_chain<Min, unsigned>(3, 0xffffffffu);
    check_chain<Max, unsigned>(3, 0xffffffffu);
    check_chain<Max, Long>(-1, -2);
    check_chain<Max, ULong>(1, ~0ull);
}

CASE("atomicAnd, atomicOr, atomicXor: int, unsigned, unsigned long long; all scopes") {
    check_fold_of_all_integers<And>();
    check_fold_of_all_integers<AndBlock>();
    check_fold_of_all_integers<AndSystem>();
    check_fold_of_all_integers<Or>();
    check_fold_of_all_integers<OrBlock>();
    check_fold_of_all_integers<OrSystem>();
    check_fold_of_all_integers<Xor>();
    check_fold_of_all_integers<XorBlock>();
    check_fold_of_all_integers<XorSystem>();
    check_chain<And, unsigned>(0xff00ff00u, 0x0ff00ff0u);
    check_chain<Or, ULong>(1, 1ull << 63);
    check_chain<Xor, int>(0x55, 0xff);
}

CASE("atomicInc wraps to 0 beyond the limit, atomicDec wraps to the limit; all scopes") {
    check_chain<Inc, unsigned>(0, 9);
    check_chain<Inc, unsigned>(50, 9);  // above the limit, the result is 0
    check_chain<IncBlock, unsigned>(3, 1000);
    check_chain<IncSystem, unsigned>(0, 0);
    check_chain<Dec, unsigned>(9, 9);
    check_chain<Dec, unsigned>(50, 9);  // above the limit, the result is the limit
    check_chain<DecBlock, unsigned>(0, 30);
    check_chain<DecSystem, unsigned>(90, 1000);
}

template <class T>
void check_exchange(const Functions<T>& functions) {
    // No value may be lost: the calls return the start value and all inputs, except the one that stays in memory.
    std::vector<T> in(THREADS);
    for (int i = 0; i < THREADS; ++i) in[i] = static_cast<T>(i + 1);
    Buffer<T> values(in), cells(2), olds(2 * THREADS);
    functions.kernel<<<1, THREADS>>>(values.data(), cells.data(), olds.data());
    std::vector<T> got = olds.read(), left = cells.read();
    for (int half = 0; half < 2; ++half) {
        std::vector<T> all(got.begin() + half * THREADS, got.begin() + (half + 1) * THREADS), want(1, T{});
        all.push_back(left[half]);
        std::sort(all.begin(), all.end());
        want.insert(want.end(), in.begin(), in.end());
        CHECK_EQUAL(all, want);
    }
}

template <class Operation, class T>
void check_exchange() {
    check_exchange(functions_of<Operation, T>());
}

CASE("atomicExch: int, unsigned, unsigned long long, float; all scopes") {
    check_exchange<Exch, int>();
    check_exchange<Exch, unsigned>();
    check_exchange<Exch, ULong>();
    check_exchange<Exch, float>();
    check_exchange<ExchBlock, int>();
    check_exchange<ExchBlock, float>();
    check_exchange<ExchSystem, unsigned>();
    check_exchange<ExchSystem, ULong>();
}

/// A lock-free maximum of absolute values with atomicCAS. A failed exchange returns the current value.
template <class T, int SCOPE>
__global__ void largest(const T* values, T* cell) {
    const T value = values[threadIdx.x];
    T seen = 0;
    while (seen < value) {
        T old;
        if constexpr (SCOPE == 0) old = atomicCAS(cell, seen, value);
        if constexpr (SCOPE == 1) old = atomicCAS_block(cell, seen, value);
        if constexpr (SCOPE == 2) old = atomicCAS_system(cell, seen, value);
        if (old == seen) break;
        seen = old;
    }
}

template <class T, int SCOPE>
void check_cas() {
    std::vector<T> in(THREADS);
    for (int i = 0; i < THREADS; ++i) in[i] = static_cast<T>(1 + i * 53 % 97);
    Buffer<T> values(in), cell(1);
    largest<T, SCOPE><<<1, THREADS>>>(values.data(), cell.data());
    CHECK_EQUAL(cell.read()[0], *std::max_element(in.begin(), in.end()));
}

CASE("atomicCAS: a loop for int, unsigned, unsigned long long, unsigned short; all scopes") {
    check_cas<int, 0>();
    check_cas<unsigned, 0>();
    check_cas<ULong, 0>();
    check_cas<unsigned short, 0>();
    check_cas<int, 1>();
    check_cas<ULong, 1>();
    check_cas<unsigned, 2>();
    check_cas<ULong, 2>();
}

__global__ void compare_and_swap(int* cell, int* olds) {
    olds[0] = atomicCAS(cell, 5, 6);  // the comparison succeeds
    olds[1] = atomicCAS(cell, 5, 7);  // the comparison fails, so the value stays
    olds[2] = *cell;
}

CASE("atomicCAS returns the old value, whether it stored or not") {
    Buffer<int> cell(1, 5), olds(3);
    compare_and_swap<<<1, 1>>>(cell, olds);
    CHECK_EQUAL(olds.read(), std::vector<int>{5, 6, 6});
}

__global__ void float_product(float* cell) {
    unsigned* bits = reinterpret_cast<unsigned*>(cell);
    unsigned seen = atomicOr(bits, 0u), assumed;
    do {
        assumed = seen;
        seen = atomicCAS(bits, assumed, __float_as_uint(__uint_as_float(assumed) * 2.0f));
    } while (seen != assumed);
}

CASE("an atomic that CUDA does not have, from atomicCAS on the bits of a float") {
    Buffer<float> cell(1, 3.0f);
    float_product<<<4, 5>>>(cell);
    CHECK_EQUAL(cell.read()[0], 3.0f * (1 << 20));
}

__global__ void histogram(const unsigned char* data, int n, unsigned* bins) {
    __shared__ unsigned mine[16];
    if (threadIdx.x < 16) mine[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < static_cast<unsigned>(n);
         i += gridDim.x * blockDim.x)
        atomicAdd(&mine[data[i] / 16], 1u);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

CASE("a privatized histogram over many blocks") {
    const int n = 10007;
    std::vector<unsigned char> in(n);
    std::vector<unsigned> want(16);
    for (int i = 0; i < n; ++i) {
        in[i] = static_cast<unsigned char>(i * i * 31 >> 3);
        ++want[in[i] / 16];
    }
    Buffer<unsigned char> data(in);
    Buffer<unsigned> bins(16);
    histogram<<<13, 64>>>(data, n, bins);
    CHECK_EQUAL(bins.read(), want);
}

__global__ void many_blocks(float* sum, double* precise, ULong* count) {
    atomicAdd(sum, 1.0f);
    atomicAdd(precise, 0.5);
    atomicAdd(count, 1ull);
}

CASE("atomics of many blocks on one address lose nothing") {
    Buffer<float> sum(1);
    Buffer<double> precise(1);
    Buffer<ULong> count(1);
    many_blocks<<<300, 128>>>(sum, precise, count);
    CHECK_EQUAL(sum.read()[0], 38400.0f);
    CHECK_EQUAL(precise.read()[0], 19200.0);
    CHECK_EQUAL(count.read()[0], 38400ull);
}

CONFORMANCE_MAIN("atomics")
