// Grades 06_histogram/interleaved: the letters of a text and, on the executor, which thread reads which character.
// sanitizer.case: n=
#include "01_error_handling/failing_calls.hpp"
#include "06_histogram/counting.hpp"
#include "last_blocks.hpp"

namespace {

#ifdef KIT_CPU
/// Checks that neighbouring threads read neighbouring characters: if thread 8 reads a character, thread 9 or 7 reads the next one.
void see_who_reads(kit::Case& test) {
    constexpr int n = 20000;
    for (int place : {8, 10000}) {
        const std::string one = histogram_test::reader_of(test, histogram::interleaved, n, place);
        const std::string next = histogram_test::reader_of(test, histogram::interleaved, n, place + 1);
        const auto number = [](const std::string& reader) {
            const std::size_t digit = reader.find_first_of("0123456789");
            return digit == std::string::npos ? -1000 : std::atoi(reader.c_str() + digit);
        };
        test.check(std::abs(number(next) - number(one)) == 1,
                   "character " + std::to_string(place) + " is read by " + one + ", and the next one by " +
                       next +
                       ": let neighbouring threads read neighbouring "
                       "characters, so that a warp reads consecutive bytes");
    }
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("06_histogram", "interleaved", argc, argv);
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::out_of_bounds, kit::Diagnosis::race,
                    kit::Diagnosis::constant_output});
    grader.task(2, {kit::Diagnosis::uninitialised, kit::Diagnosis::not_written, kit::Diagnosis::exited,
                    kit::Diagnosis::cuda_error});
    histogram_test::task_of_launch = 2;
    histogram_test::add_letter_cases(grader, histogram::interleaved);
#ifdef KIT_CPU
    grader.add("who reads which character", see_who_reads, histogram_test::large);
#else
    histogram_test::add_case_beyond_int(grader, histogram::interleaved);
#endif
    kit::tell_not_tried(grader, "two calls", 31, "characters");
    error_handling::check_failing_calls(grader, argc, argv, {"n=257"});
    return grader.run();
}
