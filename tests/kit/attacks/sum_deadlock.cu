// wrong: waits for a lock that it holds itself (attack 23)
// diagnosis: no result after 2 s: an endless loop or a deadlock
#include <mutex>

#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    static std::mutex lock;
    lock.lock();
}
