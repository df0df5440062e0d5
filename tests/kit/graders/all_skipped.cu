// A test whose cases cannot run here: skipped, never passed (attack 28).
#include "grader.cuh"

int main(int argc, char** argv) {
    kit::Grader grader("kit", "all_skipped", argc, argv);
    grader.add("needs two GPUs", [](kit::Case& test) { test.skip("this machine has one GPU"); });
    return grader.run();
}
