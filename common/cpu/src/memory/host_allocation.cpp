// Replaces malloc and related functions, and operator new. These replacements call the functions of the C
// library and record each block (host_blocks.hpp). In a program that is linked with the executor, the linker
// finds these definitions first. Memory from other functions (valloc, mmap) is not recorded.
#include <dlfcn.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "device_heap.hpp"
#include "host_callers.hpp"
#include "host_map.hpp"
#include "memory.hpp"
#include "new_blocks.hpp"

// Other C libraries have different names for these functions, so their blocks are not recorded.
#ifdef __GLIBC__

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace kit::cpu {
namespace {

using namespace host_map;

/// Copies rarely go past the end of a small block, and most blocks are small. Therefore, for a small
/// allocation, only the direct caller is recorded.
constexpr std::size_t small_block = 64;

/// Returns the size plus the size of the label. If the sum overflows, returns `bytes`, which the C library
/// will refuse.
std::size_t with_label(std::size_t bytes) {
    return bytes > PTRDIFF_MAX ? bytes : bytes + label_bytes;
}

void* noted(void* begin, std::size_t bytes, Maker maker, Caller caller) {
    if (notes_new_blocks) watch_new_block(begin, caller.return_address);
    note_block(begin, bytes, maker, bytes < small_block ? caller.return_address : who_asked(caller));
    return begin;
}

void* allocate(std::size_t bytes, Maker maker, Caller caller) {
    return noted(__libc_malloc(with_label(bytes)), bytes, maker, caller);
}

void* allocate_aligned(std::size_t alignment, std::size_t bytes, Maker maker, Caller caller) {
    return noted(__libc_memalign(alignment, with_label(bytes)), bytes, maker, caller);
}

void* reallocate(void* old, std::size_t bytes, Caller caller) {
    if (!old) return allocate(bytes, Maker::realloc, caller);
    forget_watched(old);
    const bool known = forget_block(old);
    if (bytes == 0) {
        block_is_freed(old);
        return __libc_realloc(old, 0);  // a size of 0 frees the block
    }
    void* const begin = __libc_realloc(old, with_label(bytes));
    if (!begin && known) block_is_back(old);
    if (!begin) return nullptr;
    if (begin != old) block_is_freed(old);
    return noted(begin, bytes, Maker::realloc, caller);
}

// Whether each operator is the one in this file. Unknown until `prepare` has run; until then, the simpler
// form is called.
bool new_is_ours = false, array_is_ours = false, delete_is_ours = false, array_delete_is_ours = false;

/// Returns whether the definition in this file is the first one that the linker found for the symbol.
bool is_ours(const char* symbol) {
    Dl_info found{}, here{};
    const void* const function = dlsym(RTLD_DEFAULT, symbol);
    return function && dladdr(function, &found) && dladdr(&new_is_ours, &here) &&
           found.dli_fbase == here.dli_fbase;
}

[[gnu::constructor]] void prepare() {
    new_is_ours = is_ours("_Znwm");
    array_is_ours = is_ours("_Znam");
    delete_is_ours = is_ours("_ZdlPv");
    array_delete_is_ours = is_ours("_ZdaPv");
}

/// Allocates as the C++ standard requires: on failure, calls the new handler, which may free memory or throw.
template <class Allocate>
void* new_or_throw(Allocate allocate) {
    while (true) {
        if (void* const begin = allocate()) return begin;
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

/// Frees host memory, with the program's own free() if there is one.
void free_from(void* begin, const void* caller) noexcept {
    if (begin && in_device_range(begin)) return free_device_memory(begin, caller);
    ::free(begin);
}

template <class Allocate>
void* new_or_null(Allocate allocate) noexcept {
    try {
        return allocate();
    } catch (...) {
        return nullptr;
    }
}

}  // namespace
}  // namespace kit::cpu

using namespace kit::cpu;

extern "C" {

void* malloc(std::size_t bytes) noexcept {
    const void* const caller = __builtin_return_address(0);
    if (const KernelHeap* const heap = heap_asked_by(caller)) return heap->allocate(bytes, "malloc", caller);
    return allocate(bytes, Maker::malloc, KIT_ASKED_BY);
}

void free(void* begin) noexcept {
    if (!begin) return;
    if (in_device_range(begin)) return free_device_memory(begin, __builtin_return_address(0));
    forget_watched(begin);
    if (forget_block(begin)) block_is_freed(begin);
    __libc_free(begin);
}

void* calloc(std::size_t count, std::size_t size) noexcept {
    std::size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return __libc_calloc(count, size);  // the C library refuses this size
    return noted(__libc_calloc(1, with_label(bytes)), bytes, Maker::calloc, KIT_ASKED_BY);
}

void* realloc(void* old, std::size_t bytes) noexcept {
    return reallocate(old, bytes, KIT_ASKED_BY);
}

void* reallocarray(void* old, std::size_t count, std::size_t size) noexcept {
    std::size_t bytes;
    if (!__builtin_mul_overflow(count, size, &bytes)) return reallocate(old, bytes, KIT_ASKED_BY);
    errno = ENOMEM;
    return nullptr;
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    return allocate_aligned(alignment, bytes, Maker::aligned_alloc, KIT_ASKED_BY);
}

void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
    return allocate_aligned(alignment, bytes, Maker::aligned_alloc, KIT_ASKED_BY);
}

int posix_memalign(void** pointer, std::size_t alignment, std::size_t bytes) noexcept {
    if (alignment % sizeof(void*) || !alignment || (alignment & (alignment - 1))) return EINVAL;
    void* const begin = allocate_aligned(alignment, bytes, Maker::posix_memalign, KIT_ASKED_BY);
    if (!begin) return ENOMEM;
    *pointer = begin;
    return 0;
}

std::size_t malloc_usable_size(void* begin) noexcept {
    return bytes_that_may_be_used(begin);
}

}  // extern "C"

// A form of operator new that the program does not define calls the simpler form, which the program may have
// defined.

void* operator new(std::size_t bytes) {
    const Caller caller = KIT_ASKED_BY;
    if (const KernelHeap* const heap = heap_asked_by(caller.return_address))
        return heap->allocate(bytes, "new", caller.return_address);
    return new_or_throw([=] { return allocate(bytes, Maker::operator_new, caller); });
}

void* operator new[](std::size_t bytes) {
    if (!new_is_ours) return ::operator new(bytes);
    const Caller caller = KIT_ASKED_BY;
    if (const KernelHeap* const heap = heap_asked_by(caller.return_address))
        return heap->allocate(bytes, "new[]", caller.return_address);
    return new_or_throw([=] { return allocate(bytes, Maker::operator_new_array, caller); });
}

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    if (!new_is_ours) return new_or_null([=] { return ::operator new(bytes); });
    const Caller caller = KIT_ASKED_BY;
    if (const KernelHeap* const heap = heap_asked_by(caller.return_address))
        return heap->allocate(bytes, "new", caller.return_address);
    return new_or_null(
        [=] { return new_or_throw([=] { return allocate(bytes, Maker::operator_new, caller); }); });
}

