// Reserves memory of the operating system.
#include "pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace kit::cpu {

void* reserve_pages(std::size_t bytes) {
    void* memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) return memory;
    std::fprintf(stderr,
                 "kit: the checks need %zu MiB of address space, which this system refuses; KIT_CHECKS=0 "
                 "runs without them.\n",
                 bytes >> 20);
    std::exit(2);
}

void release_pages(void* memory, std::size_t bytes) {
    munmap(memory, bytes);
}

void forget_pages(void* memory, std::size_t bytes) {
    madvise(memory, bytes, MADV_DONTNEED);
}

std::size_t resident_pages(const void* memory, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory) / page_bytes * page_bytes;
    bytes += reinterpret_cast<std::uintptr_t>(memory) - begin;
    std::vector<unsigned char> present((bytes + page_bytes - 1) / page_bytes);
    if (mincore(reinterpret_cast<void*>(begin), bytes, present.data()) != 0) return 0;
    return page_bytes * static_cast<std::size_t>(std::count_if(present.begin(), present.end(),
                                                               [](unsigned char p) { return p & 1; }));
}

}  // namespace kit::cpu
