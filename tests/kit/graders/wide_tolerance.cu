// wrong: a tolerance so wide that zeros would pass (attack 4)
// diagnosis: fault: zeros_would_pass
#include "grader.cuh"

int main(int argc, char** argv) {
    kit::Grader grader("kit", "wide_tolerance", argc, argv);
    grader.add("small values", [](kit::Case& test) {
        const std::vector<float> values{1e-7f, -2e-7f, 0};
        test.expect("values", values, values, kit::tolerance(1e-6, 0));
    });
    return grader.run();
}
