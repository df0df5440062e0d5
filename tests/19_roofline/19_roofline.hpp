// The contract of topic 19_roofline: what the exercises must provide and the tests call.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

/// Topic 19: arithmetic intensity, the roof that limits a kernel, and the remedies that help under that roof. An error of a
/// launch ends the program (CUDA_CHECK_LAUNCH).
///
/// What is counted, besides the values (on the CPU backend):
///   - fuse: atomic operations, bytes loaded, bytes stored, kernels
///   - remedy: bytes loaded, bytes stored, kernels, loads
///   - sweep: bytes loaded, bytes stored, kernels
///
/// What the host may compute: intensity. In all other exercises, results count only if kernels have computed them.
namespace roofline {

/// Threads per block, unless an exercise says otherwise.
constexpr int kBlock = 256;

// ---- intensity ----

/// Six kernels, given in the file of the exercise. All values are floats of 4 bytes.
enum class Kernel {
    copy,       ///< n floats: out[i] = in[i]
    add_scale,  ///< n floats: out[i] = a * in[i] + b[i]
    stencil,  ///< n x n floats, opposite edges joined: out = a * (sum of the four neighbours) + b * (the element)
    matvec,  ///< n x n matrix times a vector: out[r] = sum over c of in[r][c] * b[c]; one thread per row, its sum in a register
    matmul,  ///< n x n matrices: out = in * b; one thread per element of out, its sum in a register
    matmul_tiled,  ///< the same product, with tiles of kTile x kTile in shared memory; n is a multiple of kTile
};

constexpr int kTile = 16;

/// Runs one of these kernels, with the factors a = 2 and b = 3. Given.
///
/// @param kernel  which one
/// @param in      n or n * n values in device memory, not modified
/// @param b       as many values as `in`, not modified
/// @param n       0 or more; for 0 nothing is launched
/// @param out     as many values as `in`; for matvec, n values
void run(Kernel kernel, const float* in, const float* b, std::size_t n, float* out);

/// Returns the floating-point operations of one run. An addition is one operation and so is a multiplication, so a multiply-add is
/// two. A sum that starts with 0 has as many additions as products: k products and k additions.
///
/// @param kernel  which one
/// @param n       0 or more
double flops(Kernel kernel, std::size_t n);

/// Returns the bytes that the threads request from global memory: every load and every store of every thread counts, even if another
/// thread has accessed the same element.
double asked_bytes(Kernel kernel, std::size_t n);

/// Returns the minimum number of bytes that must move: every element that is read or written counts once.
double compulsory_bytes(Kernel kernel, std::size_t n);

/// Peak performance of a device.
struct Machine {
    double gb_per_s;     ///< 10^9 bytes per second, above 0
    double gflop_per_s;  ///< 10^9 operations per second, above 0
};

/// Returns the arithmetic intensity, in operations per byte, at which both roofs are equally high. Given.
double ridge(const Machine& machine);

/// Returns the lower of the two roofs at this intensity, in GFLOP/s. Given.
///
/// @param machine    the device
/// @param intensity  operations per byte, 0 or more
double attainable(const Machine& machine, double intensity);

/// Returns the smallest n, from 1 to `largest`, for which the operations of the kernel take at least as long as its compulsory bytes,
/// if both go at the peak rates of the machine. Returns 0 if no such n exists. If an n qualifies, so does every larger one.
///
/// @param machine  the device
/// @param kernel   any kernel other than matmul_tiled, whose n has gaps
/// @param largest  0 to 100,000
std::size_t first_compute_bound(const Machine& machine, Kernel kernel, std::size_t largest);

/// Returns the smallest side of a square tile with which the requested bytes of `matmul_tiled` take no longer than its operations, if
/// both go at the peak rates of the machine. n is so large that the stores do not count, and any side of 1 or more is possible: this
/// is about bytes, not about the limits of a block.
int smallest_tile(const Machine& machine);

// ---- fuse ----

/// Runs two kernels with an array between them: t[i] = a * x[i] + y[i], then z[i] = t[i] * t[i]. Correct, and moves 20 bytes per
/// element. Given.
///
/// @param x     n values in device memory, not modified
/// @param y     the same as for x
/// @param n     0 or more; for 0 nothing is launched
/// @param a     a factor
/// @param t     room for n values: the array between the kernels
/// @param z     n values
void squares_in_two(const float* x, const float* y, std::size_t n, float a, float* t, float* z);

/// Does the same in one kernel, without the array between: at most 8 n bytes loaded and 4 n stored.
///
/// @param x     n values in device memory, not modified; can start at any float
/// @param y     the same as for x
/// @param n     0 or more; for 0 nothing is launched
/// @param a     a factor
/// @param z     n values, each written once; does not overlap x and y
void squares(const float* x, const float* y, std::size_t n, float a, float* z);

/// Computes only the sum of these squares: *sum = the sum of (a * x[i] + y[i])^2. At most 8 n + 16384 bytes are loaded and 16384
/// stored, whatever n is, so no array of n values is written. At most 1024 atomic operations are allowed, and their bytes do not count.
///
/// @param x     n values in device memory, not modified
/// @param y     the same as for x
/// @param n     0 or more; the sum of no values is 0
/// @param a     a factor
/// @param sum   one value in device memory; its contents before the call do not matter
void sum_of_squares(const float* x, const float* y, std::size_t n, float a, float* sum);

// ---- remedy ----

/// Peak performance of a device with three roofs.
struct Device {
    Machine machine;         ///< memory and arithmetic
    double shared_gb_per_s;  ///< reads of shared memory by all multiprocessors, above 0
    double latency_ns;       ///< time from a load of global memory to its value, above 0
};

/// Measurements of a kernel.
struct Sample {
    double flops;         ///< operations of one run, 0 or more
    double bytes;         ///< bytes of memory that one run moves, above 0
    double shared_bytes;  ///< bytes that one run reads from shared memory, 0 or more
    double
        in_flight;  ///< bytes that the resident threads can have in flight: threads * loads per thread * bytes per load
    double seconds;  ///< time of one run, above 0
};

/// The shortest times of the parts of one run, in seconds.
struct Times {
    double memory;   ///< time in which memory can move the bytes
    double compute;  ///< time in which the units can execute the operations
    double shared;   ///< time in which shared memory can deliver the bytes that are read from it
};

/// Returns how long each part of the work takes at the peak rate of the device.
Times at_peak(const Device& device, const Sample& sample);

/// Returns the largest possible speedup of a kernel whose operations and bytes stay the same. The three parts of the work can overlap
/// completely.
double headroom(const Device& device, const Sample& sample);

/// Remedies for a slow kernel.
enum class Remedy {
    fewer_bytes,       ///< fusion, smaller numbers, tiles: for a kernel that keeps memory busy
    fewer_operations,  ///< a different algorithm, faster units: for a kernel that keeps the arithmetic units busy
    registers,  ///< several uses of a value that was read from shared memory once: for a kernel that keeps shared memory busy
    more_in_flight,  ///< more warps, several loads per thread, wider loads: for a kernel whose loads cannot keep memory busy
    fewer_waits,  ///< fewer barriers, less contention, no idle lanes: for a kernel that fits none of the others
};

/// A kernel keeps a part of the device busy if that part needs at least this fraction of the kernel's time.
constexpr double kReached = 0.7;

/// Returns the remedy that fits. If the kernel keeps several parts busy, the busiest one decides. The loads of a kernel cannot keep
/// memory busy if in_flight is too small for the latency and the rate of the memory. Values of in_flight that suffice for the fraction
/// kReached of the rate, but not for the whole rate, do not occur.
Remedy remedy(const Device& device, const Sample& sample);

/// Returns the largest factor by which it is useful to reduce the bytes of memory: if they are divided by it,
/// a different part of the work takes as long as the memory at the peak rates. Returns 1 if fewer bytes do not help.
///
/// @param device  the device
/// @param sample  its operations are not 0
double useful_cut(const Device& device, const Sample& sample);

/// Computes out[i] = a * x[i] + y[i] with floats. Given, and at the memory roof.
void add_scale_floats(const float* x, const float* y, std::size_t n, float a, float* out);

/// Does the same with values of 2 bytes in memory, and arithmetic in float: x and y are converted to float, multiplied and added as
/// floats, and only the result is rounded to half. It may differ from the exact value by 2^-11 of that value, plus 2^-20 of the sum
/// of |a * x[i]| and |y[i]|. At most 4 n bytes are loaded and 2 n stored. Each thread processes pairs, so that a load has 4 bytes
/// again: at most n + 2 loads.
///
/// @param x     n values in device memory, not modified; starts at a multiple of 4 bytes
/// @param y     the same as for x
/// @param n     0 or more, even or odd; for 0 nothing is launched
/// @param a     a factor, a float
/// @param out   n values, each written once; starts at a multiple of 4 bytes; does not overlap x and y
void add_scale_halves(const __half* x, const __half* y, std::size_t n, float a, __half* out);

// ---- sweep ----

/// Applies x = a * x + b to each element, `steps` times. Each element is loaded once and stored once: at most 4 n bytes are loaded and
/// 4 n stored, for any number of steps, so the intensity of this kernel is a parameter.
///
/// @param in     n values in device memory, not modified
/// @param n      0 or more; for 0 nothing is launched
/// @param a      a factor
/// @param b      a summand
/// @param steps  0 or more
/// @param out    n values, each written once; does not overlap in
void chain(const float* in, std::size_t n, float a, float b, int steps, float* out);

/// Returns the smallest number of steps with which `chain` performs at least this many operations per byte that it loads and stores.
///
/// @param intensity  operations per byte, 0 to 1000
int steps_for(double intensity);

/// One measured run of `chain`.
struct Run {
    std::size_t n;   ///< elements
    int steps;       ///< steps per element
    double seconds;  ///< measured time; a run can be slower than the roofs allow, but never faster
};

/// Estimates both roofs of a device from measured runs: each roof is at least as high as any rate that was measured, and the result is
/// the best estimate that this allows.
///
/// @param runs  one or more runs on the same device, with different n and steps, in no order
Machine roofs_of(const std::vector<Run>& runs);

/// Returns the largest number of steps that costs no time: the largest `steps` of all runs that move their bytes at 90% or more of the
/// memory roof that `roofs_of` finds.
///
/// @param runs  as for roofs_of; no run is within 1% of that limit
int free_steps(const std::vector<Run>& runs);

}  // namespace roofline
