// Tests of starters and regions: the text that is generated from correct marks, and the errors for incorrect
// marks.
#include "source.hpp"

#include <doctest/doctest.h>

#include "folder.hpp"

namespace source_test {

using namespace course;
using course_test::error_of;

namespace {

const char good[] = R"(// 00_first/add: adds.
// [kernel]
void add() {
    // TODO(1): Add.
    // About 1 line.
    // BEGIN SOLUTION 1
    work();
    // STARTER KIT_TODO(1, a);
    // END SOLUTION 1
}
// [/kernel]
)";

std::string starter_of(const std::string& text) {
    return Source("s.cu", text).starter();
}

std::string good_with(const std::string& from, const std::string& to) {
    return course_test::with(good, from, to);
}

}  // namespace

TEST_CASE("a starter has gaps where the solution has regions") {
    CHECK(starter_of(good) ==
          "// 00_first/add: adds.\n// [kernel]\nvoid add() {\n    // TODO(1): Add.\n    // About 1 line.\n"
          "    KIT_TODO(1, a);\n}\n// [/kernel]\n");
    CHECK(contains(starter_of(good_with("    // STARTER KIT_TODO(1, a);\n", "")), "    KIT_TODO(1);\n"));
}

TEST_CASE("a region 0 goes without a gap and with one blank line") {
    CHECK(starter_of("a\n\n// BEGIN SOLUTION 0\nb\n// END SOLUTION 0\n\n" + std::string(good)) ==
          "a\n\n" + starter_of(good));
}

TEST_CASE("marks that do not fit together are named with their line") {
    CHECK(error_of([] { starter_of(good_with("// END SOLUTION 1", "// END SOLUTION 2")); }) ==
          "s.cu:9: error: region 1 ends as 2");
    CHECK(error_of([] { starter_of(good_with("// END SOLUTION 1\n", "\n")); }) ==
          "s.cu:11: error: region 1 does not end");
    CHECK(error_of([] { starter_of(good_with("// BEGIN SOLUTION 1\n", "\n")); }) ==
          "s.cu:8: error: a STARTER line outside a region");
    CHECK(error_of([] { starter_of(good_with("work();", "// BEGIN SOLUTION 2")); }) ==
          "s.cu:7: error: a region begins inside another");
    CHECK(
        contains(error_of([] { starter_of(good_with("SOLUTION 1", "SOLUTION one")); }), "expected a number"));
    CHECK(contains(error_of([] { starter_of(replaced(good, "SOLUTION 1", "SOLUTION 2")); }),
                   "not numbered 1, 2, 3...: no 1"));
    CHECK(contains(error_of([] { starter_of(good_with("TODO(1): Add", "Add")); }),
                   "has no comment \"TODO(1): what to do\""));
    CHECK(contains(error_of([] { starter_of(good_with("KIT_TODO(1, a);", "gap();")); }),
                   "would have no KIT_TODO(1 for region 1"));
    CHECK(contains(error_of([] { starter_of("void add() {}\n"); }), "an exercise needs a gap"));
}

TEST_CASE("a region is shown without marks and TODO comments, and without shared indentation") {
    CHECK(Source("s.cu", good).region("kernel") ==
          std::vector<std::string>{"void add() {", "    work();", "}"});
    const Source nested("n.cu", "  // [a]\n  // [b]\n    x\n  // [/b]\n  y\n  // [/a]\n");
    CHECK(nested.region("a") == std::vector<std::string>{"  x", "y"});
    CHECK(nested.region("b") == std::vector<std::string>{"x"});
    CHECK(
        contains(error_of([&] { nested.region("c"); }), "n.cu: no region // [c] ... // [/c]; it has: a, b"));
}

TEST_CASE("a region with its gap is what the starter has of it") {
    const Source source("s.cu", good);
    CHECK(source.gap("kernel") ==
          Lines{"void add() {", "    // TODO(1): Add.", "    // About 1 line.", "    KIT_TODO(1, a);", "}"});
    CHECK(source.gap("kernel", false) == Lines{"void add() {", "    KIT_TODO(1, a);", "}"});
    CHECK(source.removed() == std::set<int>{7});
    const Source bare("s.cu", good_with("    // STARTER KIT_TODO(1, a);\n", ""));
    CHECK(bare.gap("kernel", false) == Lines{"void add() {", "    KIT_TODO(1);", "}"});
    const Source whole("s.cu",
                       "// [a]\nx\n// BEGIN SOLUTION 0\ny\n// END SOLUTION 0\n// [/a]\n" + std::string(good));
    CHECK(whole.gap("a") == Lines{"x"});
    CHECK(whole.removed() == std::set<int>{4, 13});
}

TEST_CASE("a region has the numbers of its first and last line") {
    const Source source("n.cu", "// top\n// [a]\nint a;\nint b;\n// [/a]\n// [open]\n");
    CHECK(source.region_lines("a") == std::make_pair(3, 4));
    CHECK(contains(error_of([&] { source.region_lines("gone"); }), "n.cu: no region // [gone]"));
    CHECK(contains(error_of([&] { source.region_lines("open"); }), "n.cu: no region // [open]"));
}

TEST_CASE("TODO comments and the gaps that are left") {
    const Source starter("s.cu", starter_of(good) + "// KIT_TODO(7);\n");
    CHECK(starter.todos() == std::set<int>{1});
    CHECK(starter.gaps() == std::set<int>{1});
    CHECK(Source("s.cu", good).header() == std::vector<std::string>{"// 00_first/add: adds.", "// [kernel]"});
}

}  // namespace source_test
