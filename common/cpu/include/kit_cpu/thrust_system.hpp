// The device system of Thrust on the CPU executor. The headers that CMake generates in
// thrust/system/cuda/detail include this file instead of Thrust's own CUDA backend
// (kit_header_libraries.cmake). Each algorithm is Thrust's sequential algorithm and runs in a kernel, so the
// checks see its accesses as those of device code. for_each, and every algorithm that Thrust builds on
// for_each, has a thread for each element.
#pragma once

#include <cuda_runtime.h>
#include <thrust/detail/config.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/detail/raw_reference_cast.h>
#include <thrust/detail/seq.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/cpp/detail/execution_policy.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system/detail/bad_alloc.h>
#include <thrust/system/detail/sequential/execution_policy.h>
#include <thrust/system_error.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <kit_cpu/launch.hpp>
#include <kit_cpu/thrust_policy.hpp>
#include <memory>
#include <new>
#include <string>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

inline cudaStream_t default_stream() {
    return nullptr;
}
template <class Derived>
cudaStream_t get_stream(const execution_policy<Derived>&) {
    return nullptr;
}
template <class Derived>
bool must_perform_optional_stream_synchronization(const execution_policy<Derived>&) {
    return true;
}

/// The policy par.on(stream): algorithms with this policy run in the stream, and the host waits for them.
template <class Derived>
class execute_on_stream_base : public execution_policy<Derived> {
  public:
    execute_on_stream_base(cudaStream_t stream = nullptr) : stream_(stream) {}
    Derived on(cudaStream_t stream) const {
        Derived result = static_cast<const Derived&>(*this);
        result.stream_ = stream;
        return result;
    }
    friend cudaStream_t get_stream(const execute_on_stream_base& policy) { return policy.stream_; }

  private:
    cudaStream_t stream_;
};
template <class Derived>
struct execute_on_stream_nosync_base : execute_on_stream_base<Derived> {
    using execute_on_stream_base<Derived>::execute_on_stream_base;
    friend bool must_perform_optional_stream_synchronization(const execute_on_stream_nosync_base&) {
        return false;
    }
};
struct execute_on_stream : execute_on_stream_base<execute_on_stream> {
    using execute_on_stream_base<execute_on_stream>::execute_on_stream_base;
};
struct execute_on_stream_nosync : execute_on_stream_nosync_base<execute_on_stream_nosync> {
    using execute_on_stream_nosync_base<execute_on_stream_nosync>::execute_on_stream_nosync_base;
};
struct par_t : execution_policy<par_t>,
               thrust::detail::allocator_aware_execution_policy<execute_on_stream_base> {
    using stream_attachment_type = execute_on_stream;
    constexpr par_t() = default;
    execute_on_stream on(cudaStream_t stream) const { return {stream}; }
};
struct par_nosync_t : execution_policy<par_nosync_t>,
                      thrust::detail::allocator_aware_execution_policy<execute_on_stream_nosync_base> {
    using stream_attachment_type = execute_on_stream_nosync;
    constexpr par_nosync_t() = default;
    execute_on_stream_nosync on(cudaStream_t stream) const { return {stream}; }
    friend bool must_perform_optional_stream_synchronization(const par_nosync_t&) { return false; }
};
inline constexpr par_t par;
inline constexpr par_nosync_t par_nosync;

inline void throw_on_error(cudaError_t status) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw thrust::system_error(status, thrust::cuda_category());
}
inline void throw_on_error(cudaError_t status, const char* message) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw thrust::system_error(status, thrust::cuda_category(), message);
}

template <class Iterator>
using value_of = typename thrust::iterator_value<Iterator>::type;

/// Memory for the temporary arrays of an algorithm, which its kernel cannot allocate.
struct Scratch {
    char* begin = nullptr;
    std::size_t used = 0, bytes = 0;
};

/// The policy of an algorithm that runs inside a kernel.
struct in_kernel : thrust::system::detail::sequential::execution_policy<in_kernel> {
    Scratch scratch;

