// CUB's device-wide functions that the CPU executor supports: DeviceReduce, DeviceScan, DeviceRadixSort and DeviceSelect. Each call is a kernel
// with one thread. The headers that CMake generates in cub/device include this file (kit_header_libraries.cmake).
#pragma once

#include <thrust/system/detail/sequential/sort.h>

#include <kit_cpu/thrust_system.hpp>
#include <limits>

CUB_NAMESPACE_BEGIN
namespace kit_details {

using thrust::cuda_cub::in_kernel;
using thrust::cuda_cub::value_of;

template <class Work>
void run_work(thrust::cuda_cub::Bytes<Work> work, thrust::cuda_cub::Scratch scratch) {
    in_kernel policy;
    policy.scratch = scratch;
    work.value()(policy);
}

/// Executes a call of a device-wide function. Without storage, sets `bytes` to the number of bytes that the
/// call needs; with storage, queues the kernel of the call.
template <class Work>
cudaError_t call(const char* name, void* storage, std::size_t& bytes, std::size_t needed, cudaStream_t stream,
                 Work work) {
    if (needed == 0) needed = 1;
    if (!storage) {
        bytes = needed;
        return cudaSuccess;
    }
    if (bytes < needed) return cudaErrorInvalidValue;
    const thrust::cuda_cub::Scratch scratch{static_cast<char*>(storage), 0, needed};
    if (kit::cpu::in_kernel()) {
        in_kernel policy;
        policy.scratch = scratch;
        work(policy);
        return cudaSuccess;
    }
    return kit::cpu::launch(name, run_work<Work>, 1, 1, 0, stream, {})(thrust::cuda_cub::Bytes<Work>(work),
                                                                       scratch);
}

struct Add {
    template <class T, class U>
    auto operator()(const T& a, const U& b) const {
        return a + b;
    }
};

template <bool Inclusive, class In, class Out, class Operator, class Start>
void scan(In in, Out out, std::ptrdiff_t n, Operator combine, Start start) {
    using T = std::conditional_t<std::is_same<Start, std::nullptr_t>::value, value_of<In>, Start>;
    T sum{};
    if constexpr (!std::is_same<Start, std::nullptr_t>::value) sum = start;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        const value_of<In> value = in[i];
        if constexpr (Inclusive) {
            sum = i == 0 && std::is_same<Start, std::nullptr_t>::value ? T(value) : T(combine(sum, value));
            out[i] = sum;
        } else {
            out[i] = sum;
            sum = combine(sum, value);
        }
    }
}

/// Returns an unsigned number for the key; the numbers have the same order as the keys.
template <class Key>
auto ordered_bits(Key key) {
    using Bits = std::conditional_t<
        sizeof(Key) == 1, unsigned char,
        std::conditional_t<sizeof(Key) == 2, unsigned short,
                           std::conditional_t<sizeof(Key) == 4, unsigned, unsigned long long>>>;
    const Bits bits = kit::cpu::same_bits<Bits>(key), top = Bits(Bits(1) << (8 * sizeof(Key) - 1));
    if (!std::is_integral<Key>::value) return Bits(bits & top ? ~bits : bits | top);
    return std::is_signed<Key>::value ? Bits(bits ^ top) : bits;
}

/// Compares only the bits [begin, end) of two keys.
template <class Key>
struct BitsLess {
    int begin, end;
    bool descending;
    bool operator()(const Key& a, const Key& b) const {
        const auto x = digits(a), y = digits(b);
        return descending ? y < x : x < y;
    }
    unsigned long long digits(const Key& key) const {
        const unsigned long long bits = ordered_bits(key);
        return (end - begin >= 64 ? bits : bits & ((1ull << end) - 1)) >> begin;
    }
};

template <class Key, class Value>
cudaError_t sort(const char* name, void* storage, std::size_t& bytes, const Key* keys, Key* keys_out,
                 const Value* values, Value* values_out, std::ptrdiff_t n, BitsLess<Key> less,
                 cudaStream_t stream) {
    const std::size_t needed =
        thrust::cuda_cub::scratch_bytes_by_key(keys, keys + n, values ? values : nullptr);
    return call(name, storage, bytes, needed, stream, [=](in_kernel& policy) {
        namespace sequential = thrust::system::detail::sequential;
        for (std::ptrdiff_t i = 0; i < n; ++i) keys_out[i] = keys[i];
        if (!values) return sequential::stable_sort(policy, keys_out, keys_out + n, less);
        for (std::ptrdiff_t i = 0; i < n; ++i) values_out[i] = values[i];
        sequential::stable_sort_by_key(policy, keys_out, keys_out + n, values_out, less);
    });
}

}  // namespace kit_details

