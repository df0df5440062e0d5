// Grades 06_histogram/sections: the letters of a text, one section per thread, one atomic per letter.
#include "06_histogram/counting.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("06_histogram", "sections", argc, argv);
    grader.task(kit::Diagnosis::wrong_value, "Task 1, \"the group of a letter\"");
    grader.task(kit::Diagnosis::out_of_bounds,
                "Task 1, \"the group of a letter\", and Task 2, \"the section\"");
    grader.task(kit::Diagnosis::tail, "Task 2, \"the section\"");
    grader.task(kit::Diagnosis::constant_output, "Task 2, \"the section\"");
    grader.task(kit::Diagnosis::race, "Task 3, \"no increment is lost\"");
    grader.task(kit::Diagnosis::not_written, "Task 3, \"no increment is lost\"");
    histogram_test::add_letter_cases(grader, histogram::sections);
    return grader.run();
}
