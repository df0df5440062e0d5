// The contract of topic 19_roofline: what the exercises must provide and the tests call.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <vector>

/// Topic 19: arithmetic intensity, the roof that limits a kernel, and the remedies that help under that roof.
///
/// What is counted, besides the values (by the CPU backend, which sees it):
///   - fuse: bytes loaded, bytes stored, kernels
///   - remedy: bytes loaded, bytes stored, kernels, loads
///
/// What the host may compute: intensity, plot. In all other exercises, results count only if kernels have computed them.
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
/// stored, whatever n is, so no array of n values is written. Atomic additions do not count.
///
/// @param x     n values in device memory, not modified
/// @param y     the same as for x
/// @param n     0 or more; the sum of no values is 0
/// @param a     a factor
/// @param sum   one value in device memory; its contents before the call do not matter
void sum_of_squares(const float* x, const float* y, std::size_t n, float a, float* sum);

// ---- remedy ----

/// Measurements of a kernel.
struct Sample {
    double flops;    ///< operations of one run, 0 or more
    double bytes;    ///< bytes that one run moves, above 0
    double seconds;  ///< time of one run, above 0
};

/// Position of a kernel under the roofs. A kernel reaches a roof if it has at least 70% of it: `kReached`.
enum class Place {
    memory_roof,   ///< it moves bytes as fast as the machine can
    compute_roof,  ///< it executes operations as fast as the machine can
    below_both,    ///< it reaches neither
};
constexpr double kReached = 0.7;

/// Returns the position of this kernel. If it reaches both roofs, the roof counts of which it reaches the larger fraction.
Place place(const Machine& machine, const Sample& sample);

/// Remedies for a slow kernel.
enum class Remedy {
    fewer_bytes,       ///< fusion, smaller numbers, tiles
    fewer_operations,  ///< a different algorithm, faster units
    more_in_flight,    ///< more warps, several loads per thread, wider loads
};

/// Returns the remedy that fits the position of the kernel.
Remedy remedy(const Machine& machine, const Sample& sample);

/// Returns the largest possible speedup: the time of the sample divided by the time at the roof for its intensity. A kernel without
/// operations is limited by the time that its bytes need.
double headroom(const Machine& machine, const Sample& sample);

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

// ---- plot ----

/// A measured kernel.
struct Point {
    std::string name;    ///< any text; it may contain <, > and &
    double intensity;    ///< operations per byte
    double gflop_per_s;  ///< measured
};

/// The picture, in pixels. A decade, from one power of ten to the next, is as long along x as along y.
constexpr double kDecade = 100;
constexpr double kLeft = 60, kBottom = 460;    ///< where the axes meet
constexpr double kFirstIntensity = 0.01;       ///< at kLeft
constexpr double kLastIntensity = 1000;        ///< 5 decades further right
constexpr double kFirstGflop = 10;             ///< at kBottom
constexpr double kLastGflop = 100000;          ///< 4 decades further up
constexpr double kWidth = 640, kHeight = 500;  ///< size of the whole picture

/// Returns the x coordinate of an intensity: kLeft, plus kDecade pixels to the right for each power of ten above kFirstIntensity.
///
/// @param intensity  above 0
double x_of(double intensity);

/// Returns the y coordinate of a speed: kBottom, and kDecade pixels *up* for each power of ten above kFirstGflop. In an SVG, y grows
/// downwards.
///
/// @param gflop_per_s  above 0
double y_of(double gflop_per_s);

/// Returns the elements of the roofs and of the points, one per line, accurate to 0.05 pixels:
///   - first `<polyline class="roof" points="X,Y X,Y X,Y"/>`: the roof at kFirstIntensity, at the ridge and at kLastIntensity
///   - then, for each point, `<circle class="point" cx="X" cy="Y" r="4"><title>NAME</title></circle>`, in the order of `points`,
///     with &, < and > in the name written as &amp;, &lt; and &gt;
/// Points outside the axes are left out. This includes a kernel without operations, because 0 has no logarithm.
///
/// @param machine  its ridge, and its roof at all intensities of the axes, lie within the axes
/// @param points   measured kernels, any number of them
std::string marks(const Machine& machine, const std::vector<Point>& points);

/// Returns the whole picture: axes, names, and the marks. Given.
std::string plot(const Machine& machine, const std::vector<Point>& points);

}  // namespace roofline
