#include "together.hpp"

#include <doctest/doctest.h>

#include "author_commands.hpp"
#include "folder.hpp"

namespace together_test {

using course::Submission;
using course_test::Folder;

namespace {

/// A topic with a contract, a header that includes it, and one that does not.
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
        return together(course, {{"a.cu", "right_a", one, false}, {"b.cu", "right_b", two, false}}).source;
    }
};

}  // namespace

TEST_CASE("each submission has its namespace, and #line says where a line comes from") {
    CHECK(Topic().joined("int x;\n", "int y;\n") ==
          "namespace right_a {\n#line 1 \"a.cu\"\nint x;\n}\n"
          "namespace right_b {\n#line 1 \"b.cu\"\nint y;\n}\n");
}

TEST_CASE("what submissions include goes to the top, once, what is in brackets first") {
    CHECK(Topic().joined("#include \"kit.cuh\"\n#include <climits>  // INT_MAX\nint x;\n",
                         "#include \"kit.cuh\"\n#include <climits>\nint y;\n") ==
          "#include <climits>\n#include \"kit.cuh\"\n"
          "namespace right_a {\n#line 1 \"a.cu\"\n\n\nint x;\n}\n"
          "namespace right_b {\n#line 1 \"b.cu\"\n\n\nint y;\n}\n");
}

TEST_CASE("an include keeps the conditions that it stands under") {
    const std::string text =
        Topic().joined("#if A\n#include <a>\n# if B\n#else\n#include \"b\"\n# endif\n#endif\n#include <c>\n");
    CHECK(text.find("#if A\n#include <a>\n#endif\n#include <c>\n"
                    "#if A\n# if B\n#else\n#include \"b\"\n#endif\n#endif\nnamespace right_a {\n") == 0);
}

TEST_CASE(
    "each has a copy of the contract, in its place, and finds what headers outside define for the topic") {
    const Topic topic;
    const std::string contract =
        "#line 1 \"tests/00_first/00_first.hpp\"\n\n\nnamespace first {\nvoid add(int n);\n}\n";
    CHECK(topic.joined("// add\n#include \"00_first/00_first.hpp\"\nint x;\n") ==
          "#include <cstddef>\nnamespace first {}\n"
          "namespace right_a {\nnamespace first { using namespace ::first; }\n#line 1 \"a.cu\"\n// add\n" +
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

TEST_CASE("a macro is its submission's own; a namespace without a name is none of the topic") {
    const std::string text = Topic().joined("#define CHECK(x) (x)\nnamespace {\n}  // namespace\n");
    CHECK(text.find("#pragma push_macro(\"CHECK\")\n#undef CHECK\nnamespace right_a") == 0);
    CHECK(text.find("}\n#pragma pop_macro(\"CHECK\")\nnamespace right_b") != std::string::npos);
    CHECK(text.find("using namespace") == std::string::npos);
    CHECK(Topic().joined("#undef CHECK\n#define CHECK(x) (x)\n").find("#undef CHECK\nnamespace") ==
          std::string::npos);
}

TEST_CASE("only a submission may have warnings, and a starter may not") {
    const std::string source = together(Topic().course, {{"a.cu", "wrong_a", "int x;\n", true}}).source;
    CHECK(begins_with(source, "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "));
    CHECK(contains(source,
                   "#pragma nv_diag_suppress 177, 549, 550\n#endif\nnamespace wrong_a {\n#line 1 "
                   "\"a.cu\"\nint x;\n}\n"));
    CHECK(contains(source,
                   "}\n#ifdef __NVCC__\n#pragma nv_diagnostic pop\n#endif\n#pragma GCC diagnostic pop\n"));
}

TEST_CASE("the starter and the submissions that are named are written, each in a namespace") {
    Topic topic;
    topic.write("solutions/00_first/add.cu", "a\nb\n");
    topic.write("build/starters/00_first/add.cu", "a\n");
    topic.write("tests/00_first/add.submissions",
                "== wrong one\n-- replace\nb\n-- with\nc\n\n== wrong two\n-- replace\nb\n-- with\nd\n\n"
                "== right way\n-- replace\nb\n-- with\ne\n");
    const auto at = [&](const std::string& name) { return (topic.path / name).string(); };
    REQUIRE(course::command_together(topic.course, {"00_first", "add", at("quick.cu"),
                                                    at("build/starters/00_first/add.cu"), "wrong.two"}) == 0);
    REQUIRE(course::command_together(topic.course,
                                     {"00_first", "add", at("full.cu"), "wrong.one", "right.way"}) == 0);
    CHECK(topic.read("build/wrong/00_first/add/one.cu") == "a\nc\n");
    CHECK(topic.read("build/right/00_first/add/way.cu") == "a\ne\n");
    CHECK(topic.read("quick.cu").find("namespace starter_add {\n") == 0);
    CHECK(topic.read("quick.cu").find("namespace wrong_two {\n") != std::string::npos);
    CHECK(topic.read("full.cu").find("starter_add") == std::string::npos);
    CHECK(topic.read("full.cu").find("namespace wrong_two") == std::string::npos);
    CHECK(topic.read("full.cu").find("namespace right_way {\n") != std::string::npos);
    CHECK(topic.read("full.cu.d").find("add.submissions") != std::string::npos);
    CHECK(course::command_together(topic.course, {"00_first", "add", at("none.cu")}) == 2);
}

TEST_CASE("sources are joined, each with a copy of the headers beside it") {
    Topic topic;
    topic.write("one.cu", "int x;\n");
    topic.write("tests/00_first/two.cu", "#include \"parts.cuh\"\n#include \"counts.hpp\"\n");
    const std::string one = topic.path / "one.cu", two = topic.path / "tests/00_first/two.cu",
                      all = topic.path / "all.cu";
    REQUIRE(course::command_joined(topic.course, {all, one, two}) == 0);
    CHECK(topic.read("all.cu").find("namespace file_1 {\n#line 1 \"one.cu\"\nint x;\n}\n") !=
          std::string::npos);
    CHECK(topic.read("all.cu").find("inline int counted;") >
          topic.read("all.cu").find("namespace file_2 {\n"));
    CHECK(topic.read("all.cu").find("#include") == topic.read("all.cu").find("#include <cstddef>"));
    CHECK(topic.read("all.cu.d").find("tests/00_first/parts.cuh") != std::string::npos);
    CHECK(course::command_joined(topic.course, {all}) == 2);
}

TEST_CASE("a header that is shared lies at the top") {
    Topic topic;
    topic.write("two.cu", "#include \"parts.cuh\"\nint x;\n");
    topic.write("parts.cuh", "void parts();\n");
    const std::string all = topic.path / "all.cu", two = topic.path / "two.cu";
    REQUIRE(course::command_joined(topic.course, {all, topic.path / "parts.cuh", "two=" + two}) == 0);
    CHECK(topic.read("all.cu") ==
          "#include \"parts.cuh\"\nnamespace two {\n#line 1 \"two.cu\"\n\nint x;\n}\n");
}

TEST_CASE("what the translator writes about lines still holds after a copied header") {
    Topic topic;
    topic.write("parts.cuh", "void parts();\n");
    const std::string header = topic.path / "parts.cuh";
    const std::string text =
        topic.joined("#line 7 \"b.cu\"\nint x;\n#include \"" + header + "\"\n#line 20\nint y;\n");
    CHECK(text.find("#line 7 \"b.cu\"\nint x;\n#line 1 \"parts.cuh\"\nvoid parts();\n#line 9 \"b.cu\"\n"
                    "#line 20\nint y;\n") != std::string::npos);
}

}  // namespace together_test
