// The sequences of random numbers of cuRAND's generators that fill arrays.
#pragma once

#include <curand.h>

#include <cstddef>
#include <memory>

namespace kit::cpu {

/// The numbers of one call.
struct WantedNumbers {
    enum class Kind { bits, uniform, normal, log_normal, poisson } kind;
    bool doubles;
    double mean,
        deviation;  ///< those of a normal distribution; for a Poisson distribution, only the mean counts
};

/// A sequence that continues with each call.
class RandomNumbers {
  public:
    virtual ~RandomNumbers() = default;
    virtual void fill(const WantedNumbers& wanted, void* output, std::size_t count) = 0;
};

/// The largest number of dimensions of quasi-random numbers.
unsigned most_random_dimensions();

/// Returns the numbers of a generator. `offset` numbers of the sequence are skipped; `dimensions` counts for quasi-random numbers.
std::shared_ptr<RandomNumbers> random_numbers(curandRngType type, unsigned long long seed,
                                              unsigned long long offset, unsigned dimensions);

}  // namespace kit::cpu
