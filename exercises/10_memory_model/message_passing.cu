// 10_memory_model/message_passing: poll and signal, each with its memory order.
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

/// Atomic access to a flag, which is an ordinary int.
using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

/// Signals the thread that polls the flag that everything before this call has happened.
// [signal]
__device__ void signal(int* flag, int value) {
    // TODO(1): Set the flag. A thread that sees the value must also see all writes of this thread, and of other threads, that
    // happened before this call. The reader is in another block of this device. Flag(*flag) is the atomic. 1 line.
    (void)flag, (void)value;
    KIT_TODO(1, flag, value);
}
// [/signal]

/// Returns when the flag has that value. After that, writes made before the signal are visible.
// [poll]
__device__ void poll(int* flag, int value) {
    // TODO(2): Poll until the flag has the value. Reads after the loop must see everything that was written before the flag was
    // set. About 2 lines.
    (void)flag, (void)value;
    KIT_TODO(2, flag, value);
}
// [/poll]

// v1: two blocks take turns; the flags count rounds.
// Mapping : block 0 sends, block 1 receives; one thread of each block signals and polls for the whole block.
// Cost    : 2 messages per round, one after another, and they determine the time of a round.
// Requires: both blocks are resident at the same time.
__global__ void pass_v1_release_acquire(const int* in, int rounds, Mail mail, int* out) {
    int t = threadIdx.x;
    for (int r = 0; r < rounds; ++r) {
        if (blockIdx.x == 0) {
            if (t == 0) poll(mail.taken, r);  // block 1 has read the previous letters
            __syncthreads();                  // no thread overwrites a letter before thread 0 has seen that
            mail.letters[t] = in[r * kBlock + t];
            __syncthreads();  // all threads have written their letters before thread 0 signals for all of them
            if (t == 0) signal(mail.sent, r + 1);
        } else {
            if (t == 0) poll(mail.sent, r + 1);
            __syncthreads();  // no thread reads a letter before thread 0 has seen the signal
            out[r * kBlock + t] = mail.letters[kBlock - 1 - t];
            __syncthreads();  // all threads have read their letters before thread 0 signals
            if (t == 0) signal(mail.taken, r + 1);
        }
    }
    // TODO(3): Restore the values that both flags had before the launch. Which thread may set which flag to 0, and when does no
    // other thread access it? About 5 lines.
    KIT_TODO(3, mail);
}

void message_passing(const int* in, int rounds, Mail mail, int* out) {
    if (rounds == 0) return;
    void* arguments[] = {&in, &rounds, &mail, &out};
    CUDA_CHECK(cudaLaunchCooperativeKernel(pass_v1_release_acquire, dim3(2), dim3(kBlock), arguments));
}

}  // namespace memory_model
