// The examples of lectures/diagnoses about messages between blocks: the mistake and the fix.
#include <cuda/atomic>

#include "pages.cuh"

// [race_message]
__global__ void hand_over(int* letter, int* sent, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(*sent);
    if (blockIdx.x == 0) {
        *letter = 42;  // <-
        flag.store(1, cuda::memory_order_release);
    } else {
        while (flag.load(cuda::memory_order_relaxed) == 0) {
        }
        *out = *letter;  // <-
    }
}
// [/race_message]
PLANTED("race/message", "race", "give that atomic memory_order_acquire") {
    Buffer<int> letter(1), sent(1), out(1);
    hand_over<<<2, 1>>>(letter, sent, out);
}

__global__ void handed_over(int* letter, int* sent, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(*sent);
    if (blockIdx.x == 0) {
        *letter = 42;
        flag.store(1, cuda::memory_order_release);
    } else {
        while (flag.load(cuda::memory_order_acquire) == 0) {
        }
        *out = *letter;
    }
}
SILENT("race/message, cured") {
    Buffer<int> letter(1), sent(1), out(1);
    handed_over<<<2, 1>>>(letter, sent, out);
    CHECK_EQUAL(out.read()[0], 42);
}

PAGES_MAIN("pages_messages")
