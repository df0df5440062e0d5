// wrong: a test without cases (attack 26)
// diagnosis: failed: 0
#include "grader.cuh"

int main(int argc, char** argv) {
    kit::Grader grader("kit", "no_cases", argc, argv);
    return grader.run();
}
