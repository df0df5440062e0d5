#include "course.hpp"

#include <doctest/doctest.h>

#include "folder.hpp"

namespace course_test {

using course_test::error_of;

TEST_CASE("an exercise as people name it, and the nearest ones where there is none") {
    course::Course course;
    course.exercises = {{"07_reduction", "tree", {}},
                        {"07_reduction", "tree_divergent", {}},
                        {"07_reduction", "single_pass", {}},
                        {"08_scan", "single_pass", {}}};
    for (const char* words :
         {"07_reduction/tree", "reduction.tree", "reduction/tree", "tree", "exercise.07_reduction.tree",
          "exercises/07_reduction/tree.cu", "./exercises/07_reduction/tree.cu", "/a/b/07_reduction/tree.cu"})
        CHECK(course.named(words).id() == "07_reduction/tree");
    CHECK(course.named("08_scan/single_pass").id() == "08_scan/single_pass");
    const auto said = [&](const char* words) { return error_of([&] { course.named(words); }); };
    CHECK(said("single_pass") ==
          "several exercises are named single_pass: 07_reduction/single_pass, 08_scan/single_pass");
    CHECK(said("07_reduction/tre") == "no exercise 07_reduction/tre: did you mean 07_reduction/tree?");
    CHECK(said("reduction.tree_divergnt") ==
          "no exercise reduction.tree_divergnt: did you mean 07_reduction/tree_divergent?");
    CHECK(said("08_scan") == "no exercise 08_scan: did you mean 08_scan/single_pass?");
    CHECK(said("quicksort").find("no exercise quicksort: write TOPIC/NAME, as in ") == 0);
    course.chosen = {"08_scan"};
    CHECK(said("tree") == "07_reduction/tree is not graded in this build folder: see KIT_TOPICS");
}

}  // namespace course_test
