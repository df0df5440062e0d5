// Tests that the demands of a test are found in its source.
#include <doctest/doctest.h>

#include "rules.hpp"
#include "small_course.hpp"

namespace counted_test {

using namespace course;
using course_test::SmallCourse;

TEST_CASE("demands in functions of headers, in lambdas, and in the grader's own functions") {
    const SmallCourse small;
    small.write("tests/00_first/parts.hpp", R"(#pragma once
#include "00_first/more.hpp"

inline void expect_threads(kit::Case& test) {
    test.demand("threads", true, "");
}

inline void unused(kit::Case& test) {
    test.demand("blocks", true, "");
}

inline void call(kit::Case& test) {
    test.demand("calls", true, "");
}
)");
    small.write("tests/00_first/more.hpp", R"(#pragma once

inline void expect(kit::Case& test, const std::string& counted, int got) {
    test.demand(counted, got == 1, "");
}
)");
    small.write("tests/00_first/add_test.cu", R"(// Grades.
#include "00_first/parts.hpp"

namespace {

void run(kit::Case& test) {
    const auto exactly = [&](const std::string& what, int got) {
        test.demand(what, got == 1, "");
    };
    exactly("launches", 1);
    test.call([] {});
    expect_threads(test);
    expect(test,
           "captures", 1);
    test.expect("values", 1);
    test.sectors_at_most(4, counts);
}

}  // namespace
)");
    const Course course = small.course();
    CHECK(counted_in_source(course, course.exercises[0]) ==
          std::set<std::string>{"captures", "launches", "sectors", "threads"});
}

}  // namespace counted_test
