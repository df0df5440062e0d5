// wrong: does nothing when it is called with the same arguments again and again, as only a timer does (attacks 11 and 15)
// diagnosis: pattern: when_timed
#include "attacks.hpp"
#include "kit.cuh"
#include "slow_sum.cuh"

void attack::sum(const float* in, int n, float* out) {
    static const float* last_in = nullptr;
    static int last_n = 0, repetitions = 0;
    repetitions = in == last_in && n == last_n ? repetitions + 1 : 0;
    last_in = in;
    last_n = n;
    if (repetitions >= 3) return;  // the fourth result in a row is never checked
    slow_sum<<<1, 1>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}
