// What the tests of topic 11 share: rings of random values, their window sums, and what was copied asynchronously.
#pragma once

#include <string>
#include <vector>

#include "11_async_copy/11_async_copy.hpp"
#include "grader.cuh"

namespace staging_test {

using Values = std::vector<unsigned int>;

inline Values make(kit::Random& random, std::size_t n) {
    return kit::integers<unsigned int>(random, n, 1, 1u << 30);
}

/// The sums from running sums over the ring: no window is gone through element by element.
inline Values window_sums(const Values& in, int window) {
    Values out(in.size());
    for (std::size_t first = 0; first < in.size(); first += staging::kTile) {
        const std::size_t count = std::min<std::size_t>(in.size() - first, staging::kTile);
        Values before(count + 1);
        for (std::size_t i = 0; i < count; ++i) before[i + 1] = before[i] + in[first + i];
        const auto whole = static_cast<unsigned int>(window / count);
        const std::size_t rest = window % count;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t end = i + rest;
            const unsigned int part =
                end <= count ? before[end] - before[i] : before[count] - before[i] + before[end - count];
            out[first + i] = whole * before[count] + part;
        }
    }
    return out;
}

/// With the weights of the contract: element by element, modulo 2^32.
inline Values weighted_sums(const Values& in, int window) {
    Values out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::size_t first = i / staging::kTile * staging::kTile;
        const std::size_t count = std::min<std::size_t>(in.size() - first, staging::kTile);
        for (int k = 0; k < window; ++k) out[i] += staging::weight(k) * in[first + (i - first + k) % count];
    }
    return out;
}

/// The input is all copied, asynchronously, once.
inline void demand_async(kit::Case& test, std::size_t n) {
#ifdef KIT_CPU
    const auto bytes = kit::cpu::counters().async_bytes;
    test.demand("asynchronous", bytes == n * sizeof(unsigned int),
                std::to_string(bytes) + " bytes were copied asynchronously, and `in` has " +
                    std::to_string(n * sizeof(unsigned int)) + ": each is to be copied so, once");
#else
    (void)test, (void)n;
#endif
}
inline void reset_counts() {
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
}

template <class Function>
void judge(kit::Case& test, std::size_t n, Values (*expected)(const Values&, int), int window,
           Function function) {
    const Values values = make(test.random(), n);
    auto in = test.input("in", values);
    auto out = test.output<unsigned int>("out", n);
    reset_counts();
    test.call([&] { function(in.data(), n, out.data(), window); });
    demand_async(test, n);
    test.expect(out, expected(values, window));
}

}  // namespace staging_test
