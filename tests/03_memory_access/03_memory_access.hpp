// The contract of topic 03_memory_access: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

/// Topic 03: how a warp's accesses become sectors, and how to need few of them. An error of a launch ends the program
/// (CUDA_CHECK_LAUNCH).
///
/// What is counted, besides the values (on the CPU backend):
///   - sectors: sectors
///   - coalesce: kernels, sectors, stores
///   - soa: kernels, sectors, stores
///   - vectorized: kernels, loads, stores
///
/// What the host may compute: sectors. In all other exercises, results count only if kernels have computed them.
namespace memory_access {

/// Lanes of a warp, and bytes of a sector.
constexpr int kLanes = 32;
constexpr int kSectorBytes = 32;

/// Threads per block, unless an exercise says otherwise.
constexpr int kBlock = 256;

// ---- sectors ----

/// One load or store of a warp.
struct Request {
    int bytes;                      ///< bytes that each lane reads or writes: 1, 2, 4, 8 or 16
    std::uint64_t address[kLanes];  ///< address of the first byte, per lane; a multiple of `bytes`
    bool active[kLanes];            ///< false if the lane takes no part; its address then means nothing
};

/// The nine accesses of section 2 of the lecture. Lane l of a full warp reads from an array that starts at an address that is
/// a multiple of 256.
enum class Pattern {
    bytes_4,   ///< a float: in[l]
    bytes_1,   ///< a char: in[l]
    bytes_8,   ///< a double: in[l]
    bytes_16,  ///< a float4: in[l]
    shifted,   ///< a float: in[l + 1]
    stride_2,  ///< a float: in[2 * l]
    permuted,  ///< a float: in[l ^ 21], the same 32 floats in a different order
    alike,     ///< a float: in[5], the same for all lanes
    indexed,   ///< a float: in[8 * ((5 * l) % 32)]
};

/// Returns the number of sectors of such an access. Determine the numbers on paper: the function needs no loop and no call.
int by_hand(Pattern pattern);

/// Returns the number of sectors of a request: the aligned 32-byte pieces that hold at least one byte that an active lane accesses.
///
/// @return 0 if no lane is active
int sectors(const Request& request);

/// Returns the smallest number of sectors that could hold the bytes that the active lanes access, if these bytes were anywhere in
/// memory. A byte that several lanes access counts once.
///
/// @return 0 if no lane is active
int ideal(const Request& request);

/// Cost of one access of a kernel, summed over all warps.
struct Traffic {
    unsigned long long requests;  ///< warps with at least one active lane
    unsigned long long sectors;   ///< sectors of all these requests
};

/// Predicts the traffic of a launch: each of the threads 0 to n - 1 reads one element, thread i the element first + i * stride. The
/// other threads of the last warp take no part.
///
/// @param n      0 or more
/// @param first  index of an element
/// @param stride 0 or more, in elements
/// @param bytes  size of an element: 1, 2, 4, 8 or 16; element 0 is at an address that is a multiple of 256
Traffic traffic(std::size_t n, std::size_t first, std::size_t stride, int bytes);

/// Performs such a launch: out[i] = in[first + i * stride]. Given. On the executor, the loads must be those that `traffic` predicts.
///
/// @param in     elements in device memory, not modified; the address is a multiple of 256
/// @param n      0 or more; for 0 nothing is launched
/// @param first  index of an element
/// @param stride 0 or more, in elements
/// @param out    n elements, each written once
void read_once(const float* in, std::size_t n, std::size_t first, std::size_t stride, float* out);
void read_once(const double* in, std::size_t n, std::size_t first, std::size_t stride, double* out);

// ---- coalesce ----

/// Multiplies each row by its own factor: out[r][c] = factor[r] * in[r][c], with one thread per row. Given; correct but slow.
///
/// @param in       rows * columns values in device memory, row by row; not modified
/// @param factor   `rows` values in device memory, not modified
/// @param rows     0 or more
/// @param columns  0 or more
/// @param out      rows * columns values, row by row, each written once; does not overlap the others
void scale_rows_slow(const float* in, const float* factor, std::size_t rows, std::size_t columns, float* out);

/// Does the same so that the lanes of a warp read and write neighbours. If `columns` is a multiple of 32, the kernel needs at most 4.5
/// sectors per 128 bytes that the lanes read or write. Any block and grid will do. `rows` can exceed 65,535 * 8.
///
/// @param in       rows * columns values in device memory, row by row; not modified. The address is a multiple of 256
/// @param factor   `rows` values in device memory, not modified
/// @param rows     0 or more; for 0 nothing is launched
/// @param columns  0 or more; for 0 nothing is launched
/// @param out      rows * columns values, row by row, each written once; does not overlap the others
void scale_rows(const float* in, const float* factor, std::size_t rows, std::size_t columns, float* out);

// ---- soa ----

/// A particle as a structure: 32 bytes.
struct Particle {
    float x, y, z;     ///< position
    float vx, vy, vz;  ///< velocity: distance per unit of time
    float mass, charge;
};

/// Particles as a structure of arrays: element i of each array belongs to particle i.
struct Particles {
    float *x, *y, *z, *vx, *vy, *vz, *mass, *charge;
};

constexpr int kFields = 8;

/// Returns the number of floats that the kFields arrays of n floats need, so that each can start at a multiple of 128 bytes:
/// less than 32 * kFields more than kFields * n.
std::size_t floats_needed(std::size_t n);

/// Divides memory of floats_needed(n) floats into the arrays, one after another in the order of the fields. Each starts at a
/// multiple of 128 bytes, if the memory does. Host code that does not access the memory.
Particles arrays_in(float* memory, std::size_t n);

/// Where the fields of particles are: in structures, which begin at multiples of 32 bytes, or in arrays.
enum class Layout { structures, arrays };

/// Returns how many different sectors of memory hold what a warp needs, if each of its 32 lanes needs `fields` fields of one particle.
/// Sectors that several requests touch count once. The host may compute it, without a kernel.
///
/// @param layout      where the fields are
/// @param fields      1 to kFields
/// @param neighbours  true: the 32 particles are neighbours, and the first has an index that is a multiple of 32; false: no two of them
///                    are closer than 8 particles
int sectors_needed(Layout layout, int fields, bool neighbours);

/// Returns the layout in which the warp needs fewer sectors, and `structures` if both need the same number.
Layout better_layout(int fields, bool neighbours);

/// Copies n structures into the arrays. Given. Writes at most 4.5 sectors per 128 bytes. (The loads cannot be ideal yet, because that
/// needs shared memory, which is topic 04.)
///
/// @param in   n particles in device memory, not modified
/// @param n    0 or more; for 0 nothing is launched
/// @param out  arrays in device memory, made by arrays_in; each element written once
void to_arrays(const Particle* in, std::size_t n, Particles out);

/// Moves particles in structures: x += dt * vx, and the same for y and z. All other fields keep their values. Given, for comparison.
void move_structures(Particle* particles, std::size_t n, float dt);

/// Moves particles in arrays. Reads at most 4.5 sectors per 128 bytes, and writes at most 4.5 sectors per 128 bytes.
///
/// @param particles  arrays in device memory, made by arrays_in; x, y and z are changed, each element once
/// @param n          0 or more; for 0 nothing is launched
/// @param dt         units of time
void move_arrays(Particles particles, std::size_t n, float dt);

// ---- vectorized ----

/// Computes out[i] = factor * in[i] with one element per thread. Given, for comparison.
void scale_plain(const float* in, std::size_t n, float factor, float* out);

/// Does the same with accesses of 16 bytes. `in` and `out` can start at any float. If both are equally far from a multiple of 16
/// bytes, all elements between the first such multiple and the last are read and written four at a time, and at most 3 elements
/// before them and 3 after them are processed one by one. If they are not equally far, this is impossible, and one element at a time
/// is correct. One element at a time is also correct for n up to 8.
///
/// @param in      n values in device memory, not modified
/// @param n       0 or more; for 0 nothing is launched
/// @param factor  factor of every value
/// @param out     n values, each written once; does not overlap `in`
void scale_wide(const float* in, std::size_t n, float factor, float* out);

}  // namespace memory_access
