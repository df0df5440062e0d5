// Tests that the manifest is read, and that a line without a meaning is refused.
#include <doctest/doctest.h>

#include "course.hpp"
#include "folder.hpp"

namespace manifest_test {

using namespace course;
using course_test::error_of;

namespace {

Course read(const std::string& text) {
    const course_test::Folder folder;
    folder.write(manifest, text);
    Course course;
    course.root = folder.path;
    course.read_manifest();
    return course;
}

}  // namespace

TEST_CASE("topics and exercises, with everything that is said about them") {
    const Course course = read(R"(# A comment.

topic 07_reduction Reduction of [0, n)
learn trees; shuffles
build DEMO_RUNS_SOLUTIONS DEVICE_LAUNCH
exercise tree the first: one tree
exercise fast as fast as the memory
  stretch
  variant KIT_FAST
  library nccl
  architecture sm_90
  alone
topic 17_graphs Graphs
build DEMO_DEVICE_LAUNCH
exercise tree x
)");
    CHECK(course.topics() == Lines{"07_reduction", "17_graphs"});
    const Topic& topic = course.topic("07_reduction");
    CHECK(topic.heading() == "07 Reduction of [0, n)");
    CHECK(topic.learn == "trees; shuffles");
    CHECK(topic.device_launch);
    CHECK_FALSE(course.topic("17_graphs").device_launch);
    const Exercise &tree = course.exercise("07_reduction/tree"), &fast = course.exercise("07_reduction/fast");
    CHECK(tree.purpose == "the first: one tree");
    CHECK_FALSE(tree.stretch);
    CHECK(tree.variants.empty());
    CHECK(fast.stretch);
    CHECK(fast.variants == Lines{"KIT_FAST"});
    CHECK(fast.library == "nccl");
    CHECK(fast.architecture == "sm_90");
    CHECK(course.exercise("17_graphs/tree").purpose == "x");
    CHECK(error_of([&] { course.topic("08_scan"); }) ==
          "common/course/manifest.txt: does not describe the topic 08_scan");
}

TEST_CASE("a line that means nothing is refused, with its number") {
    const auto said = [](const std::string& text) { return error_of([&] { read(text); }); };
    const std::string topic = "topic 00_first First\n", place = "common/course/manifest.txt:2: ";
    CHECK(said(topic + "exercize add a sum\n") == place + "exercize belongs below an exercise");
    CHECK(said(topic + "exercise add a sum\n  variants X\n") ==
          "common/course/manifest.txt:3: the key variants is not known");
    CHECK(said(topic + "stretch\n") == place + "stretch belongs below an exercise");
    CHECK(said(topic + "exercise add\n") == place + "an exercise has a name and a purpose");
    CHECK(said(topic + "topic 01_second\n") == place + "a topic has a folder and a title");
    CHECK(said(topic + "- add\n") == place + "a line is a key and words: - add");
    CHECK(said("\nlearn x\n") == place + "the first line is that of a topic");
    CHECK(said(topic + "exercise add a\nexercise add b\n") ==
          "common/course/manifest.txt:3: 00_first has two exercises add");
}

}  // namespace manifest_test
