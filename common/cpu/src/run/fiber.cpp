// Maps the stacks of fibers, with a guard page below each.
#include "fiber.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <iterator>

namespace kit::cpu {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t stack_bytes =
    64 * 1024;  // more than the 1 KiB of a CUDA thread, because printf on the host needs more
constexpr std::size_t stacks_per_slab = 32;
constexpr std::size_t slab_bytes = stacks_per_slab * (stack_bytes + page);

// Returns the shift of a stack's start. Stacks that all start at the same offset in a page would compete for
// one cache set, so each is shifted by some cache lines. The shift is less than half a page, so a waiting
// thread uses one page and not two.
std::size_t start_shift(std::size_t index) {
    return index % (index < 1024 ? 32 : 16) * 128;
}

/// Each guard splits a mapping, and Linux allows a process 65530 mappings. Stacks beyond this number, of all workers together,
/// have no guard, and their overflow is not reported.
constexpr std::size_t most_guards = 24000;
std::atomic<std::size_t> guards{0};

}  // namespace

FiberPool::~FiberPool() {
    for (const auto& [base, first] : slabs_) munmap(base, slab_bytes);
    guards -= slabs_.size() * stacks_per_slab;
}

bool FiberPool::map_slab() {
    void* const mapped =
        mmap(nullptr, slab_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return false;
    char* const base = static_cast<char*>(mapped);
    slabs_.emplace(base, fibers_.size());
    for (std::size_t i = 0; i < stacks_per_slab; ++i) {
        char* const guard = base + i * (stack_bytes + page);
        if (guards++ < most_guards) mprotect(guard, page, PROT_NONE);
        auto fiber = std::make_unique<Fiber>();
        fiber->stack_low = guard + page;
        fiber->stack_high = fiber->stack_low + stack_bytes - start_shift(fibers_.size());
        idle_.push_back(fiber.get());
        fibers_.push_back(std::move(fiber));
    }
    return true;
}

Fiber* FiberPool::take() {
    if (idle_.empty() && !map_slab()) return nullptr;
    Fiber* fiber = idle_.back();
    idle_.pop_back();
    fiber->used = true;
    // Prefetch the top of the next idle stack.
    if (!idle_.empty()) fetch(static_cast<char*>(idle_.back()->stack) - 192);
    if (!fiber->stack) fiber->stack = new_stack(fiber->stack_low, fiber->stack_high);
    return fiber;
}

void FiberPool::abandon(const void* stack) {
    Fiber* const fiber = find(stack);
    if (!fiber || !fiber->used) return;
    fiber->stack = nullptr;
    give(fiber);
}

FiberPool::Slabs::const_iterator FiberPool::slab_of(const void* address) const {
    const char* const byte = static_cast<const char*>(address);
    const auto after = slabs_.upper_bound(const_cast<char*>(byte));
    if (after == slabs_.begin()) return slabs_.end();
    const auto slab = std::prev(after);
    return static_cast<std::size_t>(byte - slab->first) < slab_bytes ? slab : slabs_.end();
}

Fiber* FiberPool::find(const void* stack) const {
    const auto slab = slab_of(stack);
    if (slab == slabs_.end()) return nullptr;
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(stack) - slab->first);
    return fibers_[slab->second + offset / (stack_bytes + page)].get();
}

bool FiberPool::is_guard(const Fiber& fiber, const void* address) {
    const auto where = reinterpret_cast<std::uintptr_t>(address);
    const auto low = reinterpret_cast<std::uintptr_t>(fiber.stack_low);
    return where < low && where >= low - page;
}

}  // namespace kit::cpu
