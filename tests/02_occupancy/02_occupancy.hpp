// The contract of topic 02_occupancy: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

/// Topic 02: how many warps a multiprocessor holds, what limits them, and how many it needs. An error of a launch ends the
/// program (CUDA_CHECK_LAUNCH).
///
/// What is counted, besides the values (on the CPU backend):
///   - report: kernels
///   - ilp: loads of a thread, threads
///
/// What the host may compute: calculator, report. In all other exercises, results count only if kernels have computed them.
namespace occupancy {

// ---- calculator ----

/// The resources of one multiprocessor, and the units in which it allocates them.
struct Multiprocessor {
    int warps;              ///< warps that can be resident: 64 on most devices, 32 on a T4
    int blocks;             ///< blocks that can be resident
    int registers;          ///< 65,536 on all devices so far; a quarter of them belongs to each quarter
    int register_unit;      ///< a warp gets a multiple of this many registers: 256
    int shared;             ///< bytes of shared memory
    int shared_unit;        ///< a block gets a multiple of this many bytes: 128, on a T4 256
    int shared_reserved;    ///< bytes that the driver takes for each block: 1024, on a T4 0
    int threads_per_block;  ///< the largest block: 1024
};

/// A multiprocessor consists of this many equal parts. A warp stays in one of them, with its registers.
constexpr int kQuarters = 4;

/// The resources that a launch needs.
struct Needs {
    int registers;  ///< per thread, 1 to 255
    int shared;     ///< bytes per block, static and dynamic together, 0 or more
    int threads;    ///< per block, 1 or more
};

/// The number of blocks that each resource alone allows, and the resulting occupancy.
struct Residency {
    int by_warps;      ///< a partly filled last warp counts as a whole one; 0 for more than threads_per_block
    int by_blocks;     ///< as many as the multiprocessor allows
    int by_registers;  ///< see below
    int by_shared;     ///< see below
    int blocks;        ///< resident blocks: the smallest of the four
    double occupancy;  ///< resident warps divided by the warps that fit: 0 to 1
};

/// Computes by hand the result of cudaOccupancyMaxActiveBlocksPerMultiprocessor. Host code only.
///
/// Registers: a warp gets 32 * needs.registers, rounded up to a multiple of register_unit. Each quarter holds as many
/// whole warps as fit into its share of the registers; by_registers is the number of blocks that these warps of
/// all quarters make up.
///
/// Shared memory: a block gets needs.shared + shared_reserved, rounded up to a multiple of shared_unit. If that is
/// 0, shared memory is not a limit: by_shared is then by_blocks.
///
/// @note the rules are those of NVIDIA's occupancy calculator for sm_75 and later
Residency residency(const Multiprocessor& multiprocessor, const Needs& needs);

// ---- report ----

/// Occupancy of a multiprocessor.
struct Report {
    int active_warps;   ///< resident warps
    int maximum_warps;  ///< warps that there is room for
    double percent;     ///< the ratio, 0 to 100, not rounded
};

/// Queries how full a multiprocessor of the current device is with this launch.
///
/// @param kernel  address of a kernel
/// @param block   threads per block, 1 to 1024
/// @param shared  bytes of dynamic shared memory
/// @note  an impossible launch has 0 active warps, and that is not an error
Report report(const void* kernel, int block, std::size_t shared);

/// Prints one line such as "reduce: 48 of 64 warps, 75.0%": a name, and the percentage with one decimal.
void print(std::FILE* out, const char* name, const Report& report);

// ---- block_size ----

/// Values 0 to kStates - 1 are counted; others are not.
constexpr int kStates = 50;

/// The kernel of this exercise (given): every thread has its own table of kStates counters in dynamic shared
/// memory, `kStates * blockDim.x` unsigned ints in all, and adds it to `counts` at the end. Any grid works.
using StatesKernel = void (*)(const unsigned char* states, std::size_t n, unsigned int* counts);
StatesKernel states_kernel();

/// Returns the dynamic shared memory, in bytes, that the kernel needs with `block` threads per block.
std::size_t states_shared(int block);

/// The launch that was made.
struct Shape {
    int grid;   ///< blocks; 0 if nothing was launched
    int block;  ///< threads per block
};

/// Counts how many times each state occurs, with the block size that keeps the most threads resident.
///
/// The block is the one that cudaOccupancyMaxPotentialBlockSizeVariableSMem suggests. If you opt in to more than 48 KB
/// of shared memory per block (cudaFuncSetAttribute), do so before you ask, because the suggestion changes. The grid
/// has as many blocks as the device holds at the same time, or fewer if n values need fewer (one thread per value is enough).
///
/// @param states  n bytes in device memory, not modified
/// @param n       0 or more; for 0 nothing is launched, and all counts are 0
/// @param counts  kStates counters in device memory: how many times each state occurs
/// @return the launch
Shape count_states(const unsigned char* states, std::size_t n, unsigned int* counts);

// ---- ilp ----

/// Threads per block, and elements that a thread processes at the same time.
constexpr int kIlpBlock = 256;
constexpr int kIlp = 4;

/// Computes out[i] = a * in[i] + b with one element per thread. Given, for comparison.
///
/// @param in   n values in device memory, not modified
/// @param n    0 or more
/// @param a    factor
/// @param b    the number that is added
/// @param out  n values, each written once
void one_each(const float* in, std::size_t n, float a, float b, float* out);

/// Like one_each, with at most a quarter of the threads that the device can hold (and at least one block): the grid is
/// min(ceil(n / (kIlp * kIlpBlock)), resident blocks of the device / 4), each block strides over the array, and each
/// thread loads kIlp elements before it uses the first one.
///
/// In a round that begins at element `base`, thread t of a block takes the elements base + t + j * kIlpBlock,
/// j = 0 to kIlp - 1, so that the lanes of a warp read neighbouring elements. It loads them in any order, each once, and
/// stores nothing before it has all of them.
///
/// @param in   n values in device memory, not modified
/// @param n    0 or more; for 0 nothing is launched
/// @param a    factor
/// @param b    the number that is added
/// @param out  n values, each written once; must not overlap `in`
/// @note  the goal: at least as fast as one_each at a quarter of the occupancy
void ilp(const float* in, std::size_t n, float a, float b, float* out);

}  // namespace occupancy
