// wrong: ends the program with status 0 instead of answering (attack 20)
// diagnosis: the code ended the program (exit status 0) instead of returning
// diagnosis: 6 of 6 cases failed
#include <cstdlib>

#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    std::exit(0);
}
