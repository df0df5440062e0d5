// Grades 19_roofline/remedy: what limits samples and what helps, then the values and the bytes of one remedy.
// sanitizer.case: n=
#include <algorithm>
#include <cmath>
#include <cstring>

#include "19_roofline/19_roofline.hpp"
#include "grader.cuh"

namespace {

using roofline::Device;
using roofline::Remedy;
using roofline::Sample;
using roofline::Times;

/// A sample that keeps the parts of a device busy for these fractions of its time.
struct Made {
    Device device;
    Sample sample;
    double of_memory, of_compute, of_shared;
    double filled;  ///< bytes in flight as a fraction of those that keep memory busy

    double busiest() const { return std::max({of_memory, of_compute, of_shared}); }
    Remedy remedy() const {
        if (busiest() < 0.7) return filled < 0.7 ? Remedy::more_in_flight : Remedy::fewer_waits;
        if (busiest() == of_memory) return Remedy::fewer_bytes;
        return busiest() == of_compute ? Remedy::fewer_operations : Remedy::registers;
    }
    std::string in_words() const {
        const auto percent = [](double part) { return kit::detail::to_text(100 * part) + "%"; };
        return "memory is busy for " + percent(of_memory) + " of the time, the units for " +
               percent(of_compute) + " and shared memory for " + percent(of_shared);
    }
};

std::vector<Made> samples(kit::Random& random) {
    std::vector<Made> all;
    for (const double of_memory : {0.01, 0.4, 0.66, 0.74, 0.97})
        for (const double of_compute : {0.02, 0.43, 0.67, 0.73, 0.95})
            for (const double of_shared : {0.0, 0.5, 0.85})
                for (const double filled : {std::max(of_memory, 0.3), 1.5}) {
                    if (filled > 0.69 && filled < 1.1) continue;  // the contract excludes these
                    const auto gb = static_cast<double>(random.integer(100, 9000));
                    const auto gflop = static_cast<double>(random.integer(1000, 90000));
                    const auto shared_gb = static_cast<double>(random.integer(5000, 60000));
                    const auto latency_ns = static_cast<double>(random.integer(300, 900));
                    const double seconds = static_cast<double>(random.integer(1, 5000)) * 1e-6;
                    const double giga = 1e9 * seconds;
                    const Sample sample = {of_compute * gflop * giga, of_memory * gb * giga,
                                           of_shared * shared_gb * giga, filled * gb * latency_ns, seconds};
                    const Device device = {{gb, gflop}, shared_gb, latency_ns};
                    all.push_back({device, sample, of_memory, of_compute, of_shared, filled});
                }
    return all;
}

const char* name(Remedy remedy) {
    switch (remedy) {
        case Remedy::fewer_bytes:
            return "fewer_bytes";
        case Remedy::fewer_operations:
            return "fewer_operations";
        case Remedy::registers:
            return "registers";
        case Remedy::more_in_flight:
            return "more_in_flight";
        case Remedy::fewer_waits:
            return "fewer_waits";
    }
    return "no remedy";
}

bool close(double got, double want) {
    return std::fabs(got - want) <= 1e-9 * std::fabs(want);
}

void times(kit::Case& test) {
    for (const Made& made : samples(test.random())) {
        const Times got = test.call([&] { return roofline::at_peak(made.device, made.sample); });
        const auto check = [&](const char* what, double seconds, double share) {
            const double want = share * made.sample.seconds;
            test.check(close(seconds, want),
                       std::string("the time of ") + what + " is " + kit::detail::to_text(seconds) +
                           " s, expected " + kit::detail::to_text(want) +
                           " s: divide this work of the sample by the rate of the device" + kit::task(1));
        };
        check("the bytes of memory", got.memory, made.of_memory);
        check("the operations", got.compute, made.of_compute);
        check("the bytes of shared memory", got.shared, made.of_shared);
    }
}

void headrooms(kit::Case& test) {
    for (const Made& made : samples(test.random())) {
        const double got = test.call([&] { return roofline::headroom(made.device, made.sample); });
        test.check(close(got, 1 / made.busiest()),
                   "headroom is " + kit::detail::to_text(got) + ", expected " +
                       kit::detail::to_text(1 / made.busiest()) +
                       ": divide the measured time by the longest of the three, because " + made.in_words() +
                       kit::task(2));
    }
}

void remedies(kit::Case& test) {
    for (const Made& made : samples(test.random())) {
        const Remedy got = test.call([&] { return roofline::remedy(made.device, made.sample); });
        test.check(got == made.remedy(),
                   std::string("remedy is ") + name(got) + ", expected " + name(made.remedy()) +
                       ": compare the three times with the measured one, because " + made.in_words() +
                       ", and the loads in flight can keep memory busy for " +
                       kit::detail::to_text(100 * std::min(made.filled, 1.0)) + "%" + kit::task(3));
    }
}

void cuts(kit::Case& test) {
    for (const Made& made : samples(test.random())) {
        const double got = test.call([&] { return roofline::useful_cut(made.device, made.sample); });
        const double others = std::max(made.of_compute, made.of_shared);
        const double want = made.of_memory > others ? made.of_memory / others : 1;
        test.check(close(got, want),
                   "useful_cut is " + kit::detail::to_text(got) + ", expected " + kit::detail::to_text(want) +
                       ": reduce the bytes only until a different limit is as long, because " +
                       made.in_words() + kit::task(4));
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
                kit::count_of(stored, "byte", "are") + " stored for " + std::to_string(n) +
                    " halves of 2 bytes: let only one thread store each element");
    const auto demand = [&](const char* what, std::uint64_t count, std::size_t limit, const kit::Said& why) {
        test.demand(what, kit::at_most(count, limit),
                    std::to_string(count) + " " + what + " for " + kit::count_of(n, "element") +
                        ", but at most " + std::to_string(limit) + " are needed: " + why);
    };
    demand("bytes loaded", after.global_bytes_loaded - before.global_bytes_loaded, 4 * n,
           "load each element of x and y once");
    demand("loads", after.global_loads - before.global_loads, n + 2,
           "load two halves at a time, as a __half2" + kit::task(5));
#endif
    std::vector<float> got;
    for (const std::uint16_t bits : out.values()) got.push_back(static_cast<float>(value_of(bits)));
    // The result is rounded once, to 11 bits; the float operations before that have 24 bits.
    const double largest = 2.0 * 4 + 4;
    test.expect("out", got, want, kit::tolerance(std::ldexp(largest, -20), std::ldexp(1, -11)));
    if (n > 0) test.by_kernels(kit::named_task(5));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("19_roofline", "remedy", argc, argv);
    for (const int task : {5, 6})
        grader.task(task, kit::About().demand("bytes stored").demand("bytes loaded"));
    grader.task(5, {kit::Diagnosis::wrong_value, kit::Diagnosis::out_of_bounds});
    grader.task(6, {kit::Diagnosis::tail, kit::Diagnosis::not_written});
    grader.add("times", times);
    grader.add("headroom", headrooms);
    grader.add("remedies", remedies);
    grader.add("useful cut", cuts);
    for (const std::size_t n : {0, 1, 2, 3, 511, 512, 513, 1000, 5003})
        grader.add("halves, n=" + std::to_string(n), [n](kit::Case& test) { add_scale(test, n); });
    return grader.run();
}
