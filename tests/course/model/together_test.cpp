#include "together.hpp"

#include <doctest/doctest.h>

#include "commands.hpp"
#include "folder.hpp"

using course::Submission;
using course_test::Folder;

namespace {

/// A topic with a contract, a header that needs it, and one that does not.
struct Topic : Folder {
    course::Course course;

    Topic() {
        course.root = path;
        course.build = path / "build";
        course.exercises = {{"00_first", "add", {"KIT_FAST"}}};
        write("tests/00_first/00_first.hpp",
              "#pragma once\n#include <cstddef>\nnamespace first {\nvoid add(int n);\n}\n");
        write("tests/00_first/parts.cuh", "#include \"00_first/00_first.hpp\"\nvoid parts();\n");
        write("tests/00_first/counts.hpp", "inline int counted;\n");
    }
    std::string joined(const std::string& one, const std::string& two = "int x;\n") const {
        return together(course, {{"a.cu", "wrong_a", one}, {"b.cu", "right_b", two}}).source;
    }
};

}  // namespace

TEST_CASE("each submission has its namespace, and #line says where a line comes from") {
    CHECK(Topic().joined("int x;\n", "int y;\n") ==
          "namespace wrong_a {\n#line 1 \"a.cu\"\nint x;\n}\n"
          "namespace right_b {\n#line 1 \"b.cu\"\nint y;\n}\n");
}

TEST_CASE("what submissions include goes to the top, once, what is in brackets first") {
    CHECK(Topic().joined("#include \"kit.cuh\"\n#include <climits>  // INT_MAX\nint x;\n",
                         "#include \"kit.cuh\"\n#include <climits>\nint y;\n") ==
          "#include <climits>\n#include \"kit.cuh\"\n"
          "namespace wrong_a {\n#line 1 \"a.cu\"\n\n\nint x;\n}\n"
          "namespace right_b {\n#line 1 \"b.cu\"\n\n\nint y;\n}\n");
}

TEST_CASE(
    "each has a copy of the contract, in its place, and finds what headers outside define for the topic") {
    const Topic topic;
    const std::string header = (topic.course.root / "tests/00_first/00_first.hpp").string();
    const std::string contract = "#line 1 \"" + header + "\"\n\n\nnamespace first {\nvoid add(int n);\n}\n";
    CHECK(topic.joined("// add\n#include \"00_first/00_first.hpp\"\nint x;\n") ==
          "#include <cstddef>\nnamespace first {}\n"
          "namespace wrong_a {\nnamespace first { using namespace ::first; }\n#line 1 \"a.cu\"\n// add\n" +
              contract + "#line 3 \"a.cu\"\nint x;\n}\nnamespace right_b {\n#line 1 \"b.cu\"\nint x;\n}\n");
}

TEST_CASE("a header that includes the contract belongs to it, and is not copied twice") {
    const Topic topic;
    const std::string text = topic.joined(
        "#include \"00_first/00_first.hpp\"\nint x;\n#include \"00_first/parts.cuh\"\n#include "
        "\"00_first/counts.hpp\"\n");
    CHECK(text.find("#include \"00_first/counts.hpp\"\n") < text.find("namespace"));
    CHECK(text.find("parts.cuh\"\n") > text.find("int x;"));
    CHECK(text.find("void add") == text.rfind("void add"));
    CHECK(text.find("#include \"00_first/00_first.hpp\"") == std::string::npos);
}

TEST_CASE("a macro ends with its submission; a namespace without a name is none of the topic") {
    const std::string text = Topic().joined("#define CHECK(x) (x)\nnamespace {\n}  // namespace\n");
    CHECK(text.find("}\n#undef CHECK\nnamespace right_b") != std::string::npos);
    CHECK(text.find("using namespace") == std::string::npos);
}

TEST_CASE("an exercise's submissions are written, those of a variant apart, with what they are made of") {
    Topic topic;
    topic.write("solutions/00_first/add.cu", "a\nb\n");
    const std::string hunk = "\n@@ -1,2 +1,2 @@\n a\n-b\n+";
    topic.write("tests/00_first/add.wrong/one.patch", "// wrong: one\n" + hunk + "c\n");
    topic.write("tests/00_first/add.wrong/two.patch", "// wrong: two\n// variant: KIT_FAST\n" + hunk + "d\n");
    topic.write("tests/00_first/add.right/way.patch", "// right: way\n" + hunk + "e\n");
    const std::string all = topic.path / "all.cu", fast = topic.path / "fast.cu";
    REQUIRE(course::command_together(topic.course, {"00_first", "add", all}) == 0);
    REQUIRE(course::command_together(topic.course, {"00_first", "add", fast, "KIT_FAST"}) == 0);
    CHECK(topic.read("build/wrong/00_first/add/one.cu") == "a\nc\n");
    CHECK(topic.read("build/right/00_first/add/way.cu") == "a\ne\n");
    CHECK(topic.read("all.cu").find("namespace wrong_two") == std::string::npos);
    CHECK(topic.read("fast.cu").find("namespace wrong_two {\n") == 0);
    CHECK(topic.read("all.cu.d").find("add.right/way.patch") != std::string::npos);
    CHECK(course::command_together(topic.course, {"00_first", "add"}) == 2);
}
