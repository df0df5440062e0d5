// The state of the L2 cache that hints determine: the lines that persist, and the access policy windows under
// which kernels ran.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/cache_hints.hpp>
#include <map>
#include <string>
#include <vector>

namespace kit::cpu {

/// The addresses whose cache lines persist, in pieces, each with its cause. A piece consists of whole lines.
class PersistingLines {
  public:
    struct Piece {
        std::uintptr_t begin = 0, end = 0;
        std::string kernel;
        Place place;          ///< the line of the access, or of the launch with a window, that made the lines
                              ///< persist
        bool window = false;  ///< whether `place` is a launch with a window
    };
    void add(const volatile void* begin, std::size_t bytes, const Piece& by);
    void remove(const volatile void* begin, std::size_t bytes);
    void clear() { pieces_.clear(); }
    std::size_t bytes() const;
    /// Returns one piece for each place. The piece starts at byte 0 and has as many bytes as all pieces of
    /// that place.
    std::vector<Piece> by_place() const;

  private:
    void cut(std::uintptr_t begin, std::uintptr_t end);

    std::map<std::uintptr_t, Piece> pieces_;  ///< pieces by their first address; they do not overlap
};

/// Returns CUDA's error for an access policy window with invalid values; success otherwise.
cudaError_t check_window(const cudaAccessPolicyWindow& window);
inline bool makes_lines_persist(const cudaAccessPolicyWindow& window) {
    return window.num_bytes && window.hitRatio > 0 && window.hitProp == cudaAccessPropertyPersisting;
}

// Any thread can call these functions to report events. `set_aside` is the set-aside part of the L2 cache at
// that time.
void kernel_ran_under(const cudaAccessPolicyWindow& window, const std::string& kernel, Place launch);
void property_asked_for(const volatile void* begin, std::size_t bytes, cudaAccessProperty property,
                        const std::string& kernel, Place place);
void count_annotated(cudaAccessProperty property);
void count_applied(std::uint64_t lines);
void count_discarded(const volatile void* begin, std::size_t bytes);
void persisting_lines_reset();
/// Called when memory is freed, whose lines then no longer persist.
void lines_freed(const volatile void* begin, std::size_t bytes);

std::vector<PersistingLines::Piece> persisting_pieces();

}  // namespace kit::cpu
