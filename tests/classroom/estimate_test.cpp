// Tests of estimates: what a build still has to do, how fast this machine is, and how long the grading takes.
#include "estimate.hpp"

#include <doctest/doctest.h>

namespace estimate_test {

using namespace classroom;

namespace {

/// Returns a line of Ninja's log: begin and end in ms since the build began, end in seconds on the clock.
std::string logged(int begin, int end, int clock, const std::string& output) {
    return std::to_string(begin) + "\t" + std::to_string(end) + "\t" + std::to_string(clock) + "000000000\t" +
           output + "\tabc\n";
}

const std::string header = "# ninja log v5\n", grader = "CMakeFiles/kit_grader.dir/implementation.cu.o",
                  model = "common/course/CMakeFiles/kit_course_model.dir/Unity/unity_0_cxx.cxx.o";

}  // namespace

TEST_CASE("a plan says what is built, and how much work it is") {
    CHECK(plan_of(Lines()).files == 0);
    const Plan plan =
        plan_of(Lines{"CMakeFiles/kit_test_header.dir/cmake_pch.hxx.gch",
                      "CMakeFiles/kit_submission_header.dir/cmake_pch.hxx.gch", grader,
                      "tests/CMakeFiles/solved.07_reduction.tree.dir/translated/tree.cu.cpp.o",
                      "tests/CMakeFiles/test.07_reduction.tree.dir/translated/tree_test.cu.cpp.o",
                      "tests/CMakeFiles/test.08_scan.compact.dir/translated/compact_test.cu.cpp.o",
                      "common/cpu/CMakeFiles/kit_executor.dir/layers/checks.cpp.o",
                      "common/cpu/CMakeFiles/kit_executor.dir/src/events.cpp.o", "a/text.txt"});
    CHECK(plan.files == 8);
    CHECK(plan.parts == Lines{"precompiled headers", "the grader", "1 solution", "2 tests", "the executor"});
    CHECK(plan.usual_seconds > 20);
    CHECK(plan.usual_seconds < 60);
}

TEST_CASE("the speed of a machine is that of its last builds") {
    CHECK(speed_of("", 2) == 2);
    CHECK(speed_of(header + logged(0, 1000, 100, "a/text.txt"), 2) == 2);
    const double work = usual_seconds(grader) + usual_seconds(model);
    // Two files that are compiled at the same time: 10 s.
    CHECK(speed_of(header + logged(0, 10000, 110, grader) + logged(0, 10000, 110, model), 2) ==
          doctest::Approx(work / 10));
    // One after the other, in two builds with a pause, of which the log has the first one twice.
    CHECK(speed_of(header + logged(0, 9000, 50, grader) + logged(0, 10000, 110, grader) +
                       logged(0, 10000, 900, model),
                   2) == doctest::Approx(work / 20));
    // A cache has delivered both.
    CHECK(speed_of(header + logged(0, 100, 110, grader) + logged(100, 200, 110, model), 2) > 50);
}

TEST_CASE("the rest of the work is known after a sample") {
    Rest rest(100, 2);
    CHECK(!rest.is_known());
    for (int i = 0; i < 10; ++i) rest.add(i % 2 ? 1 : 3);
    CHECK(rest.is_known());
    CHECK(rest.seconds() == doctest::Approx(90));  // 90 files of 2 s, two at a time
    Rest small(2, 8);
    small.add(4);
    CHECK(!small.is_known());
    CHECK(small.seconds() == doctest::Approx(4));  // one file does not get faster by more jobs
    small.add(4);
    CHECK(small.is_known());
    CHECK(small.seconds() == 0);
}

TEST_CASE("times in words") {
    CHECK(in_time(0.2) == "1 s");
    CHECK(in_time(42.4) == "42 s");
    CHECK(in_time(100) == "2 min");
    CHECK(in_time(59 * 60) == "59 min");
    CHECK(in_time(125 * 60) == "2 h 5 min");
}

}  // namespace estimate_test
