// Grades 19_roofline/sweep: values and bytes of a kernel with any intensity, and roofs from the times of simulated devices.
// sanitizer.case: n=
#include <algorithm>
#include <cmath>

#include "19_roofline/19_roofline.hpp"
#include "grader.cuh"

namespace {

using roofline::Machine;
using roofline::Run;

void chain(kit::Case& test, std::size_t n, int steps) {
    const auto xs = kit::uniform<float>(test.random(), n, -2, 2);
    const auto a = static_cast<float>(static_cast<double>(test.random().integer(300, 900)) / 1001.0);
    const auto b = static_cast<float>(static_cast<double>(test.random().integer(100, 900)) / 1003.0);
    std::vector<float> want(n);
    for (std::size_t i = 0; i < n; ++i) {
        double x = xs[i];
        for (int k = 0; k < steps; ++k) x = static_cast<double>(a) * x + b;
        want[i] = static_cast<float>(x);
    }
    auto in = test.input("in", xs);
    auto out = test.output<float>("out", n);
#ifdef KIT_CPU
    const auto before = kit::cpu::counters();
#endif
    test.call([&] { roofline::chain(in.data(), n, a, b, steps, out.data()); });
#ifdef KIT_CPU
    const auto after = kit::cpu::counters();
    const auto demand = [&](const char* what, std::uint64_t count) {
        test.demand(
            what, kit::at_most(count, 4 * n),
            std::to_string(count) + " " + what + " for " + kit::count_of(n, "element") + " and " +
                kit::count_of(steps, "step") + ", but at most " + std::to_string(4 * n) +
                " are needed: keep the value in a register, so that the bytes do not grow with the steps" +
                kit::task(1));
    };
    demand("bytes loaded", after.global_bytes_loaded - before.global_bytes_loaded);
    demand("bytes stored", after.global_bytes_stored - before.global_bytes_stored);
#endif
    // |x| stays below b / (1 - a) < 10, and an error shrinks by the factor a in each step.
    test.expect("out", out.values(), want, kit::tolerance(2e-5, 2e-6));
    if (n > 0 && steps > 0) test.by_kernels(kit::named_task(1));
}

void steps(kit::Case& test) {
    std::vector<double> all = {0, 0.125, 0.25, 1, 16};
    for (int k = 0; k < 30; ++k) all.push_back(static_cast<double>(test.random().integer(1, 40000)) / 1001.0);
    for (const double intensity : all) {
        int want = 0;
        while (2.0 * want < 8 * intensity) ++want;
        const int got = test.call([&] { return roofline::steps_for(intensity); });
        test.check(got == want, "steps_for(" + kit::detail::to_text(intensity) + ") is " +
                                    std::to_string(got) + ", expected " + std::to_string(want) +
                                    ": return the smallest number of steps with at least this intensity" +
                                    kit::task(2));
    }
}

/// A device and the runs of a sweep on it, in no order. Rates near 90% of the memory's best are left out.
struct Sweep {
    std::vector<Run> runs;
    Machine best = {0, 0};  ///< the best rates of all runs
    int free_steps = 0;
};

double gb_of(const Run& run) {
    return 8e-9 * static_cast<double>(run.n) / run.seconds;
}

Sweep sweep_of(kit::Random& random) {
    const auto gb = static_cast<double>(random.integer(300, 9000));
    const double gflop = gb * static_cast<double>(random.integer(40, 400)) / 10.3;
    Sweep sweep;
    for (const std::size_t n : {std::size_t{1} << 12, std::size_t{1} << 20, std::size_t{1} << 27})
        for (const int steps : {0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512}) {
            const double count = static_cast<double>(n);
            const double seconds = std::max(count * 8 / (gb * 1e9), count * 2 * steps / (gflop * 1e9));
            const double slower = 1 + static_cast<double>(random.integer(0, 40)) / 1000;
            sweep.runs.push_back({n, steps, 3e-6 + slower * seconds});
        }
    for (std::size_t i = sweep.runs.size(); i > 1; --i)
        std::swap(sweep.runs[i - 1],
                  sweep.runs[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1))]);
    for (const Run& run : sweep.runs) sweep.best.gb_per_s = std::max(sweep.best.gb_per_s, gb_of(run));
    const auto close_call = [&](const Run& run) {
        return std::fabs(gb_of(run) / sweep.best.gb_per_s - 0.9) < 0.01;
    };
    sweep.runs.erase(std::remove_if(sweep.runs.begin(), sweep.runs.end(), close_call), sweep.runs.end());
    for (const Run& run : sweep.runs)
        sweep.best.gflop_per_s = std::max(sweep.best.gflop_per_s, gb_of(run) / 8 * 2 * run.steps);
    for (const Run& run : sweep.runs)
        if (gb_of(run) > 0.9 * sweep.best.gb_per_s) sweep.free_steps = std::max(sweep.free_steps, run.steps);
    return sweep;
}

bool close(double got, double want) {
    return std::fabs(got - want) <= 1e-9 * std::fabs(want);
}

void roofs(kit::Case& test) {
    for (int k = 0; k < 20; ++k) {
        const Sweep sweep = sweep_of(test.random());
        const Machine got = test.call([&] { return roofline::roofs_of(sweep.runs); });
        const auto check = [&](const char* roof, double rate, double want, const char* unit) {
            test.check(close(rate, want), std::string("the ") + roof + " roof is " +
                                              kit::detail::to_text(rate) + " " + unit + ", expected " +
                                              kit::detail::to_text(want) +
                                              ": return the best rate of all runs" + kit::task(3));
        };
        check("memory", got.gb_per_s, sweep.best.gb_per_s, "GB/s");
        check("compute", got.gflop_per_s, sweep.best.gflop_per_s, "GFLOP/s");
    }
}

void free_steps(kit::Case& test) {
    for (int k = 0; k < 20; ++k) {
        const Sweep sweep = sweep_of(test.random());
        const int got = test.call([&] { return roofline::free_steps(sweep.runs); });
        const auto reached = [&](int steps) {
            double rate = 0;
            for (const Run& run : sweep.runs)
                if (run.steps == steps) rate = std::max(rate, gb_of(run));
            return "a run with " + kit::count_of(steps, "step") + " reaches " +
                   std::to_string(std::lround(100 * rate / sweep.best.gb_per_s)) + "%";
        };
        test.check(got == sweep.free_steps,
                   "free_steps is " + std::to_string(got) + ", expected " + std::to_string(sweep.free_steps) +
                       ": " + reached(sweep.free_steps) + " of the best rate of bytes, and " + reached(got) +
                       ". Return the largest number of steps with which a run reaches 90%" + kit::task(4));
        if (got != sweep.free_steps) return;
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("19_roofline", "sweep", argc, argv);
    grader.task(1, kit::About().demand("bytes stored").demand("bytes loaded"));
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::out_of_bounds, kit::Diagnosis::tail,
                    kit::Diagnosis::not_written});
    for (const std::size_t n : {0, 1, 255, 256, 257, 5003})
        for (const int steps : {0, 1, 7, 33})
            if (n > 1 || steps == 7)
                grader.add("chain, n=" + std::to_string(n) + ", steps=" + std::to_string(steps),
                           [=](kit::Case& test) { chain(test, n, steps); });
    grader.add("steps", steps);
    grader.add("roofs", roofs);
    grader.add("free steps", free_steps);
    return grader.run();
}
