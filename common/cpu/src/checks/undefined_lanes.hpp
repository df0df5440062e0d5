// Tracks the undefined values that shuffles return, from the lane that receives the value to the place where
// the value is used. A shuffle returns an undefined value if it reads from a lane that is not in the mask,
// has returned from the kernel, or does not exist.
//
// CUDA leaves such a value undefined. The executor returns a recognizable number instead
// (kit_cpu/undefined.hpp). Receiving an undefined value is legal; using it is an error. In a reduction, the
// upper lanes receive undefined values, and no thread uses their results; `if (lane + 8 < n) sum += other;`
// discards them. Therefore, this class follows each undefined value, including through memory, where it
// counts as not written. When a lane passes a value to its next shuffle, or stores it, the check compares
// this value with the lane's own earlier value and with the value received. If the value equals one of the
// two, their sum, product or difference, or the result of min or max, it counts as undefined. Values computed
// in a different way are missed.
#pragma once

#include <cstdint>
#include <kit_cpu/thread.hpp>
#include <map>
#include <string>
#include <unordered_map>

#include "race.hpp"

namespace kit::cpu {

/// The undefined values of one block.
class UndefinedValues {
  public:
    void clear() { taken_.clear(); }
    bool any() const { return !taken_.empty(); }

    /// Returns the shuffle from which an undefined value of the thread was computed; null if the value is
    /// defined.
    const UndefinedLane* origin(unsigned rank, const void* value, std::size_t bytes) const;

    /// Returns the same as origin(), for the value that the thread has just stored, or has added to the old
    /// value as an integer.
    const UndefinedLane* stored(unsigned rank, const Access& access, const void* before) const;

    /// Records whether the thread passed an undefined value to a shuffle, or received one.
    void took(unsigned rank, const ShuffleInput& input, const void* taken);

    /// Replaces the result of a minimum or maximum that has an undefined operand. Returns false if the
    /// operand is defined.
    bool replace(unsigned rank, const void* operand, void* result, std::size_t bytes, bool larger);

  private:
    struct Taken {
        std::uint64_t own = 0, other = 0;
        std::uint64_t extreme = 0;  ///< result of min or max that represents the undefined value; 0 if there
                                    ///< was none
        std::size_t bytes = 0;
        UndefinedLane own_origin, other_origin;
    };
    std::unordered_map<unsigned, Taken> taken_;  ///< received values, by rank of the thread
};

/// The places in memory where undefined values are stored.
class StoredUndefined {
  public:
    void add(const char* address, const UndefinedLane& lane);
    void forget(const char* begin, std::size_t bytes);
    const UndefinedLane* at(const char* address) const;

  private:
    std::map<const char*, UndefinedLane> words_;
};

}  // namespace kit::cpu
