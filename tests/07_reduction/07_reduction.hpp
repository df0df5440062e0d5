// The contract of topic 07_reduction: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

/// Topic 07: one number from many. Trees, identities, warp shuffles, the last block done.
///
/// Unless stated otherwise, every pointer is *device* memory, every function only launches (it may return before
/// the kernels have run), an `int n` is at most 2^30, and an error of a launch ends the program
/// (CUDA_CHECK_LAUNCH).
///
/// Many threads share the additions. A sum by a single thread is not a solution, even if it is correct. A
/// block takes logarithmically many steps, with barriers or shuffles in between.
///
/// What is counted, besides the values (on the CPU backend):
///   - tree_divergent: kernels, loads, meetings of a block, share of one thread, stores, threads
///   - tree: kernels, loads, meetings of a block, share of one thread, stores, threads
///   - any_operation: kernels, meetings of a block, share of one thread, threads
///   - warp_shuffle: barriers, kernels, loads, meetings of a block, share of one thread, shuffles, stores, threads
///   - single_pass: share of one thread, threads
///   - fast: share of one thread, threads
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace reduction {

/// Threads per block in the block-sum exercises. A power of two, and a whole number of warps.
constexpr int kBlock = 256;

/// Elements per block if every thread loads two.
constexpr int kTile = 2 * kBlock;

/// No function below needs more blocks than this for one launch that ends in a single value.
constexpr int kMaxBlocks = 1024;

/// Scratch memory for a one-launch reduction. The caller owns it and may use it for any number of
/// calls, one after another.
struct Workspace {
    double* partials;      ///< kMaxBlocks values, undefined before and after the call
    unsigned int* ticket;  ///< one number: 0 before the call, and 0 again when the kernel has finished
};

/// Sums each block of kBlock values: block_sums[b] = in[b * kBlock] + ... (fewer values in the last block).
///
/// Uses a tree whose first step adds neighbours: element t + stride is added to element t if t is a
/// multiple of 2 * stride, for stride = 1, 2, 4, ... Correct, but slow: the active threads are spread over all
/// warps.
///
/// @param in          n values, not modified
/// @param n           0 or more; for 0, nothing is launched, and that is not an error
/// @param block_sums  ceil(n / kBlock) values, each written once
/// @note  n - 1 additions in log2(kBlock) steps per block; the additions can be in any order
void tree_divergent(const float* in, int n, float* block_sums);

/// Computes the same block sums as tree_divergent, by a tree whose active threads are neighbours: element t + stride
/// is added to element t for t < stride, with stride = kBlock / 2, ..., 2, 1. One value per thread.
///
/// @param in          n values, not modified
/// @param n           0 or more; for 0 nothing is launched
/// @param block_sums  ceil(n / kBlock) values, each written once
void tree_converged(const float* in, int n, float* block_sums);

/// Sums each tile of kTile values with the converged tree: every thread first adds two values as it loads
/// them.
///
/// @param in          n values, not modified
/// @param n           0 or more; for 0 nothing is launched
/// @param block_sums  ceil(n / kTile) values, each written once: block_sums[b] = in[b * kTile] + ...
void tree(const float* in, int n, float* block_sums);

/// The operations that any_operation must support. You define each `identity`: the value that changes
/// nothing.
struct Sum {
    template <class T>
    __host__ __device__ T operator()(T a, T b) const {
        return a + b;
    }
    template <class T>
    T identity() const;
};
struct Product {
    template <class T>
    __host__ __device__ T operator()(T a, T b) const {
        return a * b;
    }
    template <class T>
    T identity() const;
};
struct Min {
    template <class T>
    __host__ __device__ T operator()(T a, T b) const {
        return b < a ? b : a;
    }
    template <class T>
    T identity() const;
};
struct Max {
    template <class T>
    __host__ __device__ T operator()(T a, T b) const {
        return a < b ? b : a;
    }
    template <class T>
    T identity() const;
};

/// A user-defined operation: a product of remainders. It has state, so pass it along and never
/// construct a new one.
struct ProductModulo {
    unsigned int modulus;  ///< 1 or more; factors are smaller than this

    template <class T>
    __host__ __device__ T operator()(T a, T b) const {
        return static_cast<T>(static_cast<unsigned long long>(a) * b % modulus);
    }
    template <class T>
    T identity() const {
        return static_cast<T>(1 % modulus);
    }
};

/// A second one: the smallest interval that covers two intervals. Its identity is the empty interval.
struct Interval {
    float low, high;
};
struct Cover {
    __host__ __device__ Interval operator()(Interval a, Interval b) const {
        return {b.low < a.low ? b.low : a.low, a.high < b.high ? b.high : a.high};
    }
    template <class T>
    T identity() const {
        return {__builtin_huge_valf(), -__builtin_huge_valf()};
    }
};

/// Reduces n values with any associative and commutative operation that has an identity.
///
/// At most kMaxBlocks blocks reduce a share each; a second launch of one block reduces their results.
/// Defined in the exercise for (float, Sum), (double, Product), (int, Min), (float, Max), (unsigned,
/// ProductModulo) and (Interval, Cover); `Operation::identity<T>()` is the identity for elements of type T,
/// and for Max of floats, this is minus infinity, as a list of minus infinities shows.
///
/// @param in         n values, not modified
/// @param n          0 or more; for 0 the result is the identity
/// @param operation  a function object, copied to the device; it may have state
/// @param partials   scratch memory for kMaxBlocks values
/// @param out        one value
template <class T, class Operation>
void any_operation(const T* in, int n, Operation operation, T* partials, T* out);

/// Computes the same block sums as `tree`, with warp shuffles: each warp sums its values in registers, shared memory
/// holds one value per warp, and the first warp sums those. One barrier per block instead of one per step (two are
/// allowed, and so is a reduce of cooperative groups instead of the shuffles).
///
/// @param in          n values, not modified
/// @param n           0 or more; for 0 nothing is launched
/// @param block_sums  ceil(n / kTile) values, each written once
void warp_shuffle(const float* in, int n, float* block_sums);

/// Sums n floats in double precision: every block adds its share to *out with one atomic addition. Simple, but
/// the last bits change from call to call, because the blocks finish in any order. Given, for comparison.
///
/// @param in   n values, not modified
/// @param n    0 or more; for 0 the sum is 0
/// @param out  one value; its contents before the call do not matter
void atomic_per_block(const float* in, int n, double* out);

/// Sums n floats in double precision in a *single launch*: each block stores a partial sum, and the block
/// that finishes last adds the partial sums in a fixed order. Equal calls give equal bits.
///
/// The sum is accumulated in double throughout: its error is bounded by about 1e-15 times the sum of the
/// magnitudes, even if large values cancel.
///
/// @param in         n values, not modified
/// @param n          0 or more; for 0 the sum is 0
/// @param out        one value
/// @param workspace  scratch memory, see Workspace
/// @note  the technique is that of NVIDIA's sample threadFenceReduction, with the memory order made explicit
void single_pass(const float* in, int n, double* out, Workspace workspace);

/// Sums n floats as fast as the memory delivers them, in a single launch. Equal calls give equal bits.
///
/// @param in         n values, not modified; perhaps aligned only to 4 bytes
/// @param n          0 or more; can exceed 2^32
/// @param out        one value
/// @param workspace  scratch memory, see Workspace
/// @note  the goal: at least as fast as cub::DeviceReduce::Sum at every size of 2^20 elements or more
void fast(const float* in, std::size_t n, float* out, Workspace workspace);

}  // namespace reduction
