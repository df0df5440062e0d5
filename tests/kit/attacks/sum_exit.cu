// wrong: ends the program with status 0 instead of answering (attack 20)
// diagnosis: fault: exited
// diagnosis: failed: 6
#include <cstdlib>

#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    std::exit(0);
}
