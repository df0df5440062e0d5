// wrong: host code follows a device pointer (attack 23)
// diagnosis: case: n=1
// diagnosis: failed: 6
// diagnosis.cpu: rule: touched_by_host
#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    float total = 0;
    for (int i = 0; i < n; ++i) total += in[i];
    *out = total;
}