    // An assignment between references needs a system to which the systems of both sides convert.
    operator thrust::cpp::tag() const { return {}; }
    operator tag() const { return {}; }
};
inline void* malloc(in_kernel& policy, std::size_t bytes) {
    Scratch& scratch = policy.scratch;
    const std::size_t begin = (scratch.used + 255) / 256 * 256;
    if (begin + bytes > scratch.bytes) return nullptr;
    scratch.used = begin + bytes;
    return scratch.begin + begin;
}
/// Arrays are freed in the reverse order of their allocation.
template <class Pointer>
void free(in_kernel& policy, Pointer pointer) {
    char* const begin = static_cast<char*>(static_cast<void*>(thrust::raw_pointer_cast(pointer)));
    if (begin) policy.scratch.used = static_cast<std::size_t>(begin - policy.scratch.begin);
}

/// Returns the size in bytes of the temporary arrays of an algorithm that sorts or partitions keys, with or
/// without values.
template <class Iterator, class... Others>
std::size_t scratch_bytes(Iterator first, Iterator last, Others...) {
    return 65536 + 4 * static_cast<std::size_t>(last - first) * sizeof(value_of<Iterator>);
}
template <class Iterator, class Values, class... Others>
std::size_t scratch_bytes_by_key(Iterator first, Iterator last, Values, Others...) {
    return scratch_bytes(first, last) + 4 * static_cast<std::size_t>(last - first) * sizeof(value_of<Values>);
}

/// An argument of a kernel, stored as bytes, because a copy constructor must not read the launch's copy in
/// host memory.
template <class T>
class Bytes {
  public:
    explicit Bytes(const T& value) { ::new (static_cast<void*>(bytes_)) T(value); }
    T& value() { return *std::launder(reinterpret_cast<T*>(bytes_)); }

  private:
    alignas(T) unsigned char bytes_[sizeof(T)];
};

/// The kernel of an algorithm that one thread executes. The result is copied to the host.
template <class Work, class Result>
void run_in_one_thread(Bytes<Work> work, Scratch scratch, Result* result) {
    in_kernel policy;
    policy.scratch = scratch;
    Result value = work.value()(policy);
    const kit::cpu::InExecutor inside;
    ::new (static_cast<void*>(result)) Result(std::move(value));
}

/// The kernel of an algorithm that has a thread for each of n elements.
template <class Work>
void run_for_each(std::ptrdiff_t n, Bytes<Work> work) {
    const std::ptrdiff_t i =
        static_cast<std::ptrdiff_t>(blockIdx.x) * static_cast<std::ptrdiff_t>(blockDim.x) + threadIdx.x;
    if (i < n) work.value()(i);
}

/// Waits for the stream and reports the first error as an exception, as Thrust does.
template <class Derived>
void finish(execution_policy<Derived>& policy, cudaError_t status, const char* name) {
    auto& derived = thrust::detail::derived_cast(policy);
    if (status == cudaSuccess && must_perform_optional_stream_synchronization(derived))
        status = cudaStreamSynchronize(get_stream(derived));
    throw_on_error(status, name);
}

/// Runs `work` as a kernel with one thread and returns its result. If the caller is in a kernel, calls `work`
/// directly.
template <class Derived, class Work>
auto run_algorithm(execution_policy<Derived>& policy, const char* name, std::size_t scratch_bytes,
                   Work work) {
    in_kernel inside;
    using Result = decltype(work(inside));
    if (kit::cpu::in_kernel()) {
        if (scratch_bytes > 0)
            inside.scratch = {static_cast<char*>(::malloc(scratch_bytes)), 0, scratch_bytes};
        Result result = work(inside);
        ::free(inside.scratch.begin);
        return result;
    }
    auto& derived = thrust::detail::derived_cast(policy);
    const cudaStream_t stream = get_stream(derived);
    Scratch scratch{nullptr, 0, scratch_bytes};
    if (scratch_bytes > 0) {
        void* memory = nullptr;
        throw_on_error(cudaMalloc(&memory, scratch_bytes), name);
        scratch.begin = static_cast<char*>(memory);
    }
    struct Free {
        char* memory;
        ~Free() {
            if (memory) cudaFree(memory);
        }
    } free{scratch.begin};
    alignas(Result) unsigned char bytes[sizeof(Result)];
    Result* const result = reinterpret_cast<Result*>(bytes);
    cudaError_t status = kit::cpu::launch(name, run_in_one_thread<Work, Result>, 1, 1, 0, stream, {})(
        Bytes<Work>(work), scratch, result);
    if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
    throw_on_error(status, name);
    Result value = std::move(*result);
    result->~Result();
    return value;
}

