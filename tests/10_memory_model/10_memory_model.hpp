// The contract of topic 10_memory_model: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

/// Topic 10: what one thread sees of another one. Scopes and orders, messages, waiting, locks, barriers of one's own.
///
/// Every pointer is *device* memory, every function only launches (it may return before the kernels have run), and an error of a
/// launch ends the program (CUDA_CHECK_LAUNCH). Blocks that wait for each other must be resident together: they are launched
/// cooperatively. What is called "0 before the call and after it" is left that way by the function, so that the next call works.
///
/// No two threads may race: on the CPU backend a plain or relaxed flag, a fence on one side only and a scope that is too narrow
/// are found in every order of threads, on a GPU only where a value is wrong.
///
/// What is counted, besides the values (by the CPU backend, which sees it):
///   - message_passing: kernels
///   - spin_to_wait: kernels, loads, notifications, order
///   - lock: kernels, locks
///   - last_block: kernels
///   - grid_barrier: arrivals, blocks, cooperative launch, kernels
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace memory_model {

/// Threads per block in all exercises of this topic.
constexpr int kBlock = 256;

/// What two blocks of message_passing share. The caller owns it.
struct Mail {
    int* letters;  ///< kBlock values, undefined before the call and after it
    int* sent;     ///< how many times the letters have been sent: 0 before the call and after it
    int* taken;    ///< how many times they have been taken: 0 before the call and after it
};

/// Block 0 hands `rounds` times kBlock values to block 1 through one mailbox, and block 1 writes each round down in reverse:
/// out[r * kBlock + t] = in[r * kBlock + kBlock - 1 - t].
///
/// @param in      rounds * kBlock values, not modified
/// @param rounds  0 or more; for 0 nothing is launched
/// @param mail    the only way from block 0 to block 1
/// @param out     rounds * kBlock values
void message_passing(const int* in, int rounds, Mail mail, int* out);

/// The most blocks that spin_to_wait is called with.
constexpr int kMaxChain = 64;

/// Running totals over blocks: totals[b] is the sum of the first b + 1 shares of `in`, where each share has
/// ceil(n / blocks) values, the last ones fewer or none. Block b sums its own share and then waits for block b - 1.
///
/// A block that waits does not spin: it calls wait(), which asks seldom, and whoever sets its flag calls a notify afterwards. A
/// notify before the store wakes nobody.
///
/// @param in      n values, not modified; the sums fit into int
/// @param n       0 or more
/// @param blocks  1 to kMaxChain, one launch of that many
/// @param passed  kMaxChain flags, 0 before the call and after it: passed[b] says that totals[b] is there
/// @param totals  `blocks` values
void spin_to_wait(const int* in, int n, int blocks, int* passed, int* totals);

/// One account. Whoever holds its lock may use the other members.
struct Account {
    int lock;     ///< 0: nobody holds it; 0 before the call and after it
    int balance;  ///< sum of all amounts
    int entries;  ///< number of all amounts
    int largest;  ///< largest amount; the smallest int before the first one
};

/// Enters amounts into accounts: each entry changes three members of its account together, under the account's lock. Threads of
/// one warp may want the same account. Each account has its own lock, and its other members need no atomics.
///
/// @param amounts   n values, not modified
/// @param owners    n indices into `accounts`, not modified
/// @param n         0 or more; for 0 nothing is launched
/// @param accounts  goes on from what it holds; the lock is the only way to keep an account together
void lock(const int* amounts, const int* owners, int n, Account* accounts);

/// The lowest and the highest of some values.
struct Range {
    int low, high;
};

/// No call of last_block needs more blocks than this.
constexpr int kMaxBlocks = 1024;

/// Scratch memory of last_block. The caller owns it.
struct RangeWork {
    Range* ranges;  ///< kMaxBlocks values, undefined before the call and after it
    int* ticket;    ///< 0 before the call and after it
};

/// The range of n values in one launch: each block finds that of its share, and the last one to come that of all. How the last
/// block combines the ranges is free: with all of its threads, or with one.
///
/// @param in    n values, not modified
/// @param n     1 or more
/// @param work  scratch memory
/// @param out   one range
void last_block(const int* in, int n, RangeWork work, Range* out);

/// What a barrier of the whole grid needs. The caller owns it.
struct Barrier {
    /// One counter of arrivals: each block that comes to a barrier is one, and the next barrier goes on counting. 0 before the
    /// call, undefined after it: who calls again sets it to 0 first. During the call nobody but the barrier touches it. It may
    /// count 2^32 - 1 arrivals; with one more it may fail.
    unsigned int* arrivals;
};

/// Smooths a closed ring `rounds` times: every value becomes the sum of its two neighbours, modulo 1000. All values of a round
/// are made before the first one of the next: one cooperative launch, with a hand-written barrier between rounds, and not grid.sync().
/// Where n is more than kBlock there is more than one block, at most ceil(n / kBlock), and never more than the device holds together.
///
/// Round r reads `even` and writes `odd` if r is even, and the other way round if it is odd.
///
/// @param even     n values, those of the beginning
/// @param odd      n values, undefined before the call
/// @param n        1 or more, also far more than there can be threads at a time
/// @param rounds   0 or more. Between them are rounds - 1 barriers of at most ceil(n / kBlock) blocks: the product, the number of
///                 arrivals, must be below 2^32
/// @param barrier  for this call alone
void grid_barrier(int* even, int* odd, int n, int rounds, Barrier barrier);

/// The same with grid.sync() of cooperative groups, for comparison (given).
void grid_sync(int* even, int* odd, int n, int rounds);

}  // namespace memory_model
