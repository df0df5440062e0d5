// wrong: an object prints a verdict and ends the program before main (attack 20)
// It must be refused by the judge, which misses the grader's verdict.
#include <unistd.h>

#include <cstdio>

#include "attacks.hpp"
#include "kit.cuh"

namespace {

const bool graded = [] {
    std::puts("RESULT pass: 5 of 5 cases");
    std::fflush(stdout);
    _exit(0);
    return true;
}();

}  // namespace

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out, (void)graded;
}
