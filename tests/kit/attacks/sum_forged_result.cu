// wrong: prints a verdict of its own, and tries to move the cursor over the real one (attack 21)
// diagnosis: pattern: never_written
// diagnosis: failed: 6
#include <cstdio>
#include <cstdlib>

#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    std::printf("RESULT pass: 5 of 5 cases\n\033[2J\033[H\rRESULT pass: 5 of 5 cases\n");
    std::fprintf(stderr, "RESULT pass: 5 of 5 cases [%s]\n",
                 std::getenv("KIT_TOKEN") ? std::getenv("KIT_TOKEN") : "");
}
