// Finds the source line that has discarded the bytes of a cache line (cuda::discard_memory).
#pragma once

#include <cstdint>
#include <kit_cpu/cache_hints.hpp>
#include <unordered_map>

namespace kit::cpu {

/// For each cache line, the last site that discarded its bytes. The shadow memory knows whether the bytes
/// have been written since.
class DiscardedBytes {
  public:
    void add(const char* begin, std::size_t bytes, std::uint32_t site) {
        for (std::uintptr_t line = line_of(begin); line <= line_of(begin + bytes - 1); ++line)
            sites_[line] = site;
    }
    void forget(const char* begin, std::size_t bytes) {
        if (sites_.empty() || !bytes) return;
        for (std::uintptr_t line = line_of(begin); line <= line_of(begin + bytes - 1); ++line)
            sites_.erase(line);
    }
    /// Returns the site that discarded bytes of the line; 0 if there is none.
    std::uint32_t at(const char* address) const {
        const auto found = sites_.find(line_of(address));
        return found == sites_.end() ? 0 : found->second;
    }

  private:
    static std::uintptr_t line_of(const char* address) {
        return reinterpret_cast<std::uintptr_t>(address) / cache_line_bytes;
    }
    std::unordered_map<std::uintptr_t, std::uint32_t> sites_;
};

}  // namespace kit::cpu