/// Calls work(i) for each i below n, as a kernel with n threads. If the caller is in a kernel, calls work(i)
/// in a loop.
template <class Derived, class Work>
void run_threads(execution_policy<Derived>& policy, const char* name, std::ptrdiff_t n, Work work) {
    if (kit::cpu::in_kernel()) {
        for (std::ptrdiff_t i = 0; i < n; ++i) work(i);
    } else if (n > 0) {
        constexpr unsigned threads = 256;
        const dim3 blocks(static_cast<unsigned>((n + threads - 1) / threads));
        const cudaStream_t stream = get_stream(thrust::detail::derived_cast(policy));
        finish(
            policy,
            kit::cpu::launch(name, run_for_each<Work>, blocks, threads, 0, stream, {})(n, Bytes<Work>(work)),
            name);
    }
}

template <class Iterator, class Function>
struct CallForElement {
    Iterator first;
    Function function;
    void operator()(std::ptrdiff_t i) { function(thrust::raw_reference_cast(first[i])); }
};
template <class Derived, class Iterator, class Size, class Function>
Iterator for_each_n(execution_policy<Derived>& policy, Iterator first, Size size, Function function) {
    const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(size);
    cuda_cub::run_threads(policy, "thrust::for_each", n, CallForElement<Iterator, Function>{first, function});
    return first + n;
}
template <class Derived, class Iterator, class Function>
Iterator for_each(execution_policy<Derived>& policy, Iterator first, Iterator last, Function function) {
    return cuda_cub::for_each_n(policy, first, last - first, function);
}

// Memory.

template <class Derived>
void* malloc(execution_policy<Derived>&, std::size_t bytes) {
    if (kit::cpu::in_kernel()) return ::malloc(bytes);
    void* memory = nullptr;
    const cudaError_t status = cudaMalloc(&memory, bytes);
    if (status == cudaSuccess) return memory;
    cudaGetLastError();
    throw thrust::system::detail::bad_alloc(thrust::cuda_category().message(status).c_str());
}
template <class Derived, class Pointer>
void free(execution_policy<Derived>&, Pointer pointer) {
    if (kit::cpu::in_kernel())
        ::free(thrust::raw_pointer_cast(pointer));
    else
        throw_on_error(cudaFree(thrust::raw_pointer_cast(pointer)), "device free failed");
}

// Copies. Contiguous bytes are copied by cudaMemcpy.

/// The systems of a copy between host and device.
template <class From, class To>
struct cross_system : thrust::execution_policy<cross_system<From, To>> {
    cross_system() = default;
    cross_system(const From& from, const To& to) : from(from), to(to) {}
    From from;
    To to;
};
template <class From, class To>
cross_system<From, To> select_system(const execution_policy<From>& from,
                                     const thrust::cpp::execution_policy<To>& to) {
    return {static_cast<const From&>(from), static_cast<const To&>(to)};
}
template <class From, class To>
cross_system<From, To> select_system(const thrust::cpp::execution_policy<From>& from,
                                     const execution_policy<To>& to) {
    return {static_cast<const From&>(from), static_cast<const To&>(to)};
}

template <class From, class To>
inline constexpr bool is_copy_of_bytes =
    thrust::is_contiguous_iterator<From>::value&& thrust::is_contiguous_iterator<To>::value&&
        std::is_same<value_of<From>, value_of<To>>::value&& std::is_trivially_copyable<value_of<From>>::value;

template <class Iterator>
auto address_at(Iterator iterator) {
    return thrust::raw_pointer_cast(&*iterator);
}

