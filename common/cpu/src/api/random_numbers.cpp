// The sequences of cuRAND's generators that fill arrays. Which part of the sequence is at which index follows NVIDIA's library (version 13):
// XORWOW, MRG32K3A, PHILOX4_32_10 and SOBOL32 give the same bits and uniform numbers, and normal numbers that differ only in their last bits.
// Poisson numbers and MT19937 have the right distribution and their own order, and a call for a different kind of numbers may continue
// elsewhere.
#include "random_numbers.hpp"

#include <curand_kernel.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace kit::cpu {
namespace {

template <class T>
void put(void* output, std::size_t index, T value) {
    static_cast<T*>(output)[index] = value;
}

double in_range(const WantedNumbers& wanted, double normal) {
    const double value = wanted.mean + wanted.deviation * normal;
    return wanted.kind == WantedNumbers::Kind::log_normal ? std::exp(value) : value;
}

void put_real(const WantedNumbers& wanted, void* output, std::size_t index, double value) {
    if (wanted.doubles)
        put(output, index, value);
    else
        put(output, index, static_cast<float>(value));
}

/// Many generators, one for each subsequence, of which each gives some numbers in turn.
template <class State>
class Interleaved : public RandomNumbers {
  public:
    /// `width`: how many numbers each generator gives in its turn.
    Interleaved(unsigned long long seed, unsigned long long offset, unsigned generators, unsigned width)
        : seed_(seed), position_(offset), width_(width), states_(generators), started_(generators) {}

    void fill(const WantedNumbers& wanted, void* output, std::size_t count) override {
        using Kind = WantedNumbers::Kind;
        const bool pairs = wanted.kind == Kind::normal || wanted.kind == Kind::log_normal;
        const unsigned width = pairs ? std::max(width_, 2u) : width_, draws = wanted.doubles ? 2 : 1;
        std::size_t done = 0;
        if (pairs || wanted.doubles) position_ = (position_ + width - 1) / width * width;
        while (done < count) {
            State& state =
                at(position_ / width, width * draws, static_cast<unsigned>(position_ % width) * draws);
            double values[4];
            unsigned made = 1;
            if (wanted.kind == Kind::bits)
                put(output, done, curand(&state));
            else if (wanted.kind == Kind::poisson)
                put(output, done, curand_poisson(&state, wanted.mean));
            else if (pairs)
                made = normal_numbers(wanted, state, values, width);
            else
                made = uniform_numbers(wanted, state, values, width);
            for (unsigned i = 0; made > 0 && i < made && done + i < count; ++i)
                if (wanted.kind != Kind::bits && wanted.kind != Kind::poisson)
                    put_real(wanted, output, done + i, pairs ? in_range(wanted, values[i]) : values[i]);
            done += made;
            position_ += made;
        }
    }

  private:
    static unsigned normal_numbers(const WantedNumbers& wanted, State& state, double (&values)[4],
                                   unsigned width) {
        for (unsigned i = 0; i < width; i += 2) {
            if (wanted.doubles) {
                const double2 pair = curand_normal2_double(&state);
                values[i] = pair.x, values[i + 1] = pair.y;
            } else {
                const float2 pair = curand_normal2(&state);
                values[i] = pair.x, values[i + 1] = pair.y;
            }
        }
        return width;
    }
    static unsigned uniform_numbers(const WantedNumbers& wanted, State& state, double (&values)[4],
                                    unsigned width) {
        if (!wanted.doubles) return values[0] = curand_uniform(&state), 1;
        if constexpr (std::is_same_v<State, curandStatePhilox4_32_10>) {
            for (unsigned i = 0; i < width; i += 2) {
                const double2 pair = curand_uniform2_double(&state);
                values[i] = pair.x, values[i + 1] = pair.y;
            }
            return width;
        } else {
            return values[0] = curand_uniform_double(&state), 1;
        }
    }

    /// Returns the generator whose turn this is. At its first turn, it starts after the draws of its earlier turns.
    State& at(unsigned long long turn, unsigned draws, unsigned within) {
        const std::size_t number = turn % states_.size();
        if (!started_[number])
            random::start(&states_[number], seed_, number, turn / states_.size() * draws + within);
        started_[number] = true;
        return states_[number];
    }

