// The hints to the L2 cache that a device would have to store: the persisting lines, and the windows under which kernels ran.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/cache_hints.hpp>
#include <map>
#include <string>
#include <vector>

namespace kit::cpu {

/// The bytes of persisting lines, with the reason for each piece. The pieces consist of whole lines.
class PersistingLines {
  public:
    struct Piece {
        std::uintptr_t begin = 0, end = 0;
        std::string kernel;
        Place place;          ///< line of the launch with a window, or of the access
        bool window = false;  ///< whether the line is a launch with a window
    };
    void add(const volatile void* begin, std::size_t bytes, const Piece& by);
    void remove(const volatile void* begin, std::size_t bytes);
    void clear() { pieces_.clear(); }
    std::size_t bytes() const;
    /// Returns the pieces, with all pieces from one place joined into one, which starts at byte 0 and has the bytes of all.
    std::vector<Piece> by_place() const;

  private:
    void cut(std::uintptr_t begin, std::uintptr_t end);

    std::map<std::uintptr_t, Piece> pieces_;  ///< by their first address, without overlap
};

/// Returns CUDA's error if a window must not have these values.
cudaError_t check_window(const cudaAccessPolicyWindow& window);
inline bool makes_lines_persist(const cudaAccessPolicyWindow& window) {
    return window.num_bytes && window.hitRatio > 0 && window.hitProp == cudaAccessPropertyPersisting;
}

// These functions report events, from any thread. `set_aside` is the limit at that moment.
void kernel_ran_under(const cudaAccessPolicyWindow& window, const std::string& kernel, Place launch);
void property_asked_for(const volatile void* begin, std::size_t bytes, cudaAccessProperty property,
                        const std::string& kernel, Place place);
void count_annotated(cudaAccessProperty property);
void count_applied(std::uint64_t lines);
void count_discarded(const volatile void* begin, std::size_t bytes);
void persisting_lines_reset();
/// Called when memory is freed: its lines no longer count.
void lines_freed(const volatile void* begin, std::size_t bytes);

std::vector<PersistingLines::Piece> persisting_pieces();

}  // namespace kit::cpu
