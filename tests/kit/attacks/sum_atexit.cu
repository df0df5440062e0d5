// wrong: leaves a function that prints a verdict and chooses the exit status when the program ends (attack 20)
// diagnosis: pattern: never_written
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    static const bool registered = std::atexit([] {
                                       std::puts("RESULT pass: 5 of 5 cases");
                                       std::fflush(stdout);
                                       _exit(0);
                                   }) == 0;
    (void)registered;
}
