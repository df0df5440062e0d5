// Bytes that were copied from device memory that nobody had written: does host code use them?
#pragma once

#include <cstddef>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// Bytes in host memory that were copied from device memory that nobody had written. Those that have changed since
/// somebody has written, perhaps code that is not checked; to tell, the words of 4 bytes around them are compared.
class UnwrittenCopies {
  public:
    struct Origin {
        std::string copied_from;  ///< in words
        UndefinedLane lane;       ///< where an undefined value was stored
        Place discarded{};        ///< which line has discarded them; unknown if none
    };
    void add(const char* begin, std::size_t bytes, const Origin& from);
    bool any() const { return !pieces_.empty(); }
    void forget(const char* begin, std::size_t bytes);

    /// What some of these bytes, still as they were copied, were copied from; null if there are none.
    const Origin* origin(const char* begin, std::size_t bytes) const;

  private:
    struct Piece {
        const char* begin;
        std::vector<char> as_copied;
        Origin from;
        const char* end() const { return begin + as_copied.size(); }
    };
    std::vector<Piece> pieces_;
};

}  // namespace kit::cpu
