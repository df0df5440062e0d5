// wrong: recursion without end (attack 23)
// diagnosis: fault: crashed
#include "attacks.hpp"
#include "kit.cuh"

namespace {

int deeper(int level) {
    volatile char page[4096];
    page[level % 4096] = 1;
    return level < 0 ? 0 : deeper(level % 1000 + 1) + page[level % 4096];
}

}  // namespace

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    *out = deeper(n);
}
