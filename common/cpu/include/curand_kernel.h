// cuRAND's functions for kernels on the CPU executor: XORWOW (Marsaglia, 2003), Philox4x32-10 (Salmon and others, 2011) and MRG32k3a
// (L'Ecuyer, 1999). Seeds, subsequences and offsets give the bits of NVIDIA's library, and so do uniform numbers; normal numbers differ in
// their last bits, and Poisson numbers have their own order.
#pragma once

#include <cuda_runtime.h>
#include <curand.h>
#include <math.h>

struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE;  ///< number of values of `output` that have been used
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
    unsigned s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace kit::cpu::random {

/// Moves the five words of XORWOW forward by steps * 2^log2 values.
void skip_xorwow(unsigned* words, unsigned long long steps, unsigned log2);
/// The same for both parts of MRG32k3a.
void skip_mrg(unsigned* first, unsigned* second, unsigned long long steps, unsigned log2);
constexpr unsigned long long mrg_modulus[2] = {4294967087, 4294944443};

/// Ends the process if host code calls a function that exists only in kernels.
void only_in_kernels(const char* function);

constexpr float step = 2.3283064e-10f;                ///< 2^-32
constexpr double fine_step = 1.1102230246251565e-16;  ///< 2^-53
constexpr double mrg_step =
    2.3283065498378288e-10;  ///< the step of MRG32k3a, whose values are at most its modulus
constexpr double mrg_to_bits = 1.000000048662;      ///< stretches these values to 32 bits
enum { no_extra, normal_extra, log_normal_extra };  ///< which value boxmuller_extra has

inline float fraction(unsigned bits) {
    return bits * step + step / 2;
}
inline double fine_fraction(unsigned low, unsigned high) {
    return (low ^ static_cast<unsigned long long>(high) << 21) * fine_step + fine_step / 2;
}

/// Returns two normal numbers (Box and Muller, 1958).
inline float2 normal_pair(unsigned x, unsigned y) {
    constexpr float turn = step * 6.2831855f;
    const float radius = sqrtf(-2 * logf(fraction(x))), angle = y * turn + turn / 2;
    return {sinf(angle) * radius, cosf(angle) * radius};
}
inline double2 normal_pair(double u, double half_turns) {
    const double radius = sqrt(-2 * log(u)), angle = half_turns * 3.1415926535897932;
    return {sin(angle) * radius, cos(angle) * radius};
}
inline double2 normal_pair(uint4 bits) {
    const double v = (bits.z ^ static_cast<unsigned long long>(bits.w) << 21) * (fine_step * 2) + fine_step;
    return normal_pair(fine_fraction(bits.x, bits.y), v);
}

template <class State>
void forget_extra(State* state) {
    state->boxmuller_flag = state->boxmuller_flag_double = no_extra;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

// ---- XORWOW ----

inline void start(curandStateXORWOW* state, unsigned long long seed, unsigned long long subsequence,
                  unsigned long long offset) {
    const unsigned low = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u),
                   high = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
    unsigned words[5] = {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high,
                         5783321u + low};
    skip_xorwow(words, subsequence, 67);
    skip_xorwow(words, offset, 0);
    for (int i = 0; i < 5; ++i) state->v[i] = words[i];
    state->d = 6615241u + low + high + 362437u * static_cast<unsigned>(offset);
    forget_extra(state);
}

/// One word of the generator without its counter.
KIT_CPU_UNCHECKED inline unsigned next_word(unsigned* words) {
    const unsigned first = words[0] ^ words[0] >> 2, last = words[4];
    for (int i = 0; i < 4; ++i) words[i] = words[i + 1];
    return words[4] = (last ^ last << 4) ^ (first ^ first << 1);
}

/// The executor's own functions change a copy of the state, so that the checks see the accesses to it.
inline void skip(curandStateXORWOW* state, unsigned long long steps, unsigned log2) {
    unsigned words[5];
    for (int i = 0; i < 5; ++i) words[i] = state->v[i];
    skip_xorwow(words, steps, log2);
    for (int i = 0; i < 5; ++i) state->v[i] = words[i];
}

// ---- Philox ----

inline uint4 philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const unsigned long long first = 0xd2511f53ull * counter.x, second = 0xcd9e8d57ull * counter.z;
        counter = {static_cast<unsigned>(second >> 32) ^ counter.y ^ key.x, static_cast<unsigned>(second),
                   static_cast<unsigned>(first >> 32) ^ counter.w ^ key.y, static_cast<unsigned>(first)};
        key = {key.x + 0x9e3779b9u, key.y + 0xbb67ae85u};
    }
    return counter;
}
/// Adds to the counter, whose upper half is the number of the subsequence.
inline void advance(curandStatePhilox4_32_10* state, unsigned long long low, unsigned long long high) {
    uint4 counter = state->ctr;
    const unsigned long long before = counter.x | static_cast<unsigned long long>(counter.y) << 32,
                             after = before + low;
    const unsigned long long above =
        (counter.z | static_cast<unsigned long long>(counter.w) << 32) + high + (after < before);
    counter = {static_cast<unsigned>(after), static_cast<unsigned>(after >> 32), static_cast<unsigned>(above),
               static_cast<unsigned>(above >> 32)};
    state->ctr = counter;
    state->output = philox(counter, state->key);
}
inline void skip(curandStatePhilox4_32_10* state, unsigned long long values) {
    const unsigned used = state->STATE + static_cast<unsigned>(values & 3);
    state->STATE = used & 3;
    advance(state, values / 4 + used / 4, 0);
}
inline void start(curandStatePhilox4_32_10* state, unsigned long long seed, unsigned long long subsequence,
                  unsigned long long offset) {
    state->ctr = {0, 0, 0, 0};
    state->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
    state->STATE = 0;
    advance(state, 0, subsequence);
    skip(state, offset);
    forget_extra(state);
}

