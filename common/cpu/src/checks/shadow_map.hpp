// The shadows of all memory but the blocks' shared memory: the device's, the program's variables, managed and pinned memory.
#pragma once

#include <memory>
#include <unordered_map>

#include "memory/memory.hpp"
#include "shadow.hpp"

namespace kit::cpu {

class ShadowMap {
  public:
    /// Null before the first allocation.
    ShadowRegion* device() {
        if (!device_ && device_range().end) make_device();
        return device_.get();
    }

    /// Returns the device's, if these bytes are its; null otherwise.
    ShadowRegion* device(const char* address) {
        ShadowRegion* const region = device();
        return region && region->holds(address) ? region : nullptr;
    }

    /// Of the program's variables.
    ShadowRegion* variables();

    /// Of the managed or pinned memory that holds the address; null if none does.
    ShadowRegion* host_piece(const char* address);

    /// Is this one of the shadows?
    bool lies_in(const char* address) const;

    /// Forgets all records.
    void clear_records();

  private:
    void make_device();

    std::unique_ptr<ShadowRegion> device_, variables_;
    std::unordered_map<const char*, std::unique_ptr<ShadowRegion>> host_pieces_;
};

}  // namespace kit::cpu
