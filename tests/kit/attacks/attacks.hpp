// The two functions that the attacks pretend to solve. All pointers are device memory.
#pragma once

namespace attack {

/// out[i] = 2 * in[i] for i in [0, n).
void twice(const float* in, int n, float* out);

/// *out = in[0] + ... + in[n - 1]; 0 for n == 0.
void sum(const float* in, int n, float* out);

}  // namespace attack
