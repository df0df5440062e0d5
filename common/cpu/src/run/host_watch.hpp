// The reasons for checking the accesses of host code. Usually there is no reason, and host code runs
// unchecked.
#pragma once

#include <atomic>

namespace kit::cpu {

enum class Watch : unsigned {
    pending_work = 1,         ///< queued work may use memory that host code accesses at the same time
    uninitialised_copies = 2  ///< uninitialized bytes have been copied to the host
};

inline std::atomic<unsigned> host_watch{0};

inline void watch_host(Watch reason, bool on) {
    if (on)
        host_watch |= static_cast<unsigned>(reason);
    else
        host_watch &= ~static_cast<unsigned>(reason);
}

}  // namespace kit::cpu