struct DeviceReduce {
    template <class In, class Out, class Operator, class T, class N>
    static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, N n, Operator combine,
                              T start, cudaStream_t stream = nullptr, bool = false) {
        return kit_details::call("cub::DeviceReduce", storage, bytes, 1, stream,
                                 [=](kit_details::in_kernel&) {
                                     T sum = start;
                                     for (N i = 0; i < n; ++i)
                                         sum = combine(sum, kit_details::value_of<In>(in[i]));
                                     *out = sum;
                                 });
    }
    template <class In, class Out, class N>
    static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, N n,
                           cudaStream_t stream = nullptr, bool = false) {
        return Reduce(storage, bytes, in, out, n, kit_details::Add(), kit_details::value_of<In>{}, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, N n,
                           cudaStream_t stream = nullptr, bool = false) {
        using T = kit_details::value_of<In>;
        const auto lesser = [](const T& a, const T& b) { return b < a ? b : a; };
        return Reduce(storage, bytes, in, out, n, lesser, std::numeric_limits<T>::max(), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, N n,
                           cudaStream_t stream = nullptr, bool = false) {
        using T = kit_details::value_of<In>;
        const auto greater = [](const T& a, const T& b) { return a < b ? b : a; };
        return Reduce(storage, bytes, in, out, n, greater, std::numeric_limits<T>::lowest(), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t ArgMin(void* storage, std::size_t& bytes, In in, Out out, N n,
                              cudaStream_t stream = nullptr, bool = false) {
        return extreme(storage, bytes, in, out, n, stream,
                       [](const auto& a, const auto& b) { return a < b; });
    }
    template <class In, class Out, class N>
    static cudaError_t ArgMax(void* storage, std::size_t& bytes, In in, Out out, N n,
                              cudaStream_t stream = nullptr, bool = false) {
        return extreme(storage, bytes, in, out, n, stream,
                       [](const auto& a, const auto& b) { return b < a; });
    }

  private:
    template <class In, class Out, class N, class Before>
    static cudaError_t extreme(void* storage, std::size_t& bytes, In in, Out out, N n, cudaStream_t stream,
                               Before before) {
        return kit_details::call("cub::DeviceReduce", storage, bytes, 1, stream,
                                 [=](kit_details::in_kernel&) {
                                     using T = kit_details::value_of<In>;
                                     if (n <= 0) return;
                                     KeyValuePair<int, T> best(0, in[0]);
                                     for (N i = 1; i < n; ++i) {
                                         const T value = in[i];
                                         if (before(value, best.value))
                                             best = KeyValuePair<int, T>(static_cast<int>(i), value);
                                     }
                                     *out = best;
                                 });
    }
};

struct DeviceScan {
    template <class In, class Out, class N>
    static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In in, Out out, N n,
                                    cudaStream_t stream = nullptr, bool = false) {
        return run<false>(storage, bytes, in, out, n, kit_details::Add(), kit_details::value_of<In>{},
                          stream);
    }
    template <class In, class Out, class Operator, class Start, class N>
    static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Operator combine,
                                     Start start, N n, cudaStream_t stream = nullptr, bool = false) {
        return run<false>(storage, bytes, in, out, n, combine, start, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out, N n,
                                    cudaStream_t stream = nullptr, bool = false) {
        return run<true>(storage, bytes, in, out, n, kit_details::Add(), nullptr, stream);
    }
    template <class In, class Out, class Operator, class N>
    static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Operator combine, N n,
                                     cudaStream_t stream = nullptr, bool = false) {
        return run<true>(storage, bytes, in, out, n, combine, nullptr, stream);
    }
    template <class T, class N, class = std::enable_if_t<std::is_integral<N>::value>>
    static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, T data, N n,
                                    cudaStream_t stream = nullptr) {
        return ExclusiveSum(storage, bytes, data, data, n, stream);
    }
    template <class T, class N, class = std::enable_if_t<std::is_integral<N>::value>>
    static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, T data, N n,
                                    cudaStream_t stream = nullptr) {
        return InclusiveSum(storage, bytes, data, data, n, stream);
    }

  private:
    template <bool Inclusive, class In, class Out, class N, class Operator, class Start>
    static cudaError_t run(void* storage, std::size_t& bytes, In in, Out out, N n, Operator combine,
                           Start start, cudaStream_t stream) {
        return kit_details::call("cub::DeviceScan", storage, bytes, 1, stream, [=](kit_details::in_kernel&) {
            kit_details::scan<Inclusive>(in, out, static_cast<std::ptrdiff_t>(n), combine, start);
        });
    }
};

