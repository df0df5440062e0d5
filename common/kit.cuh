// kit.cuh: the header that every exercise includes. It provides error checking, device buffers and timing. It is short: read it once.
//
//   CUDA_CHECK(cudaMemcpy(...));            stops with file, line, expression, error name and text
//   CUDA_CHECK_LAUNCH();                    the same after a launch; -DKIT_DEBUG_SYNC makes it wait as well
//   kit::DeviceBuffer<float> x(values);     device memory that frees itself
//   kit::time([&] { launch(); }, bytes);    median time, GB/s, fraction of the copy bandwidth
//   KIT_TODO(1);                            marks a gap for you to fill: delete it when you have
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

// ---- Errors ---------------------------------------------------------------------------------------------

/// Evaluates a call of the CUDA runtime once. On an error, prints the place, the call and the reason, and
/// ends the program.
#define CUDA_CHECK(call) ::kit::check((call), #call, __FILE__, __LINE__)

/// Use it after every launch. It reports a bad configuration immediately. A mistake inside the kernel shows only at a later call that
/// waits. With -DKIT_DEBUG_SYNC, this macro waits for the kernel, so the error appears at the launch that caused it.
#define CUDA_CHECK_LAUNCH() ::kit::check_launch(KIT_WAIT_AFTER_LAUNCH, __FILE__, __LINE__)
// The text is evaluated at each use, so a #define in the file counts as well: the text of an undefined macro is its name.
#define KIT_WAIT_AFTER_LAUNCH (KIT_TEXT_OF(KIT_DEBUG_SYNC)[0] != 'K')
#define KIT_TEXT_OF(macro) KIT_TEXT(macro)
#define KIT_TEXT(text) #text

namespace kit {

namespace detail {

/// The grader's functions, which get errors and gaps as data. In a program without a grader they are null, and the program prints.
struct Listener {
    void (*error)(cudaError_t error, const char* expression, const char* file, int line) = nullptr;
    void (*gap)(int number, const char* file, int line) = nullptr;
};
inline Listener listener;

}  // namespace detail

/// Does nothing for cudaSuccess; otherwise reports on standard error and exits with status 1.
inline void check(cudaError_t error, const char* expression, const char* file, int line) {
    if (error == cudaSuccess) return;
    std::fflush(stdout);
    if (detail::listener.error)
        detail::listener.error(error, expression, file, line);
    else
        std::fprintf(stderr, "%s:%d: CUDA error %s (%s) from %s\n", file, line, cudaGetErrorName(error),
                     cudaGetErrorString(error), expression);
    std::exit(EXIT_FAILURE);
}

inline void check_launch(bool wait, const char* file, int line) {
    check(cudaGetLastError(), "the kernel launch above", file, line);
    if (wait) check(cudaDeviceSynchronize(), "the kernel launched above", file, line);
}

/// Returns how many blocks of `size` items cover `count` items: 257 items in blocks of 256 need 2 blocks.
template <class Integer>
constexpr __host__ __device__ Integer ceil_div(Integer count, std::common_type_t<Integer> size) {
    return count / size + (count % size != 0 ? 1 : 0);
}

// ---- Memory ---------------------------------------------------------------------------------------------

/// An array in device memory. It owns the memory and frees it, and can be moved but not copied. Pass data() and size() to kernels:
/// it does not convert to a pointer, so host code cannot index it by accident.
template <class T>
class DeviceBuffer {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>, "copied byte by byte");

  public:
    DeviceBuffer() = default;

    /// Allocates uninitialized memory for `size` elements; for 0 it allocates nothing.
    explicit DeviceBuffer(std::size_t size) : size_(size) {
        if (size > 0) CUDA_CHECK(cudaMalloc(&data_, bytes()));
    }

    explicit DeviceBuffer(const std::vector<T>& values) : DeviceBuffer(values.size()) { copy_from(values); }

