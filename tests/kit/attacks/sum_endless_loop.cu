// wrong: an endless loop in host code (attack 23)
// diagnosis: no result after 2 s: an endless loop or a deadlock
// diagnosis: not run, because three cases before it came to no end
#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    volatile bool forever = true;
    while (forever) {
    }
}
