// CUB's device-wide functions that the CPU executor supports: reductions, scans, radix sorts, selections, partitions and run lengths. Each call
// is a kernel with one thread. The headers that CMake generates in cub/device include this file (kit_header_libraries.cmake).
#pragma once

#include <kit_cpu/cub_call.hpp>

CUB_NAMESPACE_BEGIN
#define KIT_CUB_NOT_OFFERED(in, name)                                                                       \
    template <class... Arguments>                                                                           \
    __attribute__((unavailable(                                                                             \
        "cub::" #in "::" #name                                                                              \
        "() is not supported by the CPU backend: of CUB's device-wide "                                     \
        "functions, it has reductions, scans, radix sorts, selections and partitions"))) static cudaError_t \
    name(Arguments&&...);

struct DeviceReduce {
    KIT_CUB_NOT_OFFERED(DeviceReduce, TransformReduce)
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

    template <class Keys, class Unique, class Values, class Out, class Runs, class Operator, class N>
    static cudaError_t ReduceByKey(void* storage, std::size_t& bytes, Keys keys, Unique unique, Values values,
                                   Out out, Runs runs, Operator combine, N n, cudaStream_t stream = nullptr) {
        return kit_details::call(
            "cub::DeviceReduce", storage, bytes, 1, stream, [=](kit_details::in_kernel&) {
                const auto value_at = [=](std::ptrdiff_t i) -> kit_details::value_of<Values> {
                    return values[i];
                };
                kit_details::reduce_runs(keys, unique, value_at, out, runs, static_cast<std::ptrdiff_t>(n),
                                         combine);
            });
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
    KIT_CUB_NOT_OFFERED(DeviceScan, InclusiveScanInit)
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

    template <class Keys, class In, class Out, class N, class Equal = kit_details::Same>
    static cudaError_t ExclusiveSumByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out, N n,
                                         Equal equal = {}, cudaStream_t stream = nullptr) {
        const kit_details::value_of<In> zero{};
        return runs<false>(storage, bytes, keys, in, out, kit_details::Add(), zero, n, equal, stream);
    }
    template <class Keys, class In, class Out, class Operator, class Start, class N,
              class Equal = kit_details::Same>
    static cudaError_t ExclusiveScanByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out,
                                          Operator combine, Start start, N n, Equal equal = {},
                                          cudaStream_t stream = nullptr) {
        return runs<false>(storage, bytes, keys, in, out, combine, start, n, equal, stream);
    }
    template <class Keys, class In, class Out, class N, class Equal = kit_details::Same>
    static cudaError_t InclusiveSumByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out, N n,
                                         Equal equal = {}, cudaStream_t stream = nullptr) {
        return runs<true>(storage, bytes, keys, in, out, kit_details::Add(), nullptr, n, equal, stream);
    }
    template <class Keys, class In, class Out, class Operator, class N, class Equal = kit_details::Same>
    static cudaError_t InclusiveScanByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out,
                                          Operator combine, N n, Equal equal = {},
                                          cudaStream_t stream = nullptr) {
        return runs<true>(storage, bytes, keys, in, out, combine, nullptr, n, equal, stream);
    }

  private:
    template <bool Inclusive, class Keys, class In, class Out, class Operator, class Start, class N,
              class Equal>
    static cudaError_t runs(void* storage, std::size_t& bytes, Keys keys, In in, Out out, Operator combine,
                            Start start, N n, Equal equal, cudaStream_t stream) {
        return kit_details::call("cub::DeviceScan", storage, bytes, 1, stream, [=](kit_details::in_kernel&) {
            kit_details::scan_runs<Inclusive>(keys, in, out, static_cast<std::ptrdiff_t>(n), combine, start,
                                              equal);
        });
    }
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
    KIT_CUB_NOT_OFFERED(DeviceSelect, FlaggedIf)
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

    template <class Keys, class Values, class KeysOut, class ValuesOut, class Count, class N>
    static cudaError_t UniqueByKey(void* storage, std::size_t& bytes, Keys keys, Values values,
                                   KeysOut keys_out, ValuesOut values_out, Count count, N n,
                                   cudaStream_t stream = nullptr) {
        return kit_details::call(
            "cub::DeviceSelect", storage, bytes, 1, stream, [=](kit_details::in_kernel&) {
                const auto value_at = [=](std::ptrdiff_t i) -> kit_details::value_of<Values> {
                    return values[i];
                };
                const auto first = [](const auto& a, const auto&) { return a; };
                kit_details::reduce_runs(keys, keys_out, value_at, values_out, count,
                                         static_cast<std::ptrdiff_t>(n), first);
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

struct DevicePartition {
    template <class In, class Out, class Count, class N, class Predicate>
    static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Count count, N n,
                          Predicate predicate, cudaStream_t stream = nullptr) {
        return run(storage, bytes, in, out, count, n, stream,
                   [=](std::ptrdiff_t, const auto& value) { return predicate(value); });
    }
    template <class In, class Flags, class Out, class Count, class N>
    static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out, Count count,
                               N n, cudaStream_t stream = nullptr) {
        return run(storage, bytes, in, out, count, n, stream,
                   [=](std::ptrdiff_t i, const auto&) { return static_cast<bool>(flags[i]); });
    }

  private:
    /// Elements that are not selected are written to the end of `out`, in reverse order.
    template <class In, class Out, class Count, class N, class Selects>
    static cudaError_t run(void* storage, std::size_t& bytes, In in, Out out, Count count, N n,
                           cudaStream_t stream, Selects selects) {
        return kit_details::call("cub::DevicePartition", storage, bytes, 1, stream,
                                 [=](kit_details::in_kernel&) {
                                     std::ptrdiff_t selected = 0, rest = static_cast<std::ptrdiff_t>(n);
                                     for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(n); ++i) {
                                         const kit_details::value_of<In> value = in[i];
                                         out[selects(i, value) ? selected++ : --rest] = value;
                                     }
                                     *count = static_cast<kit_details::value_of<Count>>(selected);
                                 });
    }
};