// ---- MRG32k3a ----

/// Returns the next value, from 1 to the modulus.
inline unsigned next_mrg(curandStateMRG32k3a* state) {
    const auto product = [](unsigned factor, unsigned value, unsigned long long modulus) {
        return static_cast<unsigned long long>(factor) * value % modulus;
    };
    const unsigned long long m1 = mrg_modulus[0], m2 = mrg_modulus[1];
    const unsigned long long first =
        (product(1403580, state->s1[1], m1) + m1 - product(810728, state->s1[0], m1)) % m1;
    const unsigned long long second =
        (product(527612, state->s2[2], m2) + m2 - product(1370589, state->s2[0], m2)) % m2;
    state->s1[0] = state->s1[1], state->s1[1] = state->s1[2], state->s1[2] = static_cast<unsigned>(first);
    state->s2[0] = state->s2[1], state->s2[1] = state->s2[2], state->s2[2] = static_cast<unsigned>(second);
    return static_cast<unsigned>(first > second ? first - second : first + m1 - second);
}
inline void start(curandStateMRG32k3a* state, unsigned long long seed, unsigned long long subsequence,
                  unsigned long long offset) {
    unsigned s1[3] = {12345, 12345, 12345}, s2[3] = {12345, 12345, 12345};
    if (seed) {
        const unsigned long long low = static_cast<unsigned>(seed) ^ 0x55555555u,
                                 high = static_cast<unsigned>(seed >> 32) ^ 0xaaaaaaaau;
        for (int i = 0; i < 3; ++i) {
            s1[i] = static_cast<unsigned>((i == 1 ? high : low) * s1[i] % mrg_modulus[0]);
            s2[i] = static_cast<unsigned>((i == 1 ? low : high) * s2[i] % mrg_modulus[1]);
        }
    }
    skip_mrg(s1, s2, subsequence, 76);
    skip_mrg(s1, s2, offset, 0);
    for (int i = 0; i < 3; ++i) state->s1[i] = s1[i], state->s2[i] = s2[i];
    forget_extra(state);
}

inline void skip(curandStateMRG32k3a* state, unsigned long long steps, unsigned log2) {
    unsigned s1[3], s2[3];
    for (int i = 0; i < 3; ++i) s1[i] = state->s1[i], s2[i] = state->s2[i];
    skip_mrg(s1, s2, steps, log2);
    for (int i = 0; i < 3; ++i) state->s1[i] = s1[i], state->s2[i] = s2[i];
}

}  // namespace kit::cpu::random

// ---- cuRAND's functions ----

template <class State>
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        State* state) {
    kit::cpu::random::only_in_kernels("curand_init()");
    kit::cpu::random::start(state, seed, subsequence, offset);
}

inline unsigned curand(curandStateXORWOW* state) {
    unsigned words[5];
    for (int i = 0; i < 5; ++i) words[i] = state->v[i];
    const unsigned word = kit::cpu::random::next_word(words);
    for (int i = 0; i < 5; ++i) state->v[i] = words[i];
    return word + (state->d += 362437u);
}
inline unsigned curand(curandStatePhilox4_32_10* state) {
    const uint4 output = state->output;
    const unsigned used = state->STATE, values[4] = {output.x, output.y, output.z, output.w};
    const unsigned value = values[used & 3];
    if (used == 3) kit::cpu::random::advance(state, 1, 0);
    state->STATE = (used + 1) & 3;
    return value;
}
inline unsigned curand(curandStateMRG32k3a* state) {
    return static_cast<unsigned>(kit::cpu::random::next_mrg(state) * kit::cpu::random::mrg_to_bits);
}
inline uint4 curand4(curandStatePhilox4_32_10* state) {
    uint4 values;
    values.x = curand(state), values.y = curand(state), values.z = curand(state), values.w = curand(state);
    return values;
}

