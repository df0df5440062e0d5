// 10_memory_model/message_passing: one block hands values to another one, through a mailbox and two flags.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests message_passing.cu
//        ../../tests/10_memory_model/message_passing_test.cu -o message_passing
// Run:   ./message_passing
//
//   v1  pass_v1_release_acquire: poll and signal at device scope

#include <cuda/atomic>

#include "10_memory_model/10_memory_model.hpp"
#include "kit.cuh"

namespace memory_model {

/// The flag is an ordinary int, which these two functions access as an atomic one.
using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

/// Tells whoever polls the flag that everything before this call is done.
// [signal]
__device__ void signal(int* flag, int value) {
    // TODO(1): Set the flag, so that who sees the value also sees what this thread has written, or has come after, before. The
    // reader is in another block of this device. 1 line; Flag(*flag) is the atomic.
    // BEGIN SOLUTION 1
    Flag(*flag).store(value, cuda::memory_order_release);
    // STARTER (void)flag, (void)value;
    // STARTER KIT_TODO(1, flag, value);
    // END SOLUTION 1
}
// [/signal]

/// Returns when the flag has that value; what was done before the signal is visible from then on.
// [poll]
__device__ void poll(int* flag, int value) {
    // TODO(2): Ask until the flag has the value. What this thread reads behind the loop must not be older than the flag.
    // About 2 lines.
    // BEGIN SOLUTION 2
    while (Flag(*flag).load(cuda::memory_order_acquire) != value) {
    }
    // STARTER (void)flag, (void)value;
    // STARTER KIT_TODO(2, flag, value);
    // END SOLUTION 2
}
// [/poll]

// v1: two blocks take turns; the flags count rounds.
// Mapping : block 0 sends, block 1 takes; one thread of each block speaks for all of it.
// Cost    : 2 messages per round, one after the other: that is the time of a round.
// Requires: both blocks are resident together.
__global__ void pass_v1_release_acquire(const int* in, int rounds, Mail mail, int* out) {
    const int t = threadIdx.x;
    for (int r = 0; r < rounds; ++r) {
        if (blockIdx.x == 0) {
            if (t == 0) poll(mail.taken, r);  // the letters before have been taken
            __syncthreads();                  // nobody writes a letter before that
            mail.letters[t] = in[r * kBlock + t];
            __syncthreads();  // all letters are written: now thread 0 may speak for all
            if (t == 0) signal(mail.sent, r + 1);
        } else {
            if (t == 0) poll(mail.sent, r + 1);
            __syncthreads();  // nobody reads a letter before that
            out[r * kBlock + t] = mail.letters[kBlock - 1 - t];
            __syncthreads();  // all letters are read
            if (t == 0) signal(mail.taken, r + 1);
        }
    }
    // TODO(3): Leave both flags as you found them. Which thread may set which flag to 0, and when does nobody look at it any
    // more? About 5 lines.
    // BEGIN SOLUTION 3
    if (blockIdx.x == 0 && t == 0) {
        poll(mail.taken, rounds);  // block 1 has sent its last signal, and so has this thread
        *mail.sent = 0;
        *mail.taken = 0;
    }
    // STARTER KIT_TODO(3, mail);
    // END SOLUTION 3
}

void message_passing(const int* in, int rounds, Mail mail, int* out) {
    if (rounds == 0) return;
    void* arguments[] = {&in, &rounds, &mail, &out};
    CUDA_CHECK(cudaLaunchCooperativeKernel(pass_v1_release_acquire, dim3(2), dim3(kBlock), arguments));
}

}  // namespace memory_model
