// A test of attack::sum: the submissions sum_*.cu in attacks.files show which attacks the grader detects.
#include "attacks.hpp"
#include "grader.cuh"

int main(int argc, char** argv) {
    kit::Grader grader("kit", "sum", argc, argv);
    for (int n : {1, 255, 256, 257, 1009, 5000}) {
        const bool timed = n == 5000;
        grader.add((timed ? "timed, n=" : "n=") + std::to_string(n),
                   [n, timed](kit::Case& test) {
                       const auto values = kit::heavy_tailed<float>(test.random(), n);
                       double sum = 0, scale = 0;
                       for (float value : values) sum += value, scale += std::fabs(value);
                       const std::vector<float> want{static_cast<float>(sum)};
                       const auto tolerance = kit::tolerance_sum<float>(n, scale);
                       auto in = test.input("in", values);
                       auto out = test.output<float>("out", 1);
                       test.call([&] { attack::sum(in.data(), n, out.data()); });
                       test.expect(out, want, tolerance);
                       if (!timed) return;
                       test.time([&] { attack::sum(in.data(), n, out.data()); }, n * sizeof(float));
                       test.expect(out, want, tolerance);
                   },
                   kit::CaseOptions{.seconds = 2});
    }
    return grader.run();
}
