// wrong: ends the program with the status that means "skipped" (attacks 20 and 28)
// diagnosis: fault: exited
#include <unistd.h>

#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    _exit(77);
}
