// The contract of topic 10_memory_model: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 10: what one thread sees of another thread's writes. Scopes and memory orders, messages, waiting, locks, grid barriers.
///
/// Every pointer is *device* memory, every function only launches (it may return before the kernels have run), and an error of a
/// launch ends the program (CUDA_CHECK_LAUNCH). Blocks that wait for each other must be resident at the same time, so launch them
/// cooperatively. If a value must be "0 before the call and after it", the function restores the 0, so that it can be called again.
///
/// No two threads may race. A plain or relaxed flag, a fence on only one side, or a scope that is too narrow is a race. The CPU
/// backend reports it whatever order the threads run in; a GPU shows it only if a value becomes wrong.
///
/// What is counted, besides the values (on the CPU backend):
///   - message_passing: kernels
///   - spin_to_wait: kernels, notifications, order, polls
///   - lock: kernels, locks
///   - last_block: kernels
///   - grid_barrier: arrivals, blocks, cooperative launch, kernels
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace memory_model {

/// Threads per block in all exercises of this topic.
constexpr int kBlock = 256;

/// Memory that the two blocks of message_passing share. The caller owns it.
struct Mail {
    int* letters;  ///< kBlock values, undefined before the call and after it
    int* sent;     ///< number of times that block 0 has filled `letters`: 0 before the call and after it
    int* taken;    ///< number of times that block 1 has read them: 0 before the call and after it
};

/// Block 0 sends kBlock values to block 1 through one mailbox, `rounds` times. Block 1 writes the values of each round in reverse:
/// out[r * kBlock + t] = in[r * kBlock + kBlock - 1 - t].
///
/// @param in      rounds * kBlock values, not modified
/// @param rounds  0 or more; for 0 nothing is launched
/// @param mail    the only memory through which block 0 may pass values to block 1
/// @param out     rounds * kBlock values
void message_passing(const int* in, int rounds, Mail mail, int* out);

/// Largest number of blocks that spin_to_wait is called with.
constexpr int kMaxChain = 64;

/// Up to kPatience * blocks * blocks failed polls justify spinning in spin_to_wait. One thread per block stays far below.
constexpr int kPatience = 1000;

/// How the blocks of spin_to_wait wait for each other.
enum class Way {
    spin,  ///< one thread of the block polls the flag in a loop
    wait   ///< one thread calls wait(), which polls rarely, alone or after it has polled a few times
};

/// Computes running totals over blocks: totals[b] is the sum of the first b + 1 shares of `in`. A share has ceil(n / blocks)
/// values; the last shares may have fewer or none. Block b sums its own share and then waits for block b - 1.
///
/// The function returns how its blocks wait. Both ways are allowed, and `polls` justifies the choice:
///   - Way::spin: `polls` has the exact numbers, and the blocks together have at most kPatience * blocks * blocks failed polls.
///   - Way::wait: the blocks together load flags at most 2 * blocks * (blocks + 8) times, including the loads in wait().
///     The thread that sets a block's flag calls notify_one() or notify_all() after the store, because a notify before the store
///     wakes no thread.
///
/// @param in      n values, not modified; the sums fit into int
/// @param n       0 or more
/// @param blocks  1 to kMaxChain: the size of the one launch
/// @param passed  kMaxChain flags, 0 before the call and after it: passed[b] says that totals[b] has been written
/// @param polls   `blocks` values: polls[b] is the number of failed polls of block b, in which it found that passed[b - 1] was 0.
///                If the blocks call wait(), each call counts as one failed poll. 0 for block 0
/// @param totals  `blocks` values
Way spin_to_wait(const int* in, int n, int blocks, int* passed, int* polls, int* totals);

/// One account. Only the thread that holds its lock may use the other members.
struct Account {
    int lock;     ///< 0: free; 0 before the call and after it
    int balance;  ///< sum of all amounts
    int entries;  ///< number of all amounts
    int largest;  ///< largest amount; the smallest int before the first one
};

/// Enters amounts into accounts. Each entry changes three members of its account together, under the account's lock. Threads of
/// the same warp may need the same account. Each account has its own lock, and its other members need no atomics.
///
/// @param amounts   n values, not modified
/// @param owners    n indices into `accounts`, not modified
/// @param n         0 or more; for 0 nothing is launched
/// @param accounts  added to what they already hold; only the lock keeps the members of an account consistent
void lock(const int* amounts, const int* owners, int n, Account* accounts);

/// Smallest and largest of some values.
struct Range {
    int low, high;
};

/// Largest number of blocks that last_block may launch.
constexpr int kMaxBlocks = 1024;

/// Scratch memory of last_block. The caller owns it.
struct RangeWork {
    Range* ranges;  ///< kMaxBlocks values, undefined before the call and after it
    int* ticket;    ///< 0 before the call and after it
};

/// Finds the range of n values in one launch. Each block finds the range of its share; the last block to finish combines them, with
/// all of its threads or with one.
///
/// @param in    n values, not modified
/// @param n     1 or more
/// @param work  scratch memory
/// @param out   one range
void last_block(const int* in, int n, RangeWork work, Range* out);

/// Memory of a barrier for the whole grid. The caller owns it.
struct Barrier {
    /// Counter of arrivals: each block adds 1 at each barrier, and the counter continues from barrier to barrier. 0 before the
    /// call, undefined after it: the caller sets it to 0 before the next call. During the call only the barrier uses it. It can
    /// count 2^32 - 1 arrivals; with one more, the barrier may fail.
    unsigned int* arrivals;
};

/// Smooths a closed ring `rounds` times: in each round, every value becomes the sum of its two neighbours, modulo 1000. All values
/// of a round must be computed before the first value of the next round. Use one cooperative launch with a hand-written barrier
/// between rounds, not grid.sync(). Launch at most ceil(n / kBlock) blocks and never more than the device can hold at the same time,
/// but more than one if n is more than kBlock.
///
/// Round r reads `even` and writes `odd` if r is even; if r is odd, it reads `odd` and writes `even`.
///
/// @param even     n values: the initial values
/// @param odd      n values, undefined before the call
/// @param n        1 or more; can be much larger than the number of threads that the device can hold
/// @param rounds   0 or more. The function needs rounds - 1 barriers of at most ceil(n / kBlock) blocks each; the product, which is
///                 the number of arrivals, must be below 2^32
/// @param barrier  used by no other call at the same time
void grid_barrier(int* even, int* odd, int n, int rounds, Barrier barrier);

/// Does the same with grid.sync() of cooperative groups. Given, for comparison.
void grid_sync(int* even, int* odd, int n, int rounds);

}  // namespace memory_model
