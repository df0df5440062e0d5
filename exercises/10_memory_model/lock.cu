// 10_memory_model/lock: a lock that every thread of a warp may take.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests lock.cu ../../tests/10_memory_model/lock_test.cu -o lock
// Run:   ./lock
//
//   v3  enter_v3_locked: each thread takes the lock of its account, changes three members, and gives the lock back

#include <cuda/atomic>

#include "10_memory_model/10_memory_model.hpp"
#include "kit.cuh"

namespace memory_model {

using LockWord = cuda::atomic_ref<int, cuda::thread_scope_device>;

/// Returns when the calling thread holds the lock.
// [lock]
__device__ void take(int* lock) {
    // TODO(1): Exchange the word for 1 until the old value is 0. After that, the thread must see everything that the previous
    // holder wrote before it gave the lock back. About 2 lines.
    KIT_TODO(1, lock);
}

/// Gives back the lock, which the calling thread must hold.
__device__ void give_back(int* lock) {
    // TODO(2): Set the word to 0, so that the next holder sees everything that this thread has written. 1 line.
    KIT_TODO(2, lock);
}
// [/lock]

// v3: one lock per account.
// Mapping : one thread per amount; threads of a warp that need the same account update it one after another.
// Cost    : per amount 2 atomics and 3 updates; threads with the same account wait for each other.
// Requires: threads of a warp make progress independently of each other (sm_70 and later).
__global__ void enter_v3_locked(const int* amounts, const int* owners, int n, Account* accounts) {
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i >= n) return;
    Account& account = accounts[owners[i]];
    int amount = amounts[i];
    // TODO(3): Enter the amount while holding the lock of the account, and hold it no longer than that. About 5 lines.
    KIT_TODO(3, account, amount);
}

void lock(const int* amounts, const int* owners, int n, Account* accounts) {
    if (n == 0) return;
    enter_v3_locked<<<kit::ceil_div(n, kBlock), kBlock>>>(amounts, owners, n, accounts);
    CUDA_CHECK_LAUNCH();
}

}  // namespace memory_model
