// Host code runs unwatched until there is a reason to look at what it touches, which is seldom.
#pragma once

#include <atomic>

namespace kit::cpu {

enum class Watch : unsigned {
    pending_work = 1,         ///< queued work may use memory that host code touches meanwhile
    uninitialised_copies = 2  ///< the observer has seen bytes copied to the host that nobody had written
};

inline std::atomic<unsigned> host_watch{0};

inline void watch_host(Watch reason, bool on) {
    if (on)
        host_watch |= static_cast<unsigned>(reason);
    else
        host_watch &= ~static_cast<unsigned>(reason);
}

}  // namespace kit::cpu