    unsigned long long seed_, position_;
    unsigned width_;
    std::vector<State> states_;
    std::vector<char> started_;
};

class Twister : public RandomNumbers {
  public:
    explicit Twister(unsigned long long seed) : engine_(static_cast<unsigned>(seed)) {}
    void fill(const WantedNumbers& wanted, void* output, std::size_t count) override {
        std::normal_distribution<double> normal;
        std::poisson_distribution<unsigned> poisson(wanted.kind == WantedNumbers::Kind::poisson ? wanted.mean
                                                                                                : 1);
        for (std::size_t i = 0; i < count; ++i) {
            if (wanted.kind == WantedNumbers::Kind::bits)
                put(output, i, static_cast<unsigned>(engine_()));
            else if (wanted.kind == WantedNumbers::Kind::poisson)
                put(output, i, poisson(engine_));
            else if (wanted.kind == WantedNumbers::Kind::uniform)
                put_real(wanted, output, i, random::fraction(static_cast<unsigned>(engine_())));
            else
                put_real(wanted, output, i, in_range(wanted, normal(engine_)));
        }
    }

  private:
    std::mt19937 engine_;
};

/// The polynomials and first numbers of Joe and Kuo (2008), starting at the second dimension.
struct Polynomial {
    unsigned degree, coefficients, first[7];
};
constexpr Polynomial polynomials[] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
};

std::array<std::uint32_t, 32> directions(unsigned dimension) {
    std::array<std::uint32_t, 32> v{};
    for (unsigned i = 0; i < 32; ++i) {
        if (dimension == 0) {
            v[i] = 1u << (31 - i);
            continue;
        }
        const Polynomial& of = polynomials[dimension - 1];
        if (i < of.degree) {
            v[i] = of.first[i] << (31 - i);
            continue;
        }
        v[i] = v[i - of.degree] ^ v[i - of.degree] >> of.degree;
        for (unsigned j = 1; j < of.degree; ++j)
            if (of.coefficients >> (of.degree - 1 - j) & 1) v[i] ^= v[i - j];
    }
    return v;
}

/// The numbers of each dimension are adjacent.
class Sobol : public RandomNumbers {
  public:
    Sobol(unsigned dimensions, unsigned long long offset) : dimensions_(dimensions), position_(offset) {}
    void fill(const WantedNumbers& wanted, void* output, std::size_t count) override {
        const std::size_t points = count / dimensions_;
        for (unsigned dimension = 0; dimension < dimensions_; ++dimension) {
            const auto v = directions(dimension);
            for (std::size_t i = 0; i < points; ++i) {
                const std::uint64_t number = position_ + i, gray = number ^ number >> 1;
                std::uint32_t bits = 0;
                for (unsigned bit = 0; bit < 32; ++bit)
                    if (gray >> bit & 1) bits ^= v[bit];
                put_one(wanted, output, dimension * points + i, bits);
            }
        }
        position_ += points;
    }

  private:
    static void put_one(const WantedNumbers& wanted, void* output, std::size_t index, std::uint32_t bits) {
        constexpr double step = 2.3283064365386963e-10;
        const double uniform = wanted.doubles ? bits * step + step : double{random::fraction(bits)};
        if (wanted.kind == WantedNumbers::Kind::bits)
            put(output, index, bits);
        else if (wanted.kind == WantedNumbers::Kind::uniform)
            put_real(wanted, output, index, uniform);
        else if (wanted.kind == WantedNumbers::Kind::poisson)
            put(output, index, poisson(uniform, wanted.mean));
        else
            put_real(wanted, output, index, in_range(wanted, normcdfinv(uniform)));
    }
    /// Returns the smallest number whose cumulative probability reaches `uniform`.
    static unsigned poisson(double uniform, double mean) {
        double sum = 0;
        for (unsigned k = 0;; ++k) {
            sum += std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
            if (sum >= uniform || k > mean + 40 * (std::sqrt(mean) + 1)) return k;
        }
    }

    unsigned dimensions_;
    std::uint64_t position_;
};

}  // namespace

unsigned most_random_dimensions() {
    return 1 + static_cast<unsigned>(std::size(polynomials));
}

std::shared_ptr<RandomNumbers> random_numbers(curandRngType type, unsigned long long seed,
                                              unsigned long long offset, unsigned dimensions) {
    constexpr unsigned of_xorwow = 4096, of_mrg = 81920, of_philox = 65536;
    switch (type) {
        case CURAND_RNG_PSEUDO_MRG32K3A:
            return std::make_shared<Interleaved<curandStateMRG32k3a>>(seed, offset, of_mrg, 1);
        case CURAND_RNG_PSEUDO_PHILOX4_32_10:
            return std::make_shared<Interleaved<curandStatePhilox4_32_10>>(seed, offset, of_philox, 4);
        case CURAND_RNG_PSEUDO_MT19937:
            return std::make_shared<Twister>(seed);
        case CURAND_RNG_QUASI_DEFAULT:
        case CURAND_RNG_QUASI_SOBOL32:
            return std::make_shared<Sobol>(dimensions, offset);
        default:
            return std::make_shared<Interleaved<curandStateXORWOW>>(seed, offset, of_xorwow, 1);
    }
}

}  // namespace kit::cpu
