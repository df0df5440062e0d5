// Tiles of several warps (64 to 512 threads), for cooperative_groups.h.
#pragma once

#include <kit_cpu/thread_group.hpp>
#include <type_traits>

namespace cooperative_groups::kit_details {

/// The functions of a tile of several warps. The threads of the tile meet, each with a value of at most 8
/// bytes (as in CUDA), and combine() computes the results.
template <unsigned Size, class Tile>
class wide_tile : public thread_group {
  public:
    template <class T>
    kit::cpu::Plain<T> shfl(T&& value, unsigned rank, Place place = KIT_CPU_HERE) const {
        const Ranked<kit::cpu::Plain<T>> input{value, rank};
        return meet<kit::cpu::Plain<T>>("shfl() of a tile", input, broadcast<kit::cpu::Plain<T>>, place);
    }
    int any(int predicate, Place place = KIT_CPU_HERE) const {
        return meet<int>("any() of a tile", predicate, any_of, place);
    }
    int all(int predicate, Place place = KIT_CPU_HERE) const {
        const int misses = !predicate;
        return !meet<int>("all() of a tile", misses, any_of, place);
    }

    /// Only for the executor: exchanges values of all threads of the tile.
    template <class T, class Input>
    KIT_CPU_UNCHECKED T meet(const char* what, const Input& input, kit::cpu::TileCombine combine,
                             Place place) const {
        static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>,
                      "tiles of more than 32 threads exchange types of at most 8 bytes");
        T result{};
        kit::cpu::tile_meet(Size, what, &input, &result, combine, place);
        return result;
    }

  protected:
    wide_tile(unsigned meta_rank, unsigned meta_size)
        : thread_group(thread_group::wide_tile(Size, meta_rank, meta_size)) {}

  private:
    template <class T>
    struct Ranked {
        T value;
        unsigned rank;
    };
    template <class T>
    KIT_CPU_UNCHECKED static void broadcast(unsigned size, const void* const* in, void* const* out) {
        for (unsigned i = 0; i < size; ++i) {
            const unsigned from = static_cast<const Ranked<T>*>(in[i])->rank % size;
            *static_cast<T*>(out[i]) = static_cast<const Ranked<T>*>(in[from])->value;
        }
    }
    KIT_CPU_UNCHECKED static void any_of(unsigned size, const void* const* in, void* const* out) {
        int found = 0;
        for (unsigned i = 0; i < size; ++i) found |= *static_cast<const int*>(in[i]) != 0;
        for (unsigned i = 0; i < size; ++i) *static_cast<int*>(out[i]) = found;
    }
};

}  // namespace cooperative_groups::kit_details
