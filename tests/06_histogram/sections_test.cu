// Grades 06_histogram/sections: the letters of a text, one section per thread, one atomic per letter.
#include "06_histogram/counting.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("06_histogram", "sections", argc, argv);
    grader.task(kit::Diagnosis::wrong_value, 1);
    grader.tasks(kit::Diagnosis::out_of_bounds, {1, 2});
    grader.task(kit::Diagnosis::tail, 2);
    grader.task(kit::Diagnosis::constant_output, 2);
    grader.task(kit::Diagnosis::race, 3);
    grader.task(kit::Diagnosis::not_written, 3);
    histogram_test::add_letter_cases(grader, histogram::sections);
    return grader.run();
}
