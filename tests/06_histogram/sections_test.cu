// Grades 06_histogram/sections: the letters of a text, one section per thread, one atomic per letter.
#include "01_error_handling/failing_calls.hpp"
#include "06_histogram/counting.hpp"
#include "last_blocks.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("06_histogram", "sections", argc, argv);
    // Where the loop reads comes from the section, and where it counts from the group.
    grader.task(2, kit::About().diagnosis(kit::Diagnosis::out_of_bounds).on("text"));
    grader.task(1, kit::About().diagnosis(kit::Diagnosis::out_of_bounds).on("bins"));
    grader.task(0,
                kit::About().diagnosis(kit::Diagnosis::uninitialised).on("bins"));  // given code clears them
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::out_of_bounds});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::out_of_bounds, kit::Diagnosis::tail,
                    kit::Diagnosis::constant_output});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::not_written});
    histogram_test::add_letter_cases(grader, histogram::sections);
#ifndef KIT_CPU
    histogram_test::add_case_beyond_int(grader, histogram::sections);
#endif
    kit::tell_not_tried(grader, "two calls", 31, "characters");
    error_handling::check_failing_calls(grader, argc, argv, {"n=257"});
    return grader.run();
}
