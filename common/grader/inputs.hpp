// Inputs that are generated from a seed and are never constant or all zero: uniform, heavy-tailed and
// adversarial values, and sizes around the block size.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace kit {

namespace detail {

/// A sequence of random words that another process generates, because only that process knows the seed.
struct RandomWords {
    virtual ~RandomWords() = default;
    virtual std::uint64_t at(std::uint64_t i) = 0;
};

}  // namespace detail

/// A small, fast random generator (splitmix64). The generated numbers are the same on every machine.
class Random {
  public:
    explicit Random(std::uint64_t seed) : seed_(seed) {}
    explicit Random(std::shared_ptr<detail::RandomWords> words) : words_(std::move(words)) {}

    std::uint64_t next() {
        const std::uint64_t i = drawn_++;
        return words_ ? words_->at(i) : word(seed_, i);
    }

    /// Returns word i of the sequence that belongs to a seed.
    static std::uint64_t word(std::uint64_t seed, std::uint64_t i) {
        std::uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    /// Returns a number in the range [0, 1).
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    /// Returns an integer in the range [low, high], which includes both limits.
    std::int64_t integer(std::int64_t low, std::int64_t high) {
        const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + (span ? next() % span : next()));
    }

  private:
    std::uint64_t seed_ = 0, drawn_ = 0;
    std::shared_ptr<detail::RandomWords> words_;
};

/// Returns numbers that are uniformly distributed in [low, high).
template <class T>
std::vector<T> uniform(Random& random, std::size_t count, double low = -1, double high = 1) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(low + (high - low) * random.unit());
    return values;
}

/// Returns integers in the range [low, high], which includes both limits. As floats, their sums are exact
/// below 2^24.
template <class T>
std::vector<T> integers(Random& random, std::size_t count, std::int64_t low, std::int64_t high) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(random.integer(low, high));
    return values;
}

/// Returns positive and negative numbers, most of them small and some up to 10,000 times larger. Therefore, a
/// sum that omits elements does not approximate the correct sum.
template <class T>
std::vector<T> heavy_tailed(Random& random, std::size_t count) {
    static_assert(std::is_floating_point_v<T>, "for integers use kit::integers or kit::spikes");
    std::vector<T> values(count);
    for (T& value : values) {
        const double size = std::min(1 / (1e-4 + random.unit()) - 0.5, 1e4);
        value = static_cast<T>(random.next() % 2 ? size : -size);
    }
    return values;
}

/// Returns small numbers, with large ones at places where mistakes are common: the first, the last, and both
/// sides of each block edge.
template <class T>
std::vector<T> spikes(Random& random, std::size_t count, std::size_t block = 256) {
    std::vector<T> values = integers<T>(random, count, 1, 9);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t place = i % block;
        if (place == 0 || place == block - 1 || i + 1 == count) values[i] = static_cast<T>(values[i] + 100);
    }
    return values;
}

/// Returns the numbers 0 to count - 1 in random order.
template <class T>
std::vector<T> permutation(Random& random, std::size_t count) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i);
    for (std::size_t i = count; i > 1; --i) std::swap(values[i - 1], values[random.next() % i]);
    return values;
}

namespace detail {

/// The seed of this process, which the grader sets from --seed or KIT_SEED.
inline std::uint64_t session_seed = 1;

inline std::uint64_t mix(std::uint64_t seed, const std::string& name, std::uint64_t run) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    Random random(seed * 0x9e3779b97f4a7c15u ^ hash ^ (run << 56));
    return random.next();
}

}  // namespace detail

/// Returns sizes at which kernels often fail: 0, 1, around one block, around two blocks, a prime, a power of
/// two, and a large uneven size that depends on the seed.
std::vector<int> sizes(int block = 256, int largest = 60000);

}  // namespace kit
