// Grades 19_roofline/intensity: compares formulas with counts of every operation and access and, on the executor, with its counters.
// sanitizer.all: no kernel that the student writes runs
#include <cmath>

#include "19_roofline/model.hpp"

namespace {

using namespace roofline_test;
using roofline::Machine;

std::string whole(double value) {
    return std::isfinite(value) && std::fabs(value) < 1e15 ? std::to_string(std::llround(value))
                                                           : "not a count";
}

/// All three numbers are polynomials of n, of degree at most 3, if n is a multiple of kTile. Four counts therefore determine them for
/// every n. For these sizes, the numbers and their squared or cubed factors are larger than 2^32.
void expect_large(kit::Case& test, const Named& named, const char* function,
                  double (*formula)(Kernel, std::size_t), double Tally::*counted, int task) {
    double difference[4];
    for (int k = 0; k < 4; ++k)
        difference[k] = tally_of(named.kernel, static_cast<std::size_t>(k * kTile)).*counted;
    for (int order = 1; order < 4; ++order)
        for (int k = 3; k >= order; --k) difference[k] -= difference[k - 1];
    for (const std::size_t tiles : {std::size_t{256}, std::size_t{4096}, std::size_t{1} << 29}) {
        const bool matrix = named.kernel == Kernel::matmul || named.kernel == Kernel::matmul_tiled;
        if (matrix && tiles > 4096) continue;  // a double is no longer exact
        const double t = static_cast<double>(tiles);
        const double want = difference[0] + difference[1] * t + difference[2] * t * (t - 1) / 2 +
                            difference[3] * t * (t - 1) * (t - 2) / 6;
        if (want >= 9e15) continue;
        const std::size_t n = tiles * kTile;
        const double got = test.call([&] { return formula(named.kernel, n); });
        test.check(got == want, std::string(function) + "(Kernel::" + named.name + ", " + std::to_string(n) +
                                    ") is " + std::to_string(got) + ", expected " + std::to_string(want) +
                                    ": convert to double before the first product, because a product of such "
                                    "integers does not fit into 32 bits" +
                                    kit::task(task));
        if (got != want) return;
    }
}

/// Compares a student's formula with the counts, for sizes that tiles fill.
void expect_formula(kit::Case& test, const Named& named, const char* function,
                    double (*formula)(Kernel, std::size_t), double Tally::*counted, int task) {
    const bool tiled = named.kernel == Kernel::matmul_tiled;
    for (const std::size_t n : {0, 1, 2, 3, 5, 16, 33, 48}) {
        if (tiled && n % kTile != 0) continue;
        const double got = test.call([&] { return formula(named.kernel, n); });
        const double want = tally_of(named.kernel, n).*counted;
        test.check(got == want,
                   std::string(function) + "(Kernel::" + named.name + ", " + std::to_string(n) + ") is " +
                       whole(got) + ", expected " + whole(want) +
                       ": count by hand what one element costs, and how many elements there are" +
                       kit::task(task));
        if (got != want) return;
    }
    expect_large(test, named, function, formula, counted, task);
}

/// Machines with the ridge at many places. The odd factor keeps every count away from a tie, which rounding would decide.
std::vector<Machine> machines(kit::Random& random) {
    std::vector<Machine> all;
    for (const double meet : {0.05, 0.16, 0.2, 0.31, 0.45, 0.49, 0.7, 0.9, 2.4, 5.1, 7.3, 40.0}) {
        const auto gb = static_cast<double>(random.integer(100, 9000));
        all.push_back({gb, gb * meet * 1.000137});
    }
    return all;
}

std::string shown(const Machine& machine) {
    return "at " + kit::detail::to_text(machine.gb_per_s) + " GB/s and " +
           kit::detail::to_text(machine.gflop_per_s) + " GFLOP/s";
}

/// Compares the student's smallest n with counts of each n.
void expect_first(kit::Case& test, const Named& named) {
    constexpr std::size_t largest = 48;
    std::vector<Tally> tallies;
    for (std::size_t n = 0; n <= largest; ++n) tallies.push_back(tally_of(named.kernel, n));
    for (const Machine& machine : machines(test.random()))
        for (const std::size_t limit : {largest, std::size_t{5}, std::size_t{0}}) {
            std::size_t want = 0;
            for (std::size_t n = limit; n > 0; --n)
                if (tallies[n].flops * machine.gb_per_s >= tallies[n].compulsory * machine.gflop_per_s)
                    want = n;
            const std::size_t got =
                test.call([&] { return roofline::first_compute_bound(machine, named.kernel, limit); });
            const std::string why =
                want == 0
                    ? "return 0 if for each n the operations take less time than the compulsory bytes"
                    : "return the first n whose operations take as long as the compulsory bytes, or longer";
            test.check(got == want, std::string("first_compute_bound(Kernel::") + named.name + ", " +
                                        std::to_string(limit) + ") is " + std::to_string(got) +
                                        ", expected " + std::to_string(want) + ": " + why + ", " +
                                        shown(machine) + kit::task(4));
            if (got != want) return;
        }
}

/// Compares the student's tile with a search. A tile of t x t is loaded twice, 8 bytes per thread, and gives t multiply-adds.
void expect_tile(kit::Case& test) {
    for (const Machine& machine : machines(test.random())) {
        int want = 1;
        while (2 * want * machine.gb_per_s < 8 * machine.gflop_per_s) ++want;
        const int got = test.call([&] { return roofline::smallest_tile(machine); });
        test.check(got == want,
                   "smallest_tile is " + std::to_string(got) + ", expected " + std::to_string(want) +
                       ": return the smallest tile whose bytes take no longer than its operations, " +
                       shown(machine) + kit::task(5));
        if (got != want) return;
    }
}

#ifdef KIT_CPU
/// Compares the student's bytes with the executor's counts of the kernel.
void expect_counted(kit::Case& test, const Named& named, std::size_t n) {
    const bool vectors = named.kernel == Kernel::copy || named.kernel == Kernel::add_scale;
    const std::size_t elements = vectors ? n : n * n;
    auto in = test.input("in", std::vector<float>(elements, 1));
    auto b = test.input("b", std::vector<float>(elements, 1));
    auto out = test.output<float>("out", elements);
    const auto before = kit::cpu::counters();
    const double got = test.call([&] {
        roofline::run(named.kernel, in.data(), b.data(), n, out.data());
        CUDA_CHECK(cudaDeviceSynchronize());
        return roofline::asked_bytes(named.kernel, n);
    });
    const auto after = kit::cpu::counters();
    const auto counted = static_cast<double>(after.global_bytes_loaded - before.global_bytes_loaded +
                                             after.global_bytes_stored - before.global_bytes_stored);
    test.check(got == counted, std::string("asked_bytes(Kernel::") + named.name + ", " + std::to_string(n) +
                                   ") is " + whole(got) + ", but the kernel loads and stores " +
                                   whole(counted) + " bytes: count each load and each store of every thread" +
                                   kit::task(2));
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("19_roofline", "intensity", argc, argv);
    grader.host_may_compute();
    for (const Named& named : kernels)
        grader.add(std::string("flops, ") + named.name, [=](kit::Case& test) {
            expect_formula(test, named, "flops", roofline::flops, &Tally::flops, 1);
        });
    for (const Named& named : kernels)
        grader.add(std::string("asked bytes, ") + named.name, [=](kit::Case& test) {
            expect_formula(test, named, "asked_bytes", roofline::asked_bytes, &Tally::asked, 2);
        });
    for (const Named& named : kernels)
        grader.add(std::string("compulsory bytes, ") + named.name, [=](kit::Case& test) {
            expect_formula(test, named, "compulsory_bytes", roofline::compulsory_bytes, &Tally::compulsory,
                           3);
        });
    for (const Named& named : kernels)
        if (named.kernel != Kernel::matmul_tiled)
            grader.add(std::string("first compute-bound n, ") + named.name,
                       [=](kit::Case& test) { expect_first(test, named); });
    grader.add("smallest tile", expect_tile);
#ifdef KIT_CPU
    for (const Named& named : kernels)
        grader.add(std::string("counted, ") + named.name,
                   [=](kit::Case& test) { expect_counted(test, named, 32); });
#endif
    return grader.run();
}
