// Generators of cuRAND that fill arrays. Which part of the sequence is at which index follows NVIDIA's library (version 13): XORWOW, MRG32K3A,
// PHILOX4_32_10 and SOBOL32 give the same bits and uniform numbers, and normal numbers that differ only in their last bits. Poisson numbers
// and MT19937 have the right distribution and their own order, and a call for a different kind of numbers may continue elsewhere.
#include <curand.h>
#include <curand_kernel.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "api.hpp"
#include "device/devices.hpp"
#include "graphs/capture.hpp"
#include "memory/copies.hpp"
#include "memory/memory.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

/// The numbers of one call.
struct WantedNumbers {
    enum class Kind { bits, uniform, normal, log_normal, poisson } kind;
    bool doubles;
    double mean,
        deviation;  ///< those of a normal distribution; for a Poisson distribution, only the mean counts
};

class RandomNumbers {
  public:
    virtual ~RandomNumbers() = default;
    virtual void fill(const WantedNumbers& wanted, void* output, std::size_t count) = 0;
};

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
constexpr unsigned most_dimensions = 1 + static_cast<unsigned>(std::size(polynomials));

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
}  // namespace kit::cpu

struct curandGenerator_st {
    curandRngType type;
    bool on_host;
    cudaStream_t stream = nullptr;
    unsigned long long seed = 0, offset = 0;
    unsigned dimensions = 1;
    std::shared_ptr<kit::cpu::RandomNumbers> numbers{};  ///< null until the next call that generates
};