    DeviceBuffer(DeviceBuffer&& other) noexcept { swap(std::move(other)); }
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        swap(DeviceBuffer(std::move(other)));
        return *this;
    }
    ~DeviceBuffer() { cudaFree(data_); }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }

    /// Copies at most size() elements from the host, and waits for the copy.
    void copy_from(const std::vector<T>& values) {
        const std::size_t count = std::min(size_, values.size());
        if (count > 0)
            CUDA_CHECK(cudaMemcpy(data_, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }

    /// Waits for all work of the default stream, then copies the elements to the host.
    std::vector<T> to_vector() const {
        std::vector<T> values(size_);
        if (size_ > 0) CUDA_CHECK(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
        return values;
    }

    /// Sets every byte to 0.
    void clear() {
        if (size_ > 0) CUDA_CHECK(cudaMemset(data_, 0, bytes()));
    }

  private:
    void swap(DeviceBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// ---- Time -----------------------------------------------------------------------------------------------

struct Timing {
    double median_ms = 0;
    double spread = 0;            ///< (slowest - fastest) / median of the middle half of all repetitions
    double gb_per_s = 0;          ///< 10^9 bytes per second, from the bytes that the caller declared
    double fraction_of_copy = 0;  ///< gb_per_s over the bandwidth of a device-to-device copy
    int repetitions = 0;
    bool valid = true;  ///< false: the figure is not reliable, see `reason`
    const char* reason = "";
};

struct TimeOptions {
    int warm_up = 3;
    int repetitions = 21;
    bool cold_l2 = true;  ///< flush the L2 cache before every repetition
};

template <class = void>
double copy_gb_per_s();

namespace detail {

inline std::size_t l2_bytes() {
    int bytes = 0;
#ifndef KIT_CPU  // the CPU executor has no cache to flush
    CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0));
#endif
    return bytes;
}

/// Returns the times between two events around each repetition. Also detects work that continues after the second event.
template <class Launch>
Timing measure(Launch& launch, const TimeOptions& options) {
    DeviceBuffer<char> flush(options.cold_l2 ? 2 * l2_bytes() : 0);
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    std::vector<float> times, leftovers;
    for (int i = -options.warm_up; i < std::max(options.repetitions, 1); ++i) {
        flush.clear();
        CUDA_CHECK(cudaEventRecord(start));
        launch();
        CUDA_CHECK(cudaEventRecord(stop));
        CUDA_CHECK(cudaEventSynchronize(stop));
        const auto stopped = std::chrono::steady_clock::now();
        CUDA_CHECK(cudaDeviceSynchronize());
        const std::chrono::duration<float, std::milli> leftover = std::chrono::steady_clock::now() - stopped;
        float ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
        if (i < 0) continue;
        times.push_back(ms);
        leftovers.push_back(leftover.count());
    }
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    std::sort(times.begin(), times.end());
    std::sort(leftovers.begin(), leftovers.end());
    const std::size_t count = times.size();
    Timing timing;
    timing.repetitions = static_cast<int>(count);
    timing.median_ms = times[count / 2];
    timing.spread = (times[count * 3 / 4] - times[count / 4]) / std::max(timing.median_ms, 1e-9);
    if (leftovers[count / 2] > 0.02 + 0.25 * timing.median_ms) {
        timing.valid = false;
        timing.reason = "work was still running when the timer stopped: on a stream that nobody waited for";
    }
    return timing;
}

}  // namespace detail

/// Runs `launch` repeatedly and returns the median of the times between two events. `bytes` is the amount that must be read and
/// written at least once. A figure above the memory's bandwidth is reported as invalid.
template <class Launch>
Timing time(Launch&& launch, double bytes = 0, TimeOptions options = {}) {
    Timing timing = detail::measure(launch, options);
    if (bytes <= 0) return timing;
    timing.gb_per_s = bytes / (std::max(timing.median_ms, 1e-9) * 1e6);
    timing.fraction_of_copy = timing.gb_per_s / copy_gb_per_s();
    // Reading alone is a little faster than copying, and written data may stay in L2 for a while.
    const double most = bytes > 4.0 * detail::l2_bytes() ? 1.3 : 6.0;
    if (timing.fraction_of_copy > most) {
        timing.valid = false;
        timing.reason = "faster than the memory can deliver the bytes: some of the work was not done";
    }
    return timing;
}

/// Returns the bandwidth of a device-to-device copy, read plus written, measured once per process. It is a template, so only programs
/// that call it compile it.
template <class>
double copy_gb_per_s() {
#ifdef KIT_CPU
    static constexpr std::size_t bytes = 4 << 20;
#else
    static constexpr std::size_t bytes = 256 << 20;
#endif
    static const double measured = [] {
        DeviceBuffer<char> from(bytes), to(bytes);
        from.clear();
        const auto copy = [&] { cudaMemcpy(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice); };
        return 2.0 * bytes / (std::max(detail::measure(copy, {}).median_ms, 1e-9) * 1e6);
    }();
    return measured;
}

// ---- Gaps -----------------------------------------------------------------------------------------------

/// A gap in a starter, in host or device code. KIT_TODO(1, in, n) names variables that the solution will use.
#define KIT_TODO(...) ::kit::todo(__FILE__, __LINE__, __VA_ARGS__)

#ifdef KIT_CPU
#define KIT_TODO_FUNCTION __attribute__((noinline, no_sanitize("thread")))
#else
#define KIT_TODO_FUNCTION
#endif

#if defined(__CUDACC__) && !defined(KIT_CPU)

namespace detail {

/// A gap that a kernel has reached. It is in host memory of the grader, which can still read it after a kernel has failed.
struct ReachedGap {
    int number, line;
    char file[500];
};
static __device__ ReachedGap* reached_gap;  // null in a program without a grader

/// The `reached_gap` of each source file of the program, for the grader.
struct GapOfSource {
    const void* symbol;
    GapOfSource* next;
    static inline GapOfSource* first = nullptr;

    explicit GapOfSource(const void* of) : symbol(of), next(first) { first = this; }
};
static GapOfSource gap_of_source(&reached_gap);

}  // namespace detail

#endif

/// Reports once per process that the gap was reached.
inline __host__ __device__ KIT_TODO_FUNCTION void report_todo(const char* file, int line, int number) {
#ifdef __CUDA_ARCH__
    __device__ static int reported;
    if (atomicExch(&reported, 1) != 0) return;
    printf("[kit] TODO(%d) is still open: %s:%d\n", number, file, line);
    if (detail::ReachedGap* const gap = detail::reached_gap) {
        for (int i = 0; i + 1 < static_cast<int>(sizeof gap->file) && file[i]; ++i) gap->file[i] = file[i];
        gap->line = line;
        __threadfence_system();
        gap->number = number;
    }
#else
    static bool reported;
    if (__atomic_exchange_n(&reported, true, __ATOMIC_RELAXED)) return;
    if (detail::listener.gap)
        detail::listener.gap(number, file, line);
    else
        std::fprintf(stdout, "[kit] TODO(%d) is still open: %s:%d\n", number, file, line);
#endif
}

template <class... Variables>
__host__ __device__ void todo(const char* file, int line, int number, Variables&&...) {
    report_todo(file, line, number);
}

}  // namespace kit
