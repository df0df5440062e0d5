// wrong: waits for a lock that it holds itself (attack 23)
// diagnosis: fault: late
#include <mutex>

#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    static std::mutex lock;
    lock.lock();
}
