// wrong: an exception leaves the function (attack 23)
// diagnosis: fault: threw
#include <stdexcept>

#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    throw std::runtime_error("too large");
}