template <class Derived>
void copy_bytes(execution_policy<Derived>& policy, void* to, const void* from, std::size_t bytes,
                cudaMemcpyKind kind) {
    auto& derived = thrust::detail::derived_cast(policy);
    const cudaStream_t stream = get_stream(derived);
    finish(policy,
           stream ? cudaMemcpyAsync(to, from, bytes, kind, stream) : cudaMemcpy(to, from, bytes, kind),
           "copy");
}

template <class From, class To>
struct CopyElement {
    From from;
    To to;
    void operator()(std::ptrdiff_t i) { to[i] = thrust::raw_reference_cast(from[i]); }
};
template <class Derived, class From, class Size, class To>
To copy_n(execution_policy<Derived>& policy, From first, Size size, To result) {
    const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(size);
    if constexpr (is_copy_of_bytes<From, To>) {
        if (n > 0 && !kit::cpu::in_kernel()) {
            copy_bytes(policy, address_at(result), address_at(first),
                       static_cast<std::size_t>(n) * sizeof(value_of<From>), cudaMemcpyDeviceToDevice);
            return result + n;
        }
    }
    cuda_cub::run_threads(policy, "thrust::copy", n, CopyElement<From, To>{first, result});
    return result + n;
}
template <class Derived, class From, class To>
To copy(execution_policy<Derived>& policy, From first, From last, To result) {
    return cuda_cub::copy_n(policy, first, last - first, result);
}

/// Memory on device and host for the values of a copy that cudaMemcpy cannot do directly.
template <class T>
class Staged {
  public:
    explicit Staged(std::ptrdiff_t n) : n_(n) {
        void* memory = nullptr;
        throw_on_error(cudaMalloc(&memory, bytes()), "copy");
        device = static_cast<T*>(memory);
        host = static_cast<T*>(::malloc(bytes()));
    }
    ~Staged() {
        cudaFree(device);
        ::free(host);
    }
    Staged(const Staged&) = delete;
    Staged& operator=(const Staged&) = delete;
    std::size_t bytes() const { return static_cast<std::size_t>(n_) * sizeof(T); }
    T *device, *host;

  private:
    std::ptrdiff_t n_;
};

template <class Derived, class From, class To>
To copy_to_host(execution_policy<Derived>& policy, From first, std::ptrdiff_t n, To result) {
    using T = value_of<From>;
    if (n <= 0) return result;
    if constexpr (is_copy_of_bytes<From, To>) {
        copy_bytes(policy, address_at(result), address_at(first), static_cast<std::size_t>(n) * sizeof(T),
                   cudaMemcpyDeviceToHost);
        std::advance(result, n);
        return result;
    } else {
        Staged<T> staged(n);
        const T* from = staged.device;
        if constexpr (thrust::is_contiguous_iterator<From>::value)
            from = address_at(first);
        else
            cuda_cub::copy_n(policy, first, n, staged.device);
        copy_bytes(policy, staged.host, from, staged.bytes(), cudaMemcpyDeviceToHost);
        return std::copy(staged.host, staged.host + n, result);
    }
}
template <class Derived, class From, class To>
To copy_to_device(execution_policy<Derived>& policy, From first, std::ptrdiff_t n, To result) {
    using T = value_of<From>;
    if (n <= 0) return result;
    if constexpr (is_copy_of_bytes<From, To>) {
        copy_bytes(policy, address_at(result), address_at(first), static_cast<std::size_t>(n) * sizeof(T),
                   cudaMemcpyHostToDevice);
    } else {
        Staged<T> staged(n);
        From from = first;
        for (std::ptrdiff_t i = 0; i < n; ++i, ++from) ::new (static_cast<void*>(staged.host + i)) T(*from);
        copy_bytes(policy, staged.device, staged.host, staged.bytes(), cudaMemcpyHostToDevice);
        cuda_cub::copy_n(policy, staged.device, n, result);
    }
    return result + n;
}

