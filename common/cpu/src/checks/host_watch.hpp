// Host code under the checks' eyes: does it touch managed or pinned memory that queued work uses, and does it use what
// it copied from device memory that nobody had written?
//
// Host code runs without checks until there is something to look for, which is seldom.
#pragma once

#include <atomic>
#include <cstddef>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// Why host accesses are looked at.
enum class Watch : unsigned { pending_work = 1, uninitialised_copies = 2 };

extern std::atomic<unsigned> host_watch;
void watch_host(Watch reason, bool on);

/// Bytes in host memory that were copied from device memory that nobody had written. Those that have changed since
/// somebody has written, perhaps code that is not checked; to tell, the words of 4 bytes around them are compared.
class UnwrittenCopies {
  public:
    struct Origin {
        std::string copied_from;  ///< in words
        UndefinedLane lane;       ///< where an undefined value was stored
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
