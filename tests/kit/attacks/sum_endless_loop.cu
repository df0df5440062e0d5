// wrong: an endless loop in host code (attack 23)
// diagnosis: fault: late
// diagnosis: fault: not_run
#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    volatile bool forever = true;
    while (forever) {
    }
}
