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
        test.check(
            got == want,
            std::string(function) + "(Kernel::" + named.name + ", " + std::to_string(n) + ") is " +
                std::to_string(got) + ", expected " + std::to_string(want) +
                ": compute with 64 bits or double, because a product of integers does not fit into 32 bits" +
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
        test.check(got == want, std::string(function) + "(Kernel::" + named.name + ", " + std::to_string(n) +
                                    ") is " + whole(got) + ", expected " + whole(want) +
                                    ": check how you compute it" + kit::task(task));
        if (got != want) return;
    }
    expect_large(test, named, function, formula, counted, task);
}

bool close(double got, double want) {
    return std::fabs(got - want) <= 1e-9 * std::fabs(want);
}

void expect_roof(kit::Case& test) {
    for (int k = 0; k < 50; ++k) {
        const Machine machine = {static_cast<double>(test.random().integer(100, 9000)),
                                 static_cast<double>(test.random().integer(1000, 90000))};
        const double meet = test.call([&] { return roofline::ridge(machine); });
        const std::string device =
            whole(machine.gb_per_s) + " GB/s and " + whole(machine.gflop_per_s) + " GFLOP/s";
        test.check(close(meet * machine.gb_per_s, machine.gflop_per_s),
                   "ridge is " + std::to_string(meet) + " for " + device +
                       ": return the operations per byte at which the bytes take as long as the operations" +
                       kit::task(4));
        for (const double share : {0.0, 0.01, 0.3, 0.99, 1.0, 1.01, 4.0, 100.0}) {
            const double intensity = share * machine.gflop_per_s / machine.gb_per_s;
            const double got = test.call([&] { return roofline::attainable(machine, intensity); });
            const double want = share < 1 ? share * machine.gflop_per_s : machine.gflop_per_s;
            test.check(close(got, want), "attainable is " + std::to_string(got) + ", expected " +
                                             std::to_string(want) + " GFLOP/s, for " +
                                             std::to_string(intensity) + " operations per byte, " + device +
                                             ": take the lower roof" + kit::task(5));
        }
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
                                   ") is " + whole(got) + ", but the kernel requested " + whole(counted) +
                                   ": count every load and store" + kit::task(2));
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
    grader.add("roofs", expect_roof);
#ifdef KIT_CPU
    for (const Named& named : kernels)
        grader.add(std::string("counted, ") + named.name,
                   [=](kit::Case& test) { expect_counted(test, named, 32); });
#endif
    return grader.run();
}
