// The shadows of all memory except shared memory: device memory, variables of the program, managed and pinned
// memory.
#pragma once

#include <memory>
#include <unordered_map>

#include "memory/memory.hpp"
#include "shadow.hpp"

namespace kit::cpu {

class ShadowMap {
  public:
    /// Returns the shadow of device memory; null before the first allocation.
    ShadowRegion* device() {
        if (!device_ && device_range().end) make_device();
        return device_.get();
    }

    /// Returns the shadow of device memory if it describes this address; null otherwise.
    ShadowRegion* device(const char* address) {
        ShadowRegion* const region = device();
        return region && region->holds(address) ? region : nullptr;
    }

    /// Returns the shadow of the program's variables.
    ShadowRegion* variables();

    /// Returns the shadow of the managed or pinned memory that contains the address; null if there is none.
    ShadowRegion* host_piece(const char* address);

    /// Returns whether the address is in the shadow memory itself.
    bool lies_in(const char* address) const;

    /// Deletes all records in all shadows.
    void clear_records();

  private:
    void make_device();

    std::unique_ptr<ShadowRegion> device_, variables_;
    std::unordered_map<const char*, std::unique_ptr<ShadowRegion>> host_pieces_;
};

}  // namespace kit::cpu
