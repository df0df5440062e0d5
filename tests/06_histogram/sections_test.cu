// Grades 06_histogram/sections: the letters of a text, one section per thread, one atomic per letter.
#include "06_histogram/counting.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("06_histogram", "sections", argc, argv);
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::out_of_bounds});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::out_of_bounds, kit::Diagnosis::tail,
                    kit::Diagnosis::constant_output});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::not_written});
    histogram_test::add_letter_cases(grader, histogram::sections);
#ifndef KIT_CPU
    histogram_test::add_case_beyond_int(grader, histogram::sections);
#endif
    return grader.run();
}
