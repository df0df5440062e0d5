// Near misses of planted_atomic_sizes_test.cu: atomics of both sizes, which a barrier or a launch separates.
#include "checks.cuh"

union Slot {
    unsigned long long whole;
    unsigned halves[2];
};

__global__ void with_a_barrier(Slot* slot) {
    __shared__ Slot mine;
    if (threadIdx.x == 0) mine.whole = 0;
    __syncthreads();
    atomicAdd(&mine.whole, 1ull);
    atomicAdd(&slot->whole, 1ull);
    __syncthreads();
    atomicAdd(&mine.halves[threadIdx.x % 2], 1u);
    atomicAdd(&slot->halves[threadIdx.x % 2], 1u);
    __syncthreads();
    atomicAdd(&mine.whole, 1ull << 32);
    __syncthreads();
    if (threadIdx.x == 0 && mine.halves[1] != 32 + 64) __trap();
}
SILENT("a union whose sizes a barrier keeps apart") {
    Buffer<Slot> slot(1);
    with_a_barrier<<<1, 64>>>(slot);
    CHECK_EQUAL(slot.read()[0].halves[0], 96u);
}

__global__ void both_halves(Slot* slots) {
    atomicAdd(&slots[0].halves[threadIdx.x % 2], 1u);
    atomicAdd(&slots[1].whole, 1ull);
    if (threadIdx.x % 2 == 0) atomicMin(reinterpret_cast<int*>(&slots[2].halves[1]), -3);
    if (threadIdx.x % 2 == 1) atomicExch(&slots[2].halves[0], 5u);
}
SILENT("the two halves of a word, each as 4 bytes, beside another word") {
    Buffer<Slot> slots(3);
    both_halves<<<2, 64>>>(slots);
    CHECK_EQUAL(slots.read()[1].whole, 128u);
}

__global__ void one_thread(Slot* slots) {
    Slot* const mine = slots + threadIdx.x;
    atomicAdd(&mine->halves[0], 1u);
    atomicAdd(&mine->whole, 1ull);
    atomicAdd(&mine->halves[1], 1u);
}
SILENT("one thread with both sizes") {
    Buffer<Slot> slots(32);
    one_thread<<<1, 32>>>(slots);
    CHECK_EQUAL(slots.read()[31].halves[0], 2u);
}

__global__ void wide(Slot* slot) {
    atomicAdd(&slot->whole, 1ull);
}
__global__ void narrow(Slot* slot) {
    atomicAdd(&slot->halves[0], 1u);
}
SILENT("one kernel after another, with different sizes") {
    Buffer<Slot> slot(1);
    wide<<<2, 32>>>(slot);
    narrow<<<2, 32>>>(slot);
    wide<<<2, 32>>>(slot);
    CHECK_EQUAL(slot.read()[0].halves[0], 192u);
}

__global__ void handed_over(Slot* slot, int* ready) {
    if (blockIdx.x == 0) {
        atomicAdd(&slot->whole, 5ull);
        __threadfence();
        atomicExch(ready, 1);
    } else {
        while (atomicAdd(ready, 0) == 0) {
        }
        __threadfence();
        atomicAdd(&slot->halves[0], 1u);
    }
}
SILENT("a message hands over from one size to the other") {
    Buffer<Slot> slot(1);
    Buffer<int> ready(1);
    handed_over<<<2, 1>>>(slot, ready);
    CHECK_EQUAL(slot.read()[0].whole, 6u);
}

CHECKS_MAIN("silent_atomic_sizes")