inline void skipahead(unsigned long long n, curandStateXORWOW* state) {
    kit::cpu::random::skip(state, n, 0);
    state->d += 362437u * static_cast<unsigned>(n);
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
    kit::cpu::random::skip(state, n, 67);
}
inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
    kit::cpu::random::skip(state, n);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
    kit::cpu::random::advance(state, 0, n);
}
inline void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
    kit::cpu::random::skip(state, n, 0);
}
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
    kit::cpu::random::skip(state, n, 76);
}
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
    kit::cpu::random::skip(state, n, 127);
}

// Uniform numbers are larger than 0 and at most 1.
inline float curand_uniform(curandStateXORWOW* state) {
    return kit::cpu::random::fraction(curand(state));
}
inline float curand_uniform(curandStatePhilox4_32_10* state) {
    return kit::cpu::random::fraction(curand(state));
}
inline float curand_uniform(curandStateMRG32k3a* state) {
    return static_cast<float>(kit::cpu::random::next_mrg(state) * kit::cpu::random::mrg_step);
}
inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
    using kit::cpu::random::fraction;
    const uint4 bits = curand4(state);
    return {fraction(bits.x), fraction(bits.y), fraction(bits.z), fraction(bits.w)};
}
inline double curand_uniform_double(curandStateXORWOW* state) {
    const unsigned low = curand(state);
    return kit::cpu::random::fine_fraction(low, curand(state));
}
inline double curand_uniform_double(curandStatePhilox4_32_10* state) {
    constexpr double step = 2.3283064365386963e-10;
    return curand(state) * step + step;
}
inline double curand_uniform_double(curandStateMRG32k3a* state) {
    return kit::cpu::random::next_mrg(state) * kit::cpu::random::mrg_step;
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
    using kit::cpu::random::fine_fraction;
    const uint4 bits = curand4(state);
    return {fine_fraction(bits.x, bits.y), fine_fraction(bits.z, bits.w)};
}

template <class State>
inline float2 curand_normal2(State* state) {
    const unsigned x = curand(state);
    return kit::cpu::random::normal_pair(x, curand(state));
}
inline float2 curand_normal2(curandStateMRG32k3a* state) {
    const float radius = sqrtf(-2 * logf(curand_uniform(state))), angle = curand_uniform(state) * 6.2831855f;
    return {sinf(angle) * radius, cosf(angle) * radius};
}
inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
    const float2 first = curand_normal2(state), second = curand_normal2(state);
    return {first.x, first.y, second.x, second.y};
}
template <class State>
inline double2 curand_normal2_double(State* state) {
    uint4 bits;
    bits.x = curand(state), bits.y = curand(state), bits.z = curand(state), bits.w = curand(state);
    return kit::cpu::random::normal_pair(bits);
}
inline double2 curand_normal2_double(curandStateMRG32k3a* state) {
    const double u = curand_uniform_double(state);
    return kit::cpu::random::normal_pair(u, curand_uniform_double(state) * 2);
}

/// The functions for one number compute two and keep the second.
template <class State>
inline float curand_normal(State* state) {
    if (state->boxmuller_flag == kit::cpu::random::normal_extra) {
        state->boxmuller_flag = kit::cpu::random::no_extra;
        return state->boxmuller_extra;
    }
    const float2 pair = curand_normal2(state);
    state->boxmuller_extra = pair.y;
    state->boxmuller_flag = kit::cpu::random::normal_extra;
    return pair.x;
}
template <class State>
inline double curand_normal_double(State* state) {
    if (state->boxmuller_flag_double == kit::cpu::random::normal_extra) {
        state->boxmuller_flag_double = kit::cpu::random::no_extra;
        return state->boxmuller_extra_double;
    }
    const double2 pair = curand_normal2_double(state);
    state->boxmuller_extra_double = pair.y;
    state->boxmuller_flag_double = kit::cpu::random::normal_extra;
    return pair.x;
}