struct DeviceSegmentedReduce {
    template <class In, class Out, class Begins, class Ends, class Operator, class T>
    static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, long long segments,
                              Begins begins, Ends ends, Operator combine, T start,
                              cudaStream_t stream = nullptr) {
        const char* const name = "cub::DeviceSegmentedReduce";
        return kit_details::call(name, storage, bytes, 1, stream, [=](kit_details::in_kernel&) {
            for (std::ptrdiff_t segment = 0; segment < segments; ++segment) {
                T sum = start;
                const std::ptrdiff_t end = ends[segment];
                for (std::ptrdiff_t i = begins[segment]; i < end; ++i)
                    sum = combine(sum, kit_details::value_of<In>(in[i]));
                out[segment] = sum;
            }
        });
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, long long segments,
                           Begins begins, Ends ends, cudaStream_t stream = nullptr) {
        return Reduce(storage, bytes, in, out, segments, begins, ends, kit_details::Add(),
                      kit_details::value_of<In>{}, stream);
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, long long segments,
                           Begins begins, Ends ends, cudaStream_t stream = nullptr) {
        using T = kit_details::value_of<In>;
        const auto lesser = [](const T& a, const T& b) { return b < a ? b : a; };
        return Reduce(storage, bytes, in, out, segments, begins, ends, lesser, std::numeric_limits<T>::max(),
                      stream);
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, long long segments,
                           Begins begins, Ends ends, cudaStream_t stream = nullptr) {
        using T = kit_details::value_of<In>;
        const auto greater = [](const T& a, const T& b) { return a < b ? b : a; };
        return Reduce(storage, bytes, in, out, segments, begins, ends, greater,
                      std::numeric_limits<T>::lowest(), stream);
    }
};

