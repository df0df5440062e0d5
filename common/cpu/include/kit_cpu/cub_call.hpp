// How a device-wide function of CUB runs on the CPU executor: as a kernel with one thread, which executes one of these sequential algorithms.
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

/// Combines the values of each run of equal keys.
template <class Keys, class Unique, class ValueAt, class Out, class Runs, class Operator>
void reduce_runs(Keys keys, Unique unique, ValueAt value_at, Out out, Runs runs, std::ptrdiff_t n,
                 Operator combine) {
    using Key = value_of<Keys>;
    std::ptrdiff_t run = 0;
    for (std::ptrdiff_t i = 0; i < n; ++run) {
        const Key key = keys[i];
        auto sum = value_at(i++);
        for (; i < n && Key(keys[i]) == key; ++i) sum = combine(sum, value_at(i));
        unique[run] = key;
        out[run] = sum;
    }
    *runs = static_cast<value_of<Runs>>(run);
}

/// Scans the values of each run of equal keys on its own.
template <bool Inclusive, class Keys, class In, class Out, class Operator, class Start, class Equal>
void scan_runs(Keys keys, In in, Out out, std::ptrdiff_t n, Operator combine, Start start, Equal equal) {
    for (std::ptrdiff_t i = 0, end = 0; i < n; i = end) {
        for (end = i + 1; end < n && equal(value_of<Keys>(keys[i]), value_of<Keys>(keys[end]));) ++end;
        scan<Inclusive>(in + i, out + i, end - i, combine, start);
    }
}

struct Same {
    template <class T>
    bool operator()(const T& a, const T& b) const {
        return a == b;
    }
};

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

CUB_NAMESPACE_END
