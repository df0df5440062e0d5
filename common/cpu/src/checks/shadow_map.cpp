// Creates the shadow of each piece of memory when it is first needed.
#include "shadow_map.hpp"

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

}  // namespace kit::cpu
