// wrong: writes through a null pointer on the host, for the larger sizes (attack 23)
// diagnosis: fault: crashed
// diagnosis: failed: 6
#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    volatile int* nowhere = nullptr;
    *nowhere = n;
}
