// The contract of topic 19_roofline: what the exercises must provide and the tests call.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <vector>

/// Topic 19: how many operations a kernel has for each byte, which roof that puts it under, and what helps there.
///
/// What is counted, besides the values (by the CPU backend, which sees it):
///   - fuse: bytes loaded, bytes stored, kernels
///   - remedy: bytes loaded, bytes stored, kernels, loads
///
/// What the host may compute: intensity, plot. In all other exercises, results count only if kernels have computed them.
namespace roofline {

/// Threads per block, where an exercise does not say otherwise.
constexpr int kBlock = 256;

// ---- intensity ----

/// Six kernels, given in the file of the exercise. All numbers are floats of 4 bytes.
enum class Kernel {
    copy,       ///< n floats: out[i] = in[i]
    add_scale,  ///< n floats: out[i] = a * in[i] + b[i]
    stencil,  ///< n x n floats, opposite edges joined: out = a * (sum of the four neighbours) + b * (the element)
    matvec,  ///< n x n matrix times a vector: out[r] = sum over c of in[r][c] * b[c]; a thread per row, its sum in a register
    matmul,  ///< n x n matrices: out = in * b; a thread per element of out, its sum in a register
    matmul_tiled,  ///< the same from tiles of kTile x kTile in shared memory; n is a multiple of kTile
};

constexpr int kTile = 16;

/// Runs one of them, with the factors 2 and 3. Given.
///
/// @param kernel  which one
/// @param in      n or n * n values in device memory, not modified
/// @param b       as many; not modified
/// @param n       0 or more; for 0 nothing is launched
/// @param out     as many, or n of them for matvec
void run(Kernel kernel, const float* in, const float* b, std::size_t n, float* out);

/// Floating-point operations of one run. An addition is one and a multiplication is one, so a multiply-add is two. What goes
/// into a sum that begins with 0 counts, too: k products and k additions.
///
/// @param kernel  which one
/// @param n       0 or more
double flops(Kernel kernel, std::size_t n);

/// Bytes that the threads ask global memory for: every load and every store of every thread, whoever else has read the same.
double asked_bytes(Kernel kernel, std::size_t n);

/// Bytes that must move at least: every element that is read or written counts once.
double compulsory_bytes(Kernel kernel, std::size_t n);

/// What a device can do at most.
struct Machine {
    double gb_per_s;     ///< 10^9 bytes per second, above 0
    double gflop_per_s;  ///< 10^9 operations per second, above 0
};

/// The arithmetic intensity, in operations per byte, at which both roofs are equally high.
double ridge(const Machine& machine);

/// The roof above this intensity, in GFLOP/s: the lower one of the two.
///
/// @param machine    its roofs
/// @param intensity  operations per byte, 0 or more
double attainable(const Machine& machine, double intensity);

// ---- fuse ----

/// Two kernels with an array between them: t[i] = a * x[i] + y[i], then z[i] = t[i] * t[i]. Given, right, and with 20 bytes per
/// element.
///
/// @param x     n values in device memory, not modified
/// @param y     likewise
/// @param n     0 or more; for 0 nothing is launched
/// @param a     a factor
/// @param t     room for n values, for what is between the kernels
/// @param z     n values
void squares_in_two(const float* x, const float* y, std::size_t n, float a, float* t, float* z);

/// The same in one kernel, without the array between: at most 8 n bytes loaded and 4 n stored.
///
/// @param x     n values in device memory, not modified; may begin at any float
/// @param y     likewise
/// @param n     0 or more; for 0 nothing is launched
/// @param a     a factor
/// @param z     n values, each written once; does not overlap x and y
void squares(const float* x, const float* y, std::size_t n, float a, float* z);

/// The sum of these squares, and not the squares: *sum = the sum of (a * x[i] + y[i])^2. At most 8 n + 16384 bytes are loaded and
/// 16384 stored, whatever n is: an array of n values is written nowhere. Atomic additions are not among them.
///
/// @param x     n values in device memory, not modified
/// @param y     likewise
/// @param n     0 or more; the sum of no values is 0
/// @param a     a factor
/// @param sum   one value in device memory; what was there before does not matter
void sum_of_squares(const float* x, const float* y, std::size_t n, float a, float* sum);

// ---- remedy ----

/// What was measured of a kernel.
struct Sample {
    double flops;    ///< operations of one run, 0 or more
    double bytes;    ///< that it moves, above 0
    double seconds;  ///< that it takes, above 0
};

/// Where a kernel lies. A roof is reached from 70% of it on: `kReached`.
enum class Place {
    memory_roof,   ///< it moves bytes as fast as the machine can
    compute_roof,  ///< it has operations as fast as the machine can
    below_both,    ///< it reaches neither
};
constexpr double kReached = 0.7;

/// Where this kernel lies. If both roofs are reached, the one of which the larger fraction is reached counts.
Place place(const Machine& machine, const Sample& sample);

/// What can help a kernel.
enum class Remedy {
    fewer_bytes,       ///< fusion, smaller numbers, tiles
    fewer_operations,  ///< another algorithm, faster units
    more_in_flight,    ///< more warps, several loads per thread, wider loads
};

/// What helps the kernel where it lies.
Remedy remedy(const Machine& machine, const Sample& sample);

/// The most that can be gained: the time of the sample over the time that the roof above its intensity would allow. With no
/// operations that is the time in which the bytes can move.
double headroom(const Machine& machine, const Sample& sample);

/// out[i] = a * x[i] + y[i] with floats. Given, and at the memory roof.
void add_scale_floats(const float* x, const float* y, std::size_t n, float a, float* out);

/// The same with numbers of 2 bytes in memory, and arithmetic in float: x and y are converted to float, multiplied and added as floats,
/// and only the result is rounded to half. It may differ from the exact value by 2^-11 of it, and 2^-20 of the sum of
/// |a * x[i]| and |y[i]|. At most 4 n bytes are loaded and 2 n stored; and pairs go together, so that a load has 4 bytes again: at
/// most n + 2 loads.
///
/// @param x     n values in device memory, not modified; begins at a multiple of 4 bytes
/// @param y     likewise
/// @param n     0 or more, odd as well; for 0 nothing is launched
/// @param a     a factor, a float
/// @param out   n values, each written once; begins at a multiple of 4 bytes; does not overlap x and y
void add_scale_halves(const __half* x, const __half* y, std::size_t n, float a, __half* out);

// ---- plot ----

/// A measured kernel.
struct Point {
    std::string name;    ///< any text, with <, > and & perhaps
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
constexpr double kWidth = 640, kHeight = 500;  ///< of the whole picture

/// Where an intensity lies: kLeft, and kDecade pixels to the right for each power of ten above kFirstIntensity.
///
/// @param intensity  above 0
double x_of(double intensity);

/// Where a speed lies: kBottom, and kDecade pixels *up* for each power of ten above kFirstGflop. In an SVG y grows downwards.
///
/// @param gflop_per_s  above 0
double y_of(double gflop_per_s);

/// The elements of the roofs and of the points, one per line, to within 0.05 pixels:
///   - first `<polyline class="roof" points="X,Y X,Y X,Y"/>`: the roof at kFirstIntensity, at the ridge and at kLastIntensity
///   - then for each point `<circle class="point" cx="X" cy="Y" r="4"><title>NAME</title></circle>`, in the order of `points`,
///     with &, < and > in the name written as &amp;, &lt; and &gt;
/// Points that lie outside the axes are left out; a kernel without operations is one of them, for it has no logarithm.
///
/// @param machine  its ridge, and its roof at all intensities of the axes, lie within the axes
/// @param points   measured kernels, any number of them
std::string marks(const Machine& machine, const std::vector<Point>& points);

/// The whole picture: axes, names, and the marks. Given.
std::string plot(const Machine& machine, const std::vector<Point>& points);

}  // namespace roofline
