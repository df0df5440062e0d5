// Creates the shadow of each piece of memory when it is first needed.
#include "shadow_map.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "source/symbols.hpp"

namespace kit::cpu {

void ShadowMap::make_device() {
    const auto [begin, end] = device_range();
    device_ = std::make_unique<ShadowRegion>(begin, static_cast<std::size_t>(end - begin));
}

ShadowRegion* ShadowMap::variables() {
    if (!variables_) {
        const ProgramImage& image = program_image();
        variables_ = std::make_unique<ShadowRegion>(image.variables,
                                                    static_cast<std::size_t>(image.end - image.variables));
    }
    return variables_.get();
}

ShadowRegion* ShadowMap::host_piece(const char* address) {
    const Allocation* const piece = find_allocation(address);
    if (!piece || piece->kind == MemoryKind::device) return nullptr;
    auto& region = host_pieces_[piece->begin];
    // Freed memory may have been allocated again as a larger piece.
    if (!region || !region->holds(piece->begin + piece->bytes - 1))
        region = std::make_unique<ShadowRegion>(piece->begin, piece->bytes);
    return region.get();
}

bool ShadowMap::lies_in(const char* address) const {
    for (const ShadowRegion* region : {device_.get(), variables_.get()})
        if (region && region->lies_in(address)) return true;
    return false;
}

void ShadowMap::clear_records() {
    for (ShadowRegion* region : {device_.get(), variables_.get()})
        if (region) region->clear_records();
    host_pieces_.clear();
}

// Reserves memory of the operating system.

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
