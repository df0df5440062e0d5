// wrong: a reference that is NaN itself (attack 1)
// diagnosis: fault: expects_nan
#include "grader.cuh"

int main(int argc, char** argv) {
    kit::Grader grader("kit", "expects_nan", argc, argv);
    grader.add("broken reference", [](kit::Case& test) {
        const std::vector<float> values{1, std::nanf("")};
        test.expect("values", values, values, kit::tolerance(1e-6, 0));
    });
    return grader.run();
}