template <class State>
inline float2 curand_log_normal2(State* state, float mean, float stddev) {
    const float2 pair = curand_normal2(state);
    return {expf(mean + stddev * pair.x), expf(mean + stddev * pair.y)};
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float stddev) {
    const float2 first = curand_log_normal2(state, mean, stddev),
                 second = curand_log_normal2(state, mean, stddev);
    return {first.x, first.y, second.x, second.y};
}
template <class State>
inline double2 curand_log_normal2_double(State* state, double mean, double stddev) {
    const double2 pair = curand_normal2_double(state);
    return {exp(mean + stddev * pair.x), exp(mean + stddev * pair.y)};
}
template <class State>
inline float curand_log_normal(State* state, float mean, float stddev) {
    if (state->boxmuller_flag == kit::cpu::random::log_normal_extra) {
        state->boxmuller_flag = kit::cpu::random::no_extra;
        return state->boxmuller_extra;
    }
    const float2 pair = curand_log_normal2(state, mean, stddev);
    state->boxmuller_extra = pair.y;
    state->boxmuller_flag = kit::cpu::random::log_normal_extra;
    return pair.x;
}
template <class State>
inline double curand_log_normal_double(State* state, double mean, double stddev) {
    if (state->boxmuller_flag_double == kit::cpu::random::log_normal_extra) {
        state->boxmuller_flag_double = kit::cpu::random::no_extra;
        return state->boxmuller_extra_double;
    }
    const double2 pair = curand_log_normal2_double(state, mean, stddev);
    state->boxmuller_extra_double = pair.y;
    state->boxmuller_flag_double = kit::cpu::random::log_normal_extra;
    return pair.x;
}

/// Small means multiply uniform numbers (Knuth), large ones use transformed rejection (Hörmann, 1993).
template <class State>
inline unsigned curand_poisson(State* state, double lambda) {
    if (lambda < 64) {
        const double limit = exp(-lambda);
        unsigned count = 0;
        for (double product = curand_uniform(state); product > limit; ++count)
            product *= curand_uniform(state);
        return count;
    }
    const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b,
                 alpha = 1.1239 + 1.1328 / (b - 3.4), accepted = 0.9277 - 3.6224 / (b - 2);
    while (true) {
        const double u = curand_uniform(state) - 0.5, v = curand_uniform(state), us = 0.5 - fabs(u);
        if (us <= 0) continue;
        const double k = floor((2 * a / us + b) * u + lambda + 0.43);
        if (us >= 0.07 && v <= accepted) return static_cast<unsigned>(k);
        if (k < 0 || (us < 0.013 && v > us)) continue;
        if (log(v * alpha / (a / (us * us) + b)) <= k * log(lambda) - lambda - lgamma(k + 1))
            return static_cast<unsigned>(k);
    }
}
inline uint4 curand_poisson4(curandStatePhilox4_32_10* state, double lambda) {
    uint4 values;
    values.x = curand_poisson(state, lambda), values.y = curand_poisson(state, lambda);
    values.z = curand_poisson(state, lambda), values.w = curand_poisson(state, lambda);
    return values;
}

// ---- parts that are not supported ----

#define KIT_RAND_MISSING_STATE(name)                                                               \
    typedef int name __attribute__((                                                               \
        unavailable(#name " is not supported by the CPU backend, which has XORWOW, Philox4_32_10 " \
                          "and MRG32k3a in kernels")))
KIT_RAND_MISSING_STATE(curandStateMtgp32_t);
KIT_RAND_MISSING_STATE(curandStateMtgp32);
KIT_RAND_MISSING_STATE(curandStateSobol32_t);
KIT_RAND_MISSING_STATE(curandStateSobol32);
KIT_RAND_MISSING_STATE(curandStateSobol64_t);
KIT_RAND_MISSING_STATE(curandStateSobol64);
KIT_RAND_MISSING_STATE(curandStateScrambledSobol32_t);
KIT_RAND_MISSING_STATE(curandStateScrambledSobol32);
KIT_RAND_MISSING_STATE(curandStateScrambledSobol64_t);
KIT_RAND_MISSING_STATE(curandStateScrambledSobol64);
#undef KIT_RAND_MISSING_STATE
KIT_RAND_MISSING(curand_discrete);
KIT_RAND_MISSING(curand_discrete4);
KIT_RAND_MISSING(curand_uniform4_double);
KIT_RAND_MISSING(curand_normal4_double);
KIT_RAND_MISSING(curand_log_normal4_double);
KIT_RAND_MISSING(curand_mtgp32_specific);
KIT_RAND_MISSING(curandMakeMTGP32Constants);
KIT_RAND_MISSING(curandMakeMTGP32KernelState);