struct DeviceRadixSort {
#define KIT_CUB_SORT(suffix, descending)                                                                     \
    template <class Key, class N>                                                                            \
    static cudaError_t SortKeys##suffix(void* storage, std::size_t& bytes, const Key* keys, Key* keys_out,   \
                                        N n, int begin = 0, int end = 8 * sizeof(Key),                       \
                                        cudaStream_t stream = nullptr, bool = false) {                       \
        return kit_details::sort("cub::DeviceRadixSort", storage, bytes, keys, keys_out,                     \
                                 static_cast<const int*>(nullptr), static_cast<int*>(nullptr),               \
                                 static_cast<std::ptrdiff_t>(n),                                             \
                                 kit_details::BitsLess<Key>{begin, end, descending}, stream);                \
    }                                                                                                        \
    template <class Key, class N>                                                                            \
    static cudaError_t SortKeys##suffix(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys, N n,     \
                                        int begin = 0, int end = 8 * sizeof(Key),                            \
                                        cudaStream_t stream = nullptr, bool = false) {                       \
        const cudaError_t error =                                                                            \
            SortKeys##suffix(storage, bytes, keys.Current(), keys.Alternate(), n, begin, end, stream);       \
        if (storage) keys.selector ^= 1;                                                                     \
        return error;                                                                                        \
    }                                                                                                        \
    template <class Key, class Value, class N>                                                               \
    static cudaError_t SortPairs##suffix(void* storage, std::size_t& bytes, const Key* keys, Key* keys_out,  \
                                         const Value* values, Value* values_out, N n, int begin = 0,         \
                                         int end = 8 * sizeof(Key), cudaStream_t stream = nullptr,           \
                                         bool = false) {                                                     \
        return kit_details::sort("cub::DeviceRadixSort", storage, bytes, keys, keys_out, values, values_out, \
                                 static_cast<std::ptrdiff_t>(n),                                             \
                                 kit_details::BitsLess<Key>{begin, end, descending}, stream);                \
    }                                                                                                        \
    template <class Key, class Value, class N>                                                               \
    static cudaError_t SortPairs##suffix(                                                                    \
        void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, N n,        \
        int begin = 0, int end = 8 * sizeof(Key), cudaStream_t stream = nullptr, bool = false) {             \
        const cudaError_t error =                                                                            \
            SortPairs##suffix(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),            \
                              values.Alternate(), n, begin, end, stream);                                    \
        if (storage) keys.selector ^= 1, values.selector ^= 1;                                               \
        return error;                                                                                        \
    }
    KIT_CUB_SORT(, false)
    KIT_CUB_SORT(Descending, true)
#undef KIT_CUB_SORT
};

struct DeviceSelect {
    template <class In, class Out, class Count, class N, class Predicate>
    static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Count count, N n,
                          Predicate predicate, cudaStream_t stream = nullptr, bool = false) {
        return run(storage, bytes, in, out, count, n, stream,
                   [=](std::ptrdiff_t, const auto& value) { return predicate(value); });
    }
    template <class In, class Flags, class Out, class Count, class N>
    static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Count count,
                               N n, cudaStream_t stream = nullptr, bool = false) {
        return run(storage, bytes, in, out, count, n, stream,
                   [=](std::ptrdiff_t i, const auto&) { return static_cast<bool>(flags[i]); });
    }
    template <class In, class Out, class Count, class N>
    static cudaError_t Unique(void* storage, std::size_t& bytes, In in, Out out, Count count, N n,
                              cudaStream_t stream = nullptr, bool = false) {
        return run(storage, bytes, in, out, count, n, stream, [=](std::ptrdiff_t i, const auto& value) {
            return i == 0 || !(kit_details::value_of<In>(in[i - 1]) == value);
        });
    }

  private:
    template <class In, class Out, class Count, class N, class Selects>
    static cudaError_t run(void* storage, std::size_t& bytes, In in, Out out, Count count, N n,
                           cudaStream_t stream, Selects selects) {
        return kit_details::call("cub::DeviceSelect", storage, bytes, 1, stream,
                                 [=](kit_details::in_kernel&) {
                                     std::ptrdiff_t selected = 0;
                                     for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(n); ++i) {
                                         const kit_details::value_of<In> value = in[i];
                                         if (selects(i, value)) out[selected++] = value;
                                     }
                                     *count = static_cast<value_of_count<Count>>(selected);
                                 });
    }
    template <class Count>
    using value_of_count = kit_details::value_of<Count>;
};

#define KIT_CUB_NOT_OFFERED(name)                                                                          \
    struct __attribute__((                                                                                 \
        unavailable("cub::" #name " is not supported by the CPU backend: of CUB's device-wide functions, " \
                    "it has DeviceReduce, DeviceScan, DeviceRadixSort and DeviceSelect"))) name;
KIT_CUB_NOT_OFFERED(DeviceAdjacentDifference)
KIT_CUB_NOT_OFFERED(DeviceCopy)
KIT_CUB_NOT_OFFERED(DeviceFor)
KIT_CUB_NOT_OFFERED(DeviceHistogram)
KIT_CUB_NOT_OFFERED(DeviceMemcpy)
KIT_CUB_NOT_OFFERED(DeviceMerge)
KIT_CUB_NOT_OFFERED(DeviceMergeSort)
KIT_CUB_NOT_OFFERED(DevicePartition)
KIT_CUB_NOT_OFFERED(DeviceRunLengthEncode)
KIT_CUB_NOT_OFFERED(DeviceSegmentedRadixSort)
KIT_CUB_NOT_OFFERED(DeviceSegmentedReduce)
KIT_CUB_NOT_OFFERED(DeviceSegmentedSort)
KIT_CUB_NOT_OFFERED(DeviceTransform)
#undef KIT_CUB_NOT_OFFERED

CUB_NAMESPACE_END
