// Bytes that were copied to the host from uninitialized device memory, and whether host code reads them.
#pragma once

#include <cstddef>
#include <facts/finding.hpp>
#include <kit_cpu/thread.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kit::cpu {

/// Bytes in host memory that were copied from uninitialized device memory. Unchecked code may have written them since; to find out, the
/// check compares the words of 4 bytes around them with the copied words. The host may read millions of words, and there may be as many
/// pieces, so each operation takes logarithmic time.
class UnwrittenCopies {
  public:
    struct Origin {
        facts::Memory copied_from;
        UndefinedLane lane;  ///< the shuffle whose undefined value was stored there
        Place discarded{};   ///< line that has discarded the bytes; unknown if none
    };
    void add(const char* begin, std::size_t bytes, const Origin& from);
    bool any() const { return !pieces_.empty(); }
    void forget(const char* begin, std::size_t bytes);

    /// Returns the origin of the first of these bytes that are still as they were copied; null if there are none.
    const Origin* origin(const char* begin, std::size_t bytes) const;

  private:
    /// One copy, which its pieces share: cutting a piece copies no bytes.
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

    std::map<const char*, Piece> pieces_;  ///< pieces by their first byte, without overlap
};

}  // namespace kit::cpu