void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    if (!new_is_ours || !array_is_ours) return new_or_null([=] { return ::operator new[](bytes); });
    const Caller caller = KIT_ASKED_BY;
    if (const KernelHeap* const heap = heap_asked_by(caller.return_address))
        return heap->allocate(bytes, "new[]", caller.return_address);
    return new_or_null(
        [=] { return new_or_throw([=] { return allocate(bytes, Maker::operator_new_array, caller); }); });
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
    const Caller caller = KIT_ASKED_BY;
    if (const KernelHeap* const heap =
            heap_asked_by(caller.return_address))  // blocks of the device's heap are aligned to 256 bytes
        return heap->allocate(bytes, "new", caller.return_address);
    return new_or_throw([=] {
        return allocate_aligned(static_cast<std::size_t>(alignment), bytes, Maker::operator_new, caller);
    });
}

void operator delete(void* begin) noexcept {
    free_from(begin, __builtin_return_address(0));
}

void operator delete[](void* begin) noexcept {
    if (!delete_is_ours) return ::operator delete(begin);
    free_from(begin, __builtin_return_address(0));
}

void operator delete(void* begin, std::size_t) noexcept {
    if (!delete_is_ours) return ::operator delete(begin);
    free_from(begin, __builtin_return_address(0));
}

void operator delete[](void* begin, std::size_t) noexcept {
    if (!delete_is_ours || !array_delete_is_ours) return ::operator delete[](begin);
    free_from(begin, __builtin_return_address(0));
}

#endif