namespace kit::cpu {
namespace {

auto& generators = *new std::map<curandGenerator_t, std::unique_ptr<curandGenerator_st>>;

bool is_quasi(curandRngType type) {
    return type >= CURAND_RNG_QUASI_DEFAULT;
}

std::shared_ptr<RandomNumbers> numbers_of(const curandGenerator_st& of) {
    constexpr unsigned of_xorwow = 4096, of_mrg = 81920, of_philox = 65536;
    switch (of.type) {
        case CURAND_RNG_PSEUDO_MRG32K3A:
            return std::make_shared<Interleaved<curandStateMRG32k3a>>(of.seed, of.offset, of_mrg, 1);
        case CURAND_RNG_PSEUDO_PHILOX4_32_10:
            return std::make_shared<Interleaved<curandStatePhilox4_32_10>>(of.seed, of.offset, of_philox, 4);
        case CURAND_RNG_PSEUDO_MT19937:
            return std::make_shared<Twister>(of.seed);
        case CURAND_RNG_QUASI_DEFAULT:
        case CURAND_RNG_QUASI_SOBOL32:
            return std::make_shared<Sobol>(of.dimensions, of.offset);
        default:
            return std::make_shared<Interleaved<curandStateXORWOW>>(of.seed, of.offset, of_xorwow, 1);
    }
}

curandStatus_t create(curandGenerator_t* generator, curandRngType type, bool on_host) {
    if (in_kernel()) refuse_in_kernel();
    const std::lock_guard lock(api_mutex());
    static constexpr int types[] = {100, 101, 121, 142, 161, 200, 201};
    if (std::find(std::begin(types), std::end(types), static_cast<int>(type)) == std::end(types))
        return CURAND_STATUS_TYPE_ERROR;
    runtime_used = true;
    auto made = std::make_unique<curandGenerator_st>(curandGenerator_st{type, on_host});
    *generator = made.get();
    generators[made.get()] = std::move(made);
    return CURAND_STATUS_SUCCESS;
}

/// Runs the body with an existing generator. If the body changes a setting, the sequence starts again.
template <class Body>
curandStatus_t change(curandGenerator_t generator, Body body) {
    if (in_kernel()) refuse_in_kernel();
    const std::lock_guard lock(api_mutex());
    const auto found = generators.find(generator);
    return found == generators.end() ? CURAND_STATUS_NOT_INITIALIZED : body(*found->second);
}

/// Checks the output of a generator on the device and fills it, when the call's turn has come.
cudaError_t fill_on_device(const char* function, Place place, RandomNumbers& numbers,
                           const WantedNumbers& wanted, void* output, std::size_t count, std::size_t bytes) {
    const CopyEnd end{function, true, bytes, place};
    const Allocation* const allocation = find_allocation(output);
    cudaError_t error = check_range(end, output, allocation);
    if (error == cudaSuccess && !allocation) {
        add_finding(wrong_end(facts::Rule::operand_of_host, end));
        error = cudaErrorIllegalAddress;
    }
    if (error != cudaSuccess) return cudaErrorIllegalAddress;
    observer().touches({function, place, output, bytes, bytes, 1, true});
    const DeviceAccess memory_is_open;
    numbers.fill(wanted, output, count);
    observer().written(static_cast<const char*>(output), bytes);
    return cudaSuccess;
}

curandStatus_t fill_on_host(const char* function, Place place, RandomNumbers& numbers,
                            const WantedNumbers& wanted, void* output, std::size_t count, std::size_t bytes) {
    const Allocation* const allocation = find_allocation(output);
    if (is_device(allocation)) {
        add_finding(finding(facts::Rule::touched_by_host, Spot(place)).on(place_near(output)));
        return CURAND_STATUS_INTERNAL_ERROR;
    }
    if (check_host_range({function, true, bytes, place}, output) != cudaSuccess)
        return CURAND_STATUS_INTERNAL_ERROR;
    numbers.fill(wanted, output, count);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t generate(curandGenerator_t generator, const char* function, Place place,
                        const WantedNumbers& wanted, void* output, std::size_t count) {
    return change(generator, [&](curandGenerator_st& own) {
        const bool normal =
            wanted.kind == WantedNumbers::Kind::normal || wanted.kind == WantedNumbers::Kind::log_normal;
        if (is_quasi(own.type) ? count % own.dimensions != 0 : normal && count % 2 != 0)
            return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
        if (wanted.kind == WantedNumbers::Kind::poisson && !(wanted.mean > 0))
            return CURAND_STATUS_OUT_OF_RANGE;
        if (!own.numbers) own.numbers = numbers_of(own);
        if (count == 0) return CURAND_STATUS_SUCCESS;
        const std::size_t bytes = count * (wanted.doubles ? sizeof(double) : sizeof(float));
        if (own.on_host) return fill_on_host(function, place, *own.numbers, wanted, output, count, bytes);
        if (in_host_function() || sticky_error() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
        thread_uses_device();
        CUstream_st* const stream = find_stream(own.stream);
        if (!stream) return CURAND_STATUS_LAUNCH_FAILURE;
        const auto run = [=, numbers = own.numbers] {
            return fill_on_device(function, place, *numbers, wanted, output, count, bytes);
        };
        if (!concerns_capture(*stream)) {
            enqueue(*stream, {WorkKind::kernel, function, place}, run);
            return CURAND_STATUS_SUCCESS;
        }
        const auto part = [run] { return Part{[] { return cudaSuccess; }, run, {}}; };
        return capture_task(*stream, function, place, MeetingTask{function, part}) == cudaSuccess
                   ? CURAND_STATUS_SUCCESS
                   : CURAND_STATUS_LAUNCH_FAILURE;
    });
}

}  // namespace
}  // namespace kit::cpu

using namespace kit::cpu;
using WantedKind = WantedNumbers::Kind;

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    return change(generator, [&](curandGenerator_st&) {
        generators.erase(generator);
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandGetVersion(int* version) {
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
    *value = type == MAJOR_VERSION   ? CURAND_VER_MAJOR
             : type == MINOR_VERSION ? CURAND_VER_MINOR
                                     : CURAND_VER_PATCH;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    return change(generator, [&](curandGenerator_st& own) {
        own.stream = stream;
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    return change(generator, [&](curandGenerator_st& own) {
        if (is_quasi(own.type)) return CURAND_STATUS_TYPE_ERROR;
        own.seed = seed;
        own.numbers.reset();
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    return change(generator, [&](curandGenerator_st& own) {
        if (own.type == CURAND_RNG_PSEUDO_MT19937) return CURAND_STATUS_TYPE_ERROR;
        own.offset = offset;
        own.numbers.reset();
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    return change(generator, [&](curandGenerator_st& own) {
        return is_quasi(own.type) == (order == CURAND_ORDERING_QUASI_DEFAULT) ? CURAND_STATUS_SUCCESS
                                                                              : CURAND_STATUS_OUT_OF_RANGE;
    });
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned dimensions) {
    return change(generator, [&](curandGenerator_st& own) {
        if (!is_quasi(own.type)) return CURAND_STATUS_TYPE_ERROR;
        if (dimensions < 1 || dimensions > most_dimensions) return CURAND_STATUS_OUT_OF_RANGE;
        own.dimensions = dimensions;
        own.numbers.reset();
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return change(generator, [](curandGenerator_st&) { return CURAND_STATUS_SUCCESS; });
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* output, size_t count) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::bits, false, 0, 0}, output, count);
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t count) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::uniform, false, 0, 0}, output, count);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output, size_t count) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::uniform, true, 0, 0}, output, count);
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t count, float mean,
                                    float stddev) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::normal, false, mean, stddev}, output,
                    count);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                          double mean, double stddev) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::normal, true, mean, stddev}, output, count);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t count, float mean,
                                       float stddev) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::log_normal, false, mean, stddev}, output,
                    count);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                             double mean, double stddev) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::log_normal, true, mean, stddev}, output,
                    count);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* output, size_t count,
                                     double lambda) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::poisson, false, lambda, 0}, output, count);
}
