// The contract of topic 02_occupancy: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

/// Topic 02: how many warps a multiprocessor holds, what limits them, and how many it needs.
///
/// What is counted, besides the values (by the CPU backend, which sees it):
///   - report: kernels
///   - ilp: loads of a thread, threads
namespace occupancy {

// ---- calculator ----

/// What one multiprocessor has, and in which portions it gives it out.
struct Multiprocessor {
    int warps;              ///< that can be resident: 64 on most devices, 32 on a T4
    int blocks;             ///< that can be resident
    int registers;          ///< 65,536 on all devices so far; a quarter of them belongs to each quarter
    int register_unit;      ///< a warp gets a multiple of so many registers: 256
    int shared;             ///< bytes of shared memory
    int shared_unit;        ///< a block gets a multiple of so many bytes: 128, on a T4 256
    int shared_reserved;    ///< bytes that the driver takes for each block: 1024, on a T4 0
    int threads_per_block;  ///< the largest block: 1024
};

/// A multiprocessor consists of so many equal parts. A warp lives in one of them, with its registers.
constexpr int kQuarters = 4;

/// What a launch takes.
struct Needs {
    int registers;  ///< per thread, 1 to 255
    int shared;     ///< bytes per block, static and dynamic together, 0 or more
    int threads;    ///< per block, 1 or more
};

/// How many blocks each resource alone would allow, and what follows.
struct Residency {
    int by_warps;      ///< a ragged last warp counts as a whole one; 0 for more than threads_per_block
    int by_blocks;     ///< what the multiprocessor allows
    int by_registers;  ///< see below
    int by_shared;     ///< see below
    int blocks;        ///< that are resident: the least of the four
    double occupancy;  ///< resident warps over the warps that there is room for: 0 to 1
};

/// Computes by hand what cudaOccupancyMaxActiveBlocksPerMultiprocessor answers. Host code only.
///
/// Registers: a warp gets 32 * needs.registers, rounded up to a multiple of register_unit. Each quarter holds as many
/// whole warps as its share of the registers is enough for; by_registers is the number of blocks that these warps of
/// all quarters make.
///
/// Shared memory: a block gets needs.shared + shared_reserved, rounded up to a multiple of shared_unit. Where that is
/// 0, shared memory is no limit: by_shared is then by_blocks.
///
/// @note the rules are those of NVIDIA's occupancy calculator for sm_75 and later
Residency residency(const Multiprocessor& multiprocessor, const Needs& needs);

// ---- report ----

/// How full a multiprocessor is.
struct Report {
    int active_warps;   ///< that are resident
    int maximum_warps;  ///< that there is room for
    double percent;     ///< the ratio, 0 to 100, not rounded
};

/// Asks the runtime how full a multiprocessor of the current device is with this launch.
///
/// @param kernel  address of a kernel
/// @param block   threads per block, 1 to 1024
/// @param shared  bytes of dynamic shared memory
/// @note  a launch that is impossible has 0 active warps, and that is not an error
Report report(const void* kernel, int block, std::size_t shared);

/// Prints one line such as "reduce: 48 of 64 warps, 75.0%": a name, and the percentage with one decimal.
void print(std::FILE* out, const char* name, const Report& report);

// ---- block_size ----

/// Values 0 to kStates - 1 are counted; others are not.
constexpr int kStates = 50;

/// The kernel of this exercise (given): every thread has a table of its own of kStates counters in dynamic shared
/// memory, `kStates * blockDim.x` unsigned ints in all, and adds to `counts` at the end. Any grid will do.
using StatesKernel = void (*)(const unsigned char* states, std::size_t n, unsigned int* counts);
StatesKernel states_kernel();

/// Dynamic shared memory, in bytes, that the kernel needs with so many threads per block.
std::size_t states_shared(int block);

/// The launch that was made.
struct Shape {
    int grid;   ///< blocks; 0 when nothing was launched
    int block;  ///< threads per block
};

/// Counts how often each state occurs, with the block size with which the most threads are resident.
///
/// The block is the one that cudaOccupancyMaxPotentialBlockSizeVariableSMem suggests. Whoever opts in to more than 48 KB
/// of shared memory per block (cudaFuncSetAttribute) does so before asking: the suggestion is then another one. The grid
/// is as many blocks as the device holds at once, or fewer if n values do not need them (one thread per value is enough).
///
/// @param states  n bytes in device memory, not modified
/// @param n       0 or more; for 0 nothing is launched, and all counts are 0
/// @param counts  kStates counters in device memory: how often each state occurs
/// @return the launch
Shape count_states(const unsigned char* states, std::size_t n, unsigned int* counts);

// ---- ilp ----

/// Threads per block, and elements that a thread works on at once.
constexpr int kIlpBlock = 256;
constexpr int kIlp = 4;

/// out[i] = a * in[i] + b with one element per thread. Given, for comparison.
///
/// @param in   n values in device memory, not modified
/// @param n    0 or more
/// @param a    factor
/// @param b    what is added
/// @param out  n values, each written once
void one_each(const float* in, std::size_t n, float a, float b, float* out);

/// The same with at most a quarter of the threads that the device can hold (and at least one block): the grid is
/// min(ceil(n / (kIlp * kIlpBlock)), resident blocks of the device / 4), each block strides over the array, and each
/// thread loads kIlp elements before it uses the first one.
///
/// In a round that begins at element `base`, thread t of a block has the elements base + t + j * kIlpBlock,
/// j = 0 to kIlp - 1, so that the lanes of a warp read neighbours. It loads them in any order, each once, and stores
/// nothing before it has all of them.
///
/// @param in   n values in device memory, not modified
/// @param n    0 or more; for 0 nothing is launched
/// @param a    factor
/// @param b    what is added
/// @param out  n values, each written once; may not overlap `in`
/// @note  the goal: at least as fast as one_each at a quarter of the occupancy
void ilp(const float* in, std::size_t n, float a, float b, float* out);

}  // namespace occupancy
