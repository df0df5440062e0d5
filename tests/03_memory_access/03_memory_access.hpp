// The contract of topic 03_memory_access: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

/// Topic 03: how a warp's accesses become sectors, and how to need few of them.
///
/// What is counted, besides the values (by the CPU backend, which sees it):
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

/// Threads per block, where an exercise does not say otherwise.
constexpr int kBlock = 256;

// ---- sectors ----

/// One load or store of a warp.
struct Request {
    int bytes;                      ///< that each lane reads or writes: 1, 2, 4, 8 or 16
    std::uint64_t address[kLanes];  ///< of the first byte, per lane; a multiple of `bytes`
    bool active[kLanes];            ///< false: the lane takes no part, and its address means nothing
};

/// The nine accesses of section 2 of the lecture. Lane l of a full warp reads from an array that begins at an address that is
/// a multiple of 256.
enum class Pattern {
    bytes_4,   ///< a float: in[l]
    bytes_1,   ///< a char: in[l]
    bytes_8,   ///< a double: in[l]
    bytes_16,  ///< a float4: in[l]
    shifted,   ///< a float: in[l + 1]
    stride_2,  ///< a float: in[2 * l]
    permuted,  ///< a float: in[l ^ 21], the same 32 floats in another order
    alike,     ///< a float: in[5], all lanes the same one
    indexed,   ///< a float: in[8 * ((5 * l) % 32)]
};

/// How many sectors one such access takes. Found with a pencil: no loop, no call.
int by_hand(Pattern pattern);

/// How many sectors a request takes: the aligned 32-byte pieces that hold at least one byte that an active lane touches.
///
/// @return 0 where no lane is active
int sectors(const Request& request);

/// The fewest sectors that could hold the bytes that the active lanes touch, wherever they might lie. A byte that several
/// lanes touch counts once.
///
/// @return 0 where no lane is active
int ideal(const Request& request);

/// What a kernel's access costs, all warps together.
struct Traffic {
    unsigned long long requests;  ///< warps with at least one active lane
    unsigned long long sectors;   ///< of all these requests
};

/// Predicts a launch: threads 0 to n - 1 read one element each, thread i the element first + i * stride; further threads of the
/// last warp take no part.
///
/// @param n       0 or more
/// @param first   an element
/// @param stride  0 or more, in elements
/// @param bytes   of an element: 1, 2, 4, 8 or 16; element 0 is at an address that is a multiple of 256
Traffic traffic(std::size_t n, std::size_t first, std::size_t stride, int bytes);

/// Such a launch: out[i] = in[first + i * stride]. Given; where the executor counts, the loads must be as `traffic` predicts.
///
/// @param in      elements in device memory, not modified; a multiple of 256 as an address
/// @param n       0 or more; for 0 nothing is launched
/// @param first   an element
/// @param stride  0 or more, in elements
/// @param out     n elements, each written once
void read_once(const float* in, std::size_t n, std::size_t first, std::size_t stride, float* out);
void read_once(const double* in, std::size_t n, std::size_t first, std::size_t stride, double* out);

// ---- coalesce ----

/// Multiplies each row by its own factor: out[r][c] = factor[r] * in[r][c], with one thread per row. Given, right and slow.
///
/// @param in       rows * columns values in device memory, row by row; not modified
/// @param factor   `rows` values in device memory, not modified
/// @param rows     0 or more
/// @param columns  0 or more
/// @param out      rows * columns values, row by row, each written once; does not overlap the others
void scale_rows_slow(const float* in, const float* factor, std::size_t rows, std::size_t columns, float* out);

/// The same, such that the lanes of a warp read and write neighbours: at most 4.5 sectors for each 128 bytes that lanes read or
/// write, where the columns are a multiple of 32. Any block and grid will do. Rows may be more than 65,535 * 8.
///
/// @param in       rows * columns values in device memory, row by row; not modified. A multiple of 256 as an address
/// @param factor   `rows` values in device memory, not modified
/// @param rows     0 or more; for 0 nothing is launched
/// @param columns  0 or more; for 0 nothing is launched
/// @param out      rows * columns values, row by row, each written once; does not overlap the others
void scale_rows(const float* in, const float* factor, std::size_t rows, std::size_t columns, float* out);

// ---- soa ----

/// A particle as a structure: 32 bytes.
struct Particle {
    float x, y, z;     ///< where it is
    float vx, vy, vz;  ///< how far it moves in a unit of time
    float mass, charge;
};

/// The same as a structure of arrays: element i of each array belongs to particle i.
struct Particles {
    float *x, *y, *z, *vx, *vy, *vz, *mass, *charge;
};

constexpr int kFields = 8;

/// How many floats there must be room for, so that each of the kFields arrays of n floats can begin at a multiple of
/// 128 bytes: less than 32 * kFields more than kFields * n.
std::size_t floats_needed(std::size_t n);

/// Divides memory of floats_needed(n) floats into the arrays, one behind the other in the order of the fields. Each begins
/// at a multiple of 128 bytes, if the memory does. Host code; touches no memory.
Particles arrays_in(float* memory, std::size_t n);

/// Copies n structures into the arrays. At most 4.5 sectors for each 128 bytes written. (The loads cannot be ideal yet:
/// that takes shared memory, topic 04.)
///
/// @param in   n particles in device memory, not modified
/// @param n    0 or more; for 0 nothing is launched
/// @param out  arrays in device memory, made by arrays_in; each element written once
void to_arrays(const Particle* in, std::size_t n, Particles out);

/// Moves structures: x += dt * vx, and y and z likewise; the rest stays as it is. Given, for comparison.
void move_structures(Particle* particles, std::size_t n, float dt);

/// Moves particles in arrays, with at most 4.5 sectors for each 128 bytes that are read, and that are written.
///
/// @param particles  arrays in device memory, made by arrays_in; x, y and z are changed, each element once
/// @param n          0 or more; for 0 nothing is launched
/// @param dt         units of time
void move_arrays(Particles particles, std::size_t n, float dt);

// ---- vectorized ----

/// out[i] = factor * in[i], one element per thread. Given, for comparison.
void scale_plain(const float* in, std::size_t n, float factor, float* out);

/// The same with accesses of 16 bytes. `in` and `out` may begin at any float. Where both are equally far from a multiple of 16
/// bytes, all elements between the first such multiple and the last are read and written four at a time. At most 3 elements before
/// them and 3 after them go one by one. Where they are not equally far, that is impossible, and one element at a time is right; so
/// it is for n up to 8.
///
/// @param in      n values in device memory, not modified
/// @param n       0 or more; for 0 nothing is launched
/// @param factor  what they are multiplied by
/// @param out     n values, each written once; does not overlap `in`
void scale_wide(const float* in, std::size_t n, float factor, float* out);

}  // namespace memory_access
