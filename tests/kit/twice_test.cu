// A test of attack::twice: the submissions twice_*.cu in attacks.files show which attacks the grader detects.
#include "attacks.hpp"
#include "grader.cuh"

int main(int argc, char** argv) {
    kit::Grader grader("kit", "twice", argc, argv);
    grader.task(1, {kit::Diagnosis::out_of_bounds});
    for (int n : {1, 255, 256, 257, 1009}) {
        grader.add(
            "n=" + std::to_string(n),
            [n](kit::Case& test) {
                const auto values = kit::uniform<float>(test.random(), n, 1, 2);
                std::vector<float> want;
                for (float value : values) want.push_back(2 * value);
                auto in = test.input("in", values);
                auto out = test.output<float>("out", n);
                test.call([&] { attack::twice(in.data(), n, out.data()); });
                test.expect(out, want, kit::tolerance(0, 1e-6));
            },
            kit::CaseOptions{.seconds = 2});
    }
    return grader.run();
}
