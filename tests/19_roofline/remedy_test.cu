// Grades 19_roofline/remedy: the place of samples and their remedy, then the values and the bytes of the remedy.
// sanitizer.case: n=
#include <cmath>
#include <cstring>

#include "19_roofline/19_roofline.hpp"
#include "grader.cuh"

namespace {

using roofline::Machine;
using roofline::Place;
using roofline::Remedy;
using roofline::Sample;

/// Returns a sample that reaches these fractions of the roofs.
struct Made {
    Machine machine;
    Sample sample;
    double of_memory, of_compute;

    Place place() const {
        if (of_memory < 0.7 && of_compute < 0.7) return Place::below_both;
        return of_memory > of_compute ? Place::memory_roof : Place::compute_roof;
    }
    std::string in_words() const {
        return kit::detail::to_text(100 * of_memory) + "% of the memory roof and " +
               kit::detail::to_text(100 * of_compute) + "% of the compute roof";
    }
};

std::vector<Made> samples(kit::Random& random) {
    std::vector<Made> all;
    for (const double of_memory : {0.01, 0.4, 0.66, 0.74, 0.97})
        for (const double of_compute : {0.0, 0.02, 0.43, 0.67, 0.73, 0.95}) {
            const auto gb = static_cast<double>(random.integer(100, 9000));
            const auto gflop = static_cast<double>(random.integer(1000, 90000));
            const double seconds = static_cast<double>(random.integer(1, 5000)) * 1e-6;
            const Sample sample = {of_compute * gflop * 1e9 * seconds, of_memory * gb * 1e9 * seconds,
                                   seconds};
            all.push_back({{gb, gflop}, sample, of_memory, of_compute});
        }
    all.push_back({{1000, 1000}, {0, 7e11, 1}, 0.7, 0});  // exactly at the limit
    all.push_back({{1000, 1000}, {7e11, 0, 1}, 0, 0.7});
    return all;
}

const char* name(Place place) {
    return place == Place::memory_roof    ? "memory_roof"
           : place == Place::compute_roof ? "compute_roof"
                                          : "below_both";
}
const char* name(Remedy remedy) {
    return remedy == Remedy::fewer_bytes        ? "fewer_bytes"
           : remedy == Remedy::fewer_operations ? "fewer_operations"
                                                : "more_in_flight";
}

void places(kit::Case& test) {
    for (const Made& made : samples(test.random())) {
        const Place got = test.call([&] { return roofline::place(made.machine, made.sample); });
        test.check(got == made.place(), std::string("place is ") + name(got) + ", expected " +
                                            name(made.place()) + ": " + made.in_words() + kit::task(1));
    }
}

void remedies(kit::Case& test) {
    for (const Made& made : samples(test.random())) {
        const Remedy got = test.call([&] { return roofline::remedy(made.machine, made.sample); });
        const Place place = made.place();
        const Remedy want = place == Place::memory_roof    ? Remedy::fewer_bytes
                            : place == Place::compute_roof ? Remedy::fewer_operations
                                                           : Remedy::more_in_flight;
        test.check(got == want, std::string("remedy is ") + name(got) + ", expected " + name(want) + ": " +
                                    made.in_words() + kit::task(2));
    }
}

void headrooms(kit::Case& test) {
    for (const Made& made : samples(test.random())) {
        const double got = test.call([&] { return roofline::headroom(made.machine, made.sample); });
        const double reached = made.of_memory > made.of_compute ? made.of_memory : made.of_compute;
        test.check(std::fabs(got * reached - 1) < 1e-9,
                   "headroom is " + kit::detail::to_text(got) + ", expected " +
                       kit::detail::to_text(1 / reached) + ": " + made.in_words() + kit::task(3));
    }
}

/// Computes the value of a half from its bits: sign, 5 bits of exponent, 10 bits of fraction.
double value_of(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
    if (exponent == 31) return fraction ? std::nan("") : HUGE_VAL;
    const double size = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
    return bits & 0x8000 ? -size : size;
}

/// Returns halves from 1/8 to just below 4, of both signs.
std::vector<std::uint16_t> halves(kit::Random& random, std::size_t n) {
    std::vector<std::uint16_t> all(n);
    for (std::uint16_t& bits : all) {
        const std::int64_t exponent = random.integer(12, 16), fraction = random.integer(0, 1023);
        bits = static_cast<std::uint16_t>(random.integer(0, 1) << 15 | exponent << 10 | fraction);
    }
    return all;
}

void add_scale(kit::Case& test, std::size_t n) {
    const auto xs = halves(test.random(), n), ys = halves(test.random(), n);
    const auto a = static_cast<float>(1.0 + static_cast<double>(test.random().integer(100, 900)) / 1001.0);
    std::vector<float> want(n);
    for (std::size_t i = 0; i < n; ++i)
        want[i] = static_cast<float>(static_cast<double>(a) * value_of(xs[i]) + value_of(ys[i]));
    auto x = test.input("x", xs), y = test.input("y", ys);
    auto out = test.output<std::uint16_t>("out", n);
#ifdef KIT_CPU
    const auto before = kit::cpu::counters();
#endif
    test.call([&] {
        roofline::add_scale_halves(reinterpret_cast<const __half*>(x.data()),
                                   reinterpret_cast<const __half*>(y.data()), n, a,
                                   reinterpret_cast<__half*>(out.data()));
    });
#ifdef KIT_CPU
    const auto after = kit::cpu::counters();
    const std::uint64_t stored = after.global_bytes_stored - before.global_bytes_stored;
    test.demand("bytes stored", kit::at_most(stored, 2 * n),
                std::to_string(stored) + " bytes are stored for " + std::to_string(n) +
                    " halves of 2 bytes: " + "several threads store the same element");
    const auto demand = [&](const char* what, std::uint64_t count, std::size_t limit, const kit::Said& why) {
        test.demand(what, kit::at_most(count, limit),
                    std::to_string(count) + " " + what + " for " + std::to_string(n) + " elements, at most " +
                        std::to_string(limit) + " are needed: " + why);
    };
    demand("bytes loaded", after.global_bytes_loaded - before.global_bytes_loaded, 4 * n,
           "each element of x and y is loaded once");
    demand("loads", after.global_loads - before.global_loads, n + 2,
           "a load takes two halves together" + kit::task(4));
#endif
    std::vector<float> got;
    for (const std::uint16_t bits : out.values()) got.push_back(static_cast<float>(value_of(bits)));
    // The result is rounded once, to 11 bits; the float operations before that have 24 bits.
    const double largest = 2.0 * 4 + 4;
    test.expect("out", got, want, kit::tolerance(std::ldexp(largest, -20), std::ldexp(1, -11)));
    if (n > 0) test.by_kernels(kit::named_task(4));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("19_roofline", "remedy", argc, argv);
    for (const int task : {4, 5})
        grader.task(task, kit::About().demand("bytes stored").demand("bytes loaded"));
    grader.task(4, {kit::Diagnosis::wrong_value, kit::Diagnosis::out_of_bounds});
    grader.task(5, {kit::Diagnosis::tail, kit::Diagnosis::not_written});
    grader.add("places", places);
    grader.add("remedies", remedies);
    grader.add("headroom", headrooms);
    for (const std::size_t n : {0, 1, 2, 3, 511, 512, 513, 1000, 5003})
        grader.add("halves, n=" + std::to_string(n), [n](kit::Case& test) { add_scale(test, n); });
    return grader.run();
}
