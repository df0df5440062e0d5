// malloc and free of device code, which use the heap of the device.
#include "kernel_heap.hpp"

#include <algorithm>

#include "family.hpp"
#include "memory/memory.hpp"
#include "source/findings.hpp"
#include "source/source_lines.hpp"
#include "source/symbols.hpp"
#include "worker.hpp"

namespace kit::cpu {
namespace {

/// Returns whether device code is running. A call by the executor or a library on a CUDA thread's stack
/// counts as a call by the host.
bool in_device_code() {
    const Worker* const worker = this_worker;
    return worker && worker->in_thread && !worker->in_executor && family_now();
}

bool asked(const void* caller) {
    return in_device_code() && program_image().holds(caller);
}

void* allocate(std::size_t bytes, const char* made_by, const void* caller) {
    const InExecutor inside;
    const std::lock_guard lock(family_now()->mutex());
    const Allocation* const block = allocate_on_heap(bytes, made_by, place_of_call(caller));
    return block ? block->begin : nullptr;
}

bool free_block(void* begin, const void* caller) {
    if (!in_device_code()) return false;
    const void* const at = program_image().holds(caller) ? caller : this_worker->at;
    const InExecutor inside;
    const std::lock_guard lock(family_now()->mutex());
    if (Allocation* const block = heap_block(begin)) {
        free_heap_block(block, static_cast<const char*>(at) - 1);
        return true;
    }
    const Place place = at ? place_of_call(at) : Place{};
    add_finding(wrong_to_free(begin, running_spot(place)).by(running_thread()).with("function", "free"));
    return true;
}

unsigned kernels = 0;
constexpr KernelHeap heap{asked, allocate, free_block};

}  // namespace

/// Installs the heap for kernels. If several kernels run, the last kernel that ends removes the heap.
HeapForKernel::HeapForKernel() {
    ++kernels;
    kernel_heap = &heap;
}
HeapForKernel::~HeapForKernel() {
    if (--kernels == 0) kernel_heap = nullptr;
}

/// Frees the block. The checks treat this as a write to all of its bytes, so every use must be ordered before
/// it.
void free_heap_block(Allocation* block, const void* instruction) {
    constexpr std::size_t most = 16;
    for (std::size_t i = 0; observed() && i < block->bytes; i += most) {
        Access access;
        access.address = block->begin + i;
        access.bytes = static_cast<unsigned>(std::min(most, block->bytes - i));
        access.write = true;
        access.natural = false;
        access.whole = true;
        access.instruction = instruction;
        observer().access(*this_worker, access);
    }
    release(block);
}

}  // namespace kit::cpu
