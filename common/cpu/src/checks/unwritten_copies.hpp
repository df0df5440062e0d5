// Finds host code that reads bytes which were copied from uninitialized device memory.
#pragma once

#include <cstddef>
#include <facts/finding.hpp>
#include <kit_cpu/thread.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kit::cpu {

/// Bytes in host memory that were copied from uninitialized device memory. Unchecked code may have written
/// these bytes since. To find out, the check compares the words of 4 bytes that contain them with the copied
/// words. The host may read millions of words, and there may be as many pieces, so each operation takes
/// logarithmic time.
class UnwrittenCopies {
  public:
    struct Origin {
        facts::Memory copied_from;
        UndefinedLane lane;  ///< the shuffle that returned the undefined value, if there was one
        Place discarded{};   ///< line that has discarded the bytes; unknown if there is none
    };
    void add(const char* begin, std::size_t bytes, const Origin& from);
    bool any() const { return !pieces_.empty(); }
    void forget(const char* begin, std::size_t bytes);

    /// Returns where the first of these bytes comes from that still has the copied value; null if there is
    /// none.
    const Origin* origin(const char* begin, std::size_t bytes) const;

  private:
    /// One copy, which its pieces have in common, so that dividing a piece copies no bytes.
    struct Copy {
        const char* begin;
        std::vector<char> bytes;
        Origin from;
    };
    struct Piece {
        const char* end;
        std::shared_ptr<const Copy> copy;
    };
    void cut(const char* at);

    std::map<const char*, Piece> pieces_;  ///< pieces by their first byte; they do not overlap
};

}  // namespace kit::cpu