template <class S1, class S2, class From, class To>
To copy_across(execution_policy<S1>& from, thrust::cpp::execution_policy<S2>&, From first, std::ptrdiff_t n,
               To result) {
    return cuda_cub::copy_to_host(from, first, n, result);
}
template <class S1, class S2, class From, class To>
To copy_across(thrust::cpp::execution_policy<S1>&, execution_policy<S2>& to, From first, std::ptrdiff_t n,
               To result) {
    return cuda_cub::copy_to_device(to, first, n, result);
}
template <class S1, class S2, class From, class Size, class To>
To copy_n(cross_system<S1, S2> systems, From first, Size n, To result) {
    return cuda_cub::copy_across(systems.from, systems.to, first, static_cast<std::ptrdiff_t>(n), result);
}
template <class S1, class S2, class From, class To>
To copy(cross_system<S1, S2> systems, From first, From last, To result) {
    return cuda_cub::copy_across(systems.from, systems.to, first,
                                 static_cast<std::ptrdiff_t>(std::distance(first, last)), result);
}

// Single values: device_reference reads and writes them from the host, one copy for each.

template <class Derived, class Pointer>
value_of<Pointer> get_value(execution_policy<Derived>& policy, Pointer pointer) {
    using T = value_of<Pointer>;
    if (kit::cpu::in_kernel()) return *thrust::raw_pointer_cast(pointer);
    alignas(T) unsigned char bytes[sizeof(T)];
    copy_bytes(policy, bytes, thrust::raw_pointer_cast(pointer), sizeof(T), cudaMemcpyDeviceToHost);
    return *reinterpret_cast<T*>(bytes);
}
template <class Derived, class To, class From>
void assign_value(execution_policy<Derived>& policy, To to, From from) {
    if (kit::cpu::in_kernel())
        *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
    else
        cuda_cub::copy_n(policy, from, 1, to);
}
template <class S1, class S2, class To, class From>
void assign_value(cross_system<S1, S2>& systems, To to, From from) {
    if (kit::cpu::in_kernel())
        *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
    else
        cuda_cub::copy_across(systems.to, systems.from, from, 1,
                              to);  // the systems are those of `to` and `from`
}
template <class Derived, class Pointer1, class Pointer2>
void iter_swap(execution_policy<Derived>& policy, Pointer1 a, Pointer2 b) {
    cuda_cub::run_algorithm(policy, "thrust::swap", 0, [=](in_kernel&) {
        auto& first = *thrust::raw_pointer_cast(a);
        auto& second = *thrust::raw_pointer_cast(b);
        auto kept = first;
        first = second;
        second = kept;
        return 0;
    });
}

}  // namespace cuda_cub

namespace system::cuda {
using thrust::cuda_cub::par;
using thrust::cuda_cub::par_nosync;
namespace detail {
using thrust::cuda_cub::par_nosync_t;
using thrust::cuda_cub::par_t;
}  // namespace detail
}  // namespace system::cuda
namespace cuda {
using thrust::cuda_cub::par;
using thrust::cuda_cub::par_nosync;
}  // namespace cuda
THRUST_NAMESPACE_END

/// Defines an algorithm of the device system. The generated headers use this macro after they have included
/// the sequential algorithm.
#define KIT_THRUST_ALGORITHM_WITH(name, scratch)                                                          \
    THRUST_NAMESPACE_BEGIN                                                                                \
    namespace cuda_cub {                                                                                  \
    template <class Derived, class... Arguments>                                                          \
    auto name(execution_policy<Derived>& policy, Arguments... arguments)                                  \
        -> decltype(thrust::system::detail::sequential::name(std::declval<in_kernel&>(), arguments...)) { \
        using Result =                                                                                    \
            decltype(thrust::system::detail::sequential::name(std::declval<in_kernel&>(), arguments...)); \
        if constexpr (std::is_void<Result>::value)                                                        \
            cuda_cub::run_algorithm(policy, "thrust::" #name, scratch, [=](in_kernel& inside) {           \
                thrust::system::detail::sequential::name(inside, arguments...);                           \
                return 0;                                                                                 \
            });                                                                                           \
        else                                                                                              \
            return cuda_cub::run_algorithm(policy, "thrust::" #name, scratch, [=](in_kernel& inside) {    \
                return thrust::system::detail::sequential::name(inside, arguments...);                    \
            });                                                                                           \
    }                                                                                                     \
    }                                                                                                     \
    THRUST_NAMESPACE_END
#define KIT_THRUST_ALGORITHM(name) KIT_THRUST_ALGORITHM_WITH(name, 0)
