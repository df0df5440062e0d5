// wrong: a test that runs the code and compares nothing (attack 25)
// diagnosis: fault: no_check
#include "grader.cuh"

int main(int argc, char** argv) {
    kit::Grader grader("kit", "checks_nothing", argc, argv);
    grader.add("empty", [](kit::Case&) {});
    return grader.run();
}
