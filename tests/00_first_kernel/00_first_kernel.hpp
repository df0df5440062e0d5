// The contract of topic 00_first_kernel: what the exercises must provide and the tests call.
#pragma once

#include <cstddef>

/// Topic 00: threads, blocks, grid; the guard; grid-stride loops; copy in, launch, copy out.
///
/// What is counted, besides the values (on the CPU backend):
///   - vector_add: loads, share of one thread, stores, threads
///   - grid_stride: threads
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace first_kernel {

/// Adds two vectors on the GPU: c[i] = a[i] + b[i] for every i with 0 <= i < n.
///
/// All three vectors are in *host* memory. The function allocates the device memory that it needs, copies the
/// inputs there, launches the kernel, copies the result back, and frees the memory. When it returns, c is complete. How it
/// frees memory (a smart pointer, say) and which stream it uses is up to you, but the kernel must do the additions,
/// each of them once.
///
/// @param a,b  host memory, n floats each, not modified
/// @param c    host memory, n floats, every one of them written
/// @param n    number of elements, 0 or more; for 0, nothing happens, and that is not an error
/// @pre        c overlaps neither a nor b
/// @note       O(n) work, one thread per element; an error of the runtime ends the program (CUDA_CHECK)
void vector_add(const float* a, const float* b, float* c, int n);

/// Updates one slice of a long vector: y[i] = factor * x[i] + y[i] for every i with first <= i < last.
///
/// Both vectors are in *device* memory. They are so long that `int` cannot count their elements, and only
/// the slice from `first` to `last` exists here: do not read or write any other element. (The grader passes
/// slices that start beyond element 2^32 of a vector whose other elements do not exist.)
///
/// The caller chooses the grid. Each thread updates as many elements as it takes, so that any grid gives
/// the same result: one launch of exactly that grid, or none for an empty slice. The function only launches: it may
/// return before the kernel has run.
///
/// @param x          device memory, address of element 0, not modified
/// @param y          device memory, address of element 0, updated in place: each element of the slice once
/// @param first,last the slice; first <= last; both may exceed 2^32
/// @param factor     the number by which x is multiplied
/// @param grid       blocks to launch, 1 or more
/// @param block      threads per block, 1 to 1024, any number
/// @note             O(last - first) work; an error of the launch ends the program (CUDA_CHECK_LAUNCH)
void grid_stride(const float* x, float* y, std::size_t first, std::size_t last, float factor, int grid,
                 int block);

}  // namespace first_kernel
