// wrong: host code follows a device pointer (attack 23)
// diagnosis: FAIL  n=1:
// diagnosis: 6 of 6 cases failed
// diagnosis.cpu: , and lectures/diagnoses/host_access.md
#include "attacks.hpp"
#include "kit.cuh"

void attack::sum(const float* in, int n, float* out) {
    (void)in, (void)n, (void)out;
    float total = 0;
    for (int i = 0; i < n; ++i) total += in[i];
    *out = total;
}