struct DeviceRunLengthEncode {
    template <class In, class Unique, class Counts, class Runs, class N>
    static cudaError_t Encode(void* storage, std::size_t& bytes, In in, Unique unique, Counts counts,
                              Runs runs, N n, cudaStream_t stream = nullptr) {
        const char* const name = "cub::DeviceRunLengthEncode";
        return kit_details::call(name, storage, bytes, 1, stream, [=](kit_details::in_kernel&) {
            const auto one = [](std::ptrdiff_t) -> kit_details::value_of<Counts> { return 1; };
            kit_details::reduce_runs(in, unique, one, counts, runs, static_cast<std::ptrdiff_t>(n),
                                     kit_details::Add());
        });
    }
    KIT_CUB_NOT_OFFERED(DeviceRunLengthEncode, NonTrivialRuns)
};

// clang-format off
#define KIT_CUB_SORTS(class_name) struct class_name { KIT_CUB_NOT_OFFERED(class_name, SortKeys) KIT_CUB_NOT_OFFERED(class_name, SortKeysDescending) \
    KIT_CUB_NOT_OFFERED(class_name, SortPairs) KIT_CUB_NOT_OFFERED(class_name, SortPairsDescending) KIT_CUB_NOT_OFFERED(class_name, StableSortKeys) \
    KIT_CUB_NOT_OFFERED(class_name, StableSortPairs) KIT_CUB_NOT_OFFERED(class_name, SortKeysCopy) KIT_CUB_NOT_OFFERED(class_name, StableSortKeysCopy) };
KIT_CUB_SORTS(DeviceMergeSort)
KIT_CUB_SORTS(DeviceSegmentedRadixSort)
KIT_CUB_SORTS(DeviceSegmentedSort)
#undef KIT_CUB_SORTS
struct DeviceAdjacentDifference { KIT_CUB_NOT_OFFERED(DeviceAdjacentDifference, SubtractLeft) KIT_CUB_NOT_OFFERED(DeviceAdjacentDifference, SubtractLeftCopy)
    KIT_CUB_NOT_OFFERED(DeviceAdjacentDifference, SubtractRight) KIT_CUB_NOT_OFFERED(DeviceAdjacentDifference, SubtractRightCopy) };
struct DeviceCopy { KIT_CUB_NOT_OFFERED(DeviceCopy, Batched) };
struct DeviceMemcpy { KIT_CUB_NOT_OFFERED(DeviceMemcpy, Batched) };
struct DeviceFor { KIT_CUB_NOT_OFFERED(DeviceFor, Bulk) KIT_CUB_NOT_OFFERED(DeviceFor, ForEach) KIT_CUB_NOT_OFFERED(DeviceFor, ForEachN)
    KIT_CUB_NOT_OFFERED(DeviceFor, ForEachCopy) KIT_CUB_NOT_OFFERED(DeviceFor, ForEachCopyN) };
struct DeviceHistogram { KIT_CUB_NOT_OFFERED(DeviceHistogram, HistogramEven) KIT_CUB_NOT_OFFERED(DeviceHistogram, HistogramRange)
    KIT_CUB_NOT_OFFERED(DeviceHistogram, MultiHistogramEven) KIT_CUB_NOT_OFFERED(DeviceHistogram, MultiHistogramRange) };
struct DeviceMerge { KIT_CUB_NOT_OFFERED(DeviceMerge, MergeKeys) KIT_CUB_NOT_OFFERED(DeviceMerge, MergePairs) };
struct DeviceTransform { KIT_CUB_NOT_OFFERED(DeviceTransform, Transform) KIT_CUB_NOT_OFFERED(DeviceTransform, Fill) KIT_CUB_NOT_OFFERED(DeviceTransform, Generate) };
// clang-format on
#undef KIT_CUB_NOT_OFFERED

CUB_NAMESPACE_END
