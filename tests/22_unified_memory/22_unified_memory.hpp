// The contract of topic 22_unified_memory: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

/// Topic 22: memory that the host and the device use under the same addresses, and where its pages are.
///
/// Managed memory is memory from cudaMallocManaged. Its pages are in the memory of the host or of the device. Results do not depend on the
/// place of a page, so the tests also count the pages that move. A page has 4,096 bytes here; a GPU moves larger pieces.
///
/// What is counted, besides the values (on the CPU backend):
///   - first_touch: kernels, pages to the device, pages to the host
///   - prefetch: device faults, host faults, kernels, prefetched pages, prefetches, waits
///   - advise: copied pages, device faults, invalidated pages, pages to the device
///   - linked_list: kernels
///   - mapped: copied bytes, kernels, waits
///   - oversubscribe: device faults, evicted pages, kernels, pages on the host, prefetched pages
///
/// What the host may compute: advise.
///
/// A function frees the memory and destroys the objects that it creates for its own use. An error of a launch ends the program
/// (CUDA_CHECK_LAUNCH).
namespace unified_memory {

// ---- first_touch ----

/// The processors that can touch a page.
enum class Processor { host, device };

/// An access to consecutive pages.
struct Touch {
    Processor by;
    int first;  ///< number of the first page
    int pages;  ///< 0 or more
};

/// Numbers of pages.
struct Moves {
    int created_on_host, created_on_device;  ///< pages that no processor had touched before
    int to_host, to_device;                  ///< pages that migrated
};

/// Predicts which pages a sequence of accesses creates and moves. The first touch creates a page in the memory of its processor. A touch by
/// the other processor moves the page there. There are no prefetches and no advice.
///
/// @param touches  the accesses in their order; all pages are below `pages`
/// @param pages    number of pages, 0 or more
Moves predict(const std::vector<Touch>& touches, int pages);

/// Returns sample i of the random numbers with this seed, between 0 and 1. Given.
__host__ __device__ inline float sample(unsigned seed, unsigned i) {
    unsigned x = (i + 1) * 2654435761u ^ seed;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return static_cast<float>(x >> 16) / 65536.0f;
}

/// Stores the samples 0 to n - 1 in managed memory, and returns how many of them are below `limit`.
///
/// Kernels fill and count, so the pages of the samples never move. At most one page, that of the result, moves to the device and to the host.
///
/// @param seed   the first argument of sample()
/// @param n      number of samples, 1 or more
/// @param limit  samples below it are counted
int count_below(unsigned seed, int n, float limit);

// ---- prefetch ----

/// Computes y = a * x + y for arrays in managed memory that the host has filled and that the host will read next.
///
/// All work is queued in `stream`: the pages of both arrays move to the current device before the kernel, and those of y move to the host
/// after it. So neither the kernel nor a host that waits for the stream has page faults. The function does not wait. On a device
/// without concurrent access to managed memory (cudaDevAttrConcurrentManagedAccess is 0), nothing is prefetched.
///
/// @param n       0 or more; for 0 nothing is queued
/// @param x       managed memory, n floats, not modified
/// @param y       managed memory, n floats
/// @param stream  any stream
/// @param a       factor of x
void axpy(int n, float a, const float* x, float* y, cudaStream_t stream);

// ---- advise ----

/// Three arrays in managed memory, each used by the host and by the kernels of the device in every round of a program.
struct Arrays {
    int* table;  ///< the host has filled it; the host and the kernels read it in every round
    std::size_t table_bytes;
    int* inbox;  ///< the host writes elements in every round, and the kernels read few of them
    std::size_t inbox_bytes;
    int* totals;  ///< the kernels write all of it in every round, and the host then reads all of it
    std::size_t totals_bytes;
};

/// Gives advice about the arrays, for a device with concurrent access to managed memory.
///
/// In each round, no page of the table migrates, and it is copied at most once. No page of the inbox migrates, and the kernels access it
/// without page faults. The totals get no advice, because all advice makes them slower: their pages migrate once in each direction.
void advise(const Arrays& arrays, int device);

/// Removes all advice that advise() has given.
void withdraw_advice(const Arrays& arrays, int device);

// ---- linked_list ----

struct Node {
    int value;
    Node* next;  ///< the next node of the list, or null
};

/// Linked lists in managed memory: the host and kernels follow the same pointers.
struct Lists {
    int count;     ///< number of lists
    Node** heads;  ///< the first node of each list, or null: `count` pointers
    Node* nodes;   ///< all nodes, in one piece of memory
    int used;      ///< number of nodes that are in a list; the following ones are spare
};

/// Builds one list for each element of `values`, with its values in their order. The host does this. It calls cudaMallocManaged at
/// most twice.
///
/// @param values  any number of lists, also empty ones; at least one list
/// @param spare   number of nodes for push_front(), 1 or more
Lists build(const std::vector<std::vector<int>>& values, int spare);

/// Stores the sum of each list. The function does not wait.
///
/// @param lists  lists in managed memory
/// @param sums   device memory, `lists.count` numbers
void sum_lists(const Lists& lists, int* sums);

/// Adds one node at the front of each list: values[k] becomes the first value of list k. A kernel does this, with the spare nodes. The
/// host follows the lists as soon as the function has returned.
///
/// @param values  device memory, `lists.count` numbers, not modified
/// @param lists   lists in managed memory, with at least `lists.count` spare nodes
void push_front(Lists& lists, const int* values);

/// Frees the memory of the lists. Given.
void free_lists(const Lists& lists);

// ---- mapped ----

/// Computes the sum of each piece of `in`, and returns the number of the largest sum, or the first of several.
///
/// The kernel writes the sums into the memory of the vector `sums`, which is pinned and mapped during the call, and counts them in mapped
/// memory. The host polls the counter, and then looks for the largest sum. It calls no function that waits for the device, and copies
/// nothing.
///
/// @param in      device memory, pieces * piece numbers, not modified
/// @param pieces  1 or more
/// @param piece   length of a piece, 1 or more
/// @param sums    `pieces` elements; sums[k] becomes the sum of piece k
int piece_sums(const int* in, int pieces, int piece, std::vector<int>& sums);

// ---- oversubscribe ----

/// Returns the length of a window for iterate(): one third of the device memory that is free now, in elements of 4 bytes, at least 1.
std::size_t window_elements();

/// Replaces each element by a * x[i] + b, `steps` times, with unsigned overflow.
///
/// The array can be larger than the free memory of the device, which has concurrent access to managed memory. Every page moves to the
/// device once and back to the host once. The kernels have no page faults, and no page is evicted.
///
/// @param x       managed memory, n elements, on the host before and after the call
/// @param n       0 or more
/// @param steps   0 or more
/// @param window  length of a window in elements; two windows fit on the device
/// @param a       factor in each step
/// @param b       summand in each step
void iterate(unsigned* x, std::size_t n, int steps, unsigned a, unsigned b, std::size_t window);

}  // namespace unified_memory
