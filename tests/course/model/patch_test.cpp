#include "patch.hpp"

#include <doctest/doctest.h>

#include "author_commands.hpp"
#include "folder.hpp"
#include "rules.hpp"

namespace patch_test {

using course::Error;
using course::Patch;
using course_test::error_of;
using course_test::Folder;
using Lines = Patch::Lines;

namespace {

const Lines solution = {"// v1", "a", "{", "b", "}", "{", "c", "}", "d", "e"};
const course::fs::path path = "tests/00_first/add.wrong/no_guard.patch";
const std::string header = "// wrong: no guard\n// diagnosis: out of bounds\n\n";

Patch patch(const std::string& hunks) {
    return Patch(path, header + hunks);
}

std::string complaint(const std::string& hunks, const Lines& lines = solution) {
    return error_of([&] { patch(hunks).applied_to(lines); });
}

Lines changed(std::size_t at, std::size_t removed, const Lines& added, Lines lines = solution) {
    const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(at);
    lines.insert(lines.erase(begin, begin + static_cast<std::ptrdiff_t>(removed)), added.begin(),
                 added.end());
    return lines;
}

/// A course of one exercise, whose wrong submissions are three times the same patch.
struct PatchedCourse : Folder {
    course::Course course;

    explicit PatchedCourse(const std::string& hunks = "@@ -3,3 +3,2 @@\n {\n-b\n }\n") {
        course.root = path;
        course.exercises = {{"00_first", "add", {}}};
        write("solutions/00_first/add.cu", course::text_of(solution));
        for (const char* mistake : {"one", "two", "three"}) write(file(mistake), header + hunks);
    }
    static std::string file(const std::string& mistake) {
        return "tests/00_first/add.wrong/" + mistake + ".patch";
    }
    std::string complaint() const {
        return course::joined(course::complaints_of({"wrong", course::check_wrong}, course), "\n");
    }
};

}  // namespace

TEST_CASE("the header is read by its keys") {
    const Patch read(
        path,
        "// wrong: x: y\n// diagnosis: a\n// diagnosis.cpu: b\n// diagnosis: c\n\n@@ -2,1 +2,2 @@\n a\n+x\n");
    CHECK(read.lines("diagnosis") == Lines{"a", "c"});
    CHECK(read.lines("diagnosis.cpu") == Lines{"b"});
    CHECK(read.lines("wrong") == Lines{"x: y"});
    CHECK(read.lines("variant").empty());
}

TEST_CASE("hunks are applied where they say") {
    CHECK(patch("@@ -3,3 +3,2 @@\n {\n-b\n }\n").applied_to(solution) == changed(3, 1, {}));
    CHECK(patch("@@ -3,3 +3,2 @@\n {\n-b\n }\n@@ -9,2 +8,3 @@\n d\n-e\n+x\n+y\n").applied_to(solution) ==
          changed(3, 1, {}, changed(9, 1, {"x", "y"})));
    CHECK(patch("@@ -2,3 +2,4 @@\n a\n+\n {\n b\n").applied_to(solution) == changed(2, 0, {""}));
    // Editors trim: a blank line of context without its blank.
    CHECK(patch("@@ -1,3 +1,2 @@\n a\n\n-b\n").applied_to({"a", "", "b"}) == Lines{"a", ""});
}

TEST_CASE("what one patch is made of, another reads") {
    const struct {
        const char* what;
        Lines submission;
    } cases[] = {
        {"insertion at the beginning", changed(0, 0, {"x", "y"})},
        {"insertion at the end", changed(solution.size(), 0, {"x"})},
        {"insertion of blank lines", changed(4, 0, {"", "x", ""})},
        {"deletion at the beginning", changed(0, 2, {})},
        {"deletion at the end", changed(8, 2, {})},
        {"one line for another", changed(6, 1, {"x"})},
        {"two places far apart", changed(0, 1, {"x"}, changed(9, 1, {}))},
        {"two places close together", changed(3, 1, {"x"}, changed(6, 1, {"y", "z"}))},
        {"a repeated line", changed(4, 1, {})},
        {"everything", {"x"}},
    };
    for (const auto& [what, submission] : cases) {
        CAPTURE(what);
        const Patch made(path, {"// wrong: x"}, solution, submission);
        CHECK(made.applied_to(solution) == submission);
        const Patch read(path, made.text());
        CHECK(read.applied_to(solution) == submission);
        CHECK(read.text() == made.text());
    }
}

TEST_CASE("as little context as makes a place unique") {
    CHECK(Patch(path, {"// wrong: x"}, solution, changed(3, 1, {})).text() ==
          "// wrong: x\n\n@@ -3,3 +3,2 @@\n {\n-b\n }\n");
    const Lines twice = {"1", "{", "b", "}", "2", "{", "b", "}", "3"};
    CHECK(Patch(path, {"// wrong: x"}, twice, changed(6, 1, {}, twice)).text() ==
          "// wrong: x\n\n@@ -5,5 +5,4 @@\n 2\n {\n-b\n }\n 3\n");
    CHECK(error_of([] { Patch(path, {}, solution, solution); }).find("the file is the solution") !=
          std::string::npos);
}

TEST_CASE("line numbers are a hint") {
    const std::string hunks = "@@ -3,3 +3,2 @@\n {\n-b\n }\n@@ -6,3 +5,3 @@\n {\n-c\n+x\n }\n";
    const Lines wanted = changed(3, 1, {}, changed(6, 1, {"x"}));
    CHECK(patch(hunks).applied_to(solution) == wanted);
    const Lines longer = changed(1, 0, {"new", "lines"});
    CHECK(patch(hunks).applied_to(longer) == changed(1, 0, {"new", "lines"}, wanted));
    CHECK(patch(hunks).applied_to(changed(0, 2, {})) == changed(0, 2, {}, wanted));
    // Of two places the one that is meant; of two others, neither.
    const Lines twice = {"{", "b", "}", "{", "b", "}"};
    CHECK(patch("@@ -4,3 +4,2 @@\n {\n-b\n }\n").applied_to(twice) == changed(4, 1, {}, twice));
    CHECK(complaint("@@ -3,3 +3,2 @@\n {\n-b\n }\n", twice) ==
          path.string() +
              ":4: the hunk fits at several places of solutions/00_first/add.cu; kit_author patches " +
              "00_first/add makes the patches anew where it can, and says where not");
}

TEST_CASE("a hunk that does not fit names patch and line") {
    CHECK(complaint("@@ -3,3 +3,2 @@\n {\n-b\n }\n@@ -6,3 +5,2 @@\n {\n-gone\n }\n")
              .find(path.string() + ":8: the hunk does not fit") == 0);
    CHECK(complaint("@@ -3,3 +3,2 @@\n changed\n-b\n }\n").find(":4: the hunk does not fit") !=
          std::string::npos);
    // In order only: the second hunk would have to go before the first.
    CHECK(complaint("@@ -6,3 +6,2 @@\n {\n-c\n }\n@@ -9,3 +8,2 @@\n {\n-b\n }\n").find(":8: ") !=
          std::string::npos);
}

TEST_CASE("what is no patch is refused") {
    CHECK(complaint("").find("no hunk") != std::string::npos);
    CHECK(complaint("-b\n").find(":4: expected \"@@") != std::string::npos);
    CHECK(complaint("@@ -0,0 +1,1 @@\n+b\n").find(":4: expected \"@@") != std::string::npos);
    CHECK(complaint("@@ -3,3 +3,2 @@\n {\n-b\n").find(":4: the hunk has fewer lines") != std::string::npos);
    CHECK(complaint("@@ -3,1 +3,2 @@\n {\n-b\n").find(":4: the hunk has more lines") != std::string::npos);
    CHECK(complaint("@@ -3,2 +3,2 @@\n {\n*b\n").find(":6: expected a line of the hunk") !=
          std::string::npos);
    CHECK(complaint("@@ -3,0 +3,1 @@\n+{\n").find(":4: the hunk has no line of the solution") !=
          std::string::npos);
    CHECK(complaint("@@ -3,1 +3,1 @@\n {\n").find(":4: the hunk changes nothing") != std::string::npos);
}

TEST_CASE("a changed solution: as far as context allows") {
    const Patch removes = patch("@@ -3,3 +3,2 @@\n {\n-b\n }\n"),
                adds = patch("@@ -9,2 +9,3 @@\n d\n+x\n e\n");
    const auto close = [](const Patch& one, const Lines& lines) {
        return one.applied_to(lines, Patch::Fit::close);
    };
    // The context has changed, what is removed has not.
    const Lines other_context = changed(2, 1, {"if {"});
    CHECK(error_of([&] { removes.applied_to(other_context); }) != "");
    CHECK(close(removes, other_context) == changed(3, 1, {}, other_context));
    // One half of the context shows where something is added.
    const Lines other_end = changed(9, 1, {"f"});
    CHECK(close(adds, other_end) == changed(9, 0, {"x"}, other_end));
    // Nobody knows where: the lines that told are gone, or far apart, or what is removed has changed.
    CHECK(error_of([&] { close(adds, changed(8, 2, {})); }).find("does not fit") != std::string::npos);
    CHECK(error_of([&] { close(adds, changed(9, 0, {"between"})); }).find("several places") !=
          std::string::npos);
    CHECK(error_of([&] { close(removes, changed(3, 1, {"B"})); }).find("does not fit") != std::string::npos);
}

TEST_CASE("all patches of an exercise are made anew") {
    const PatchedCourse small;
    CHECK(course::command_patches(small.course, {"00_first/add"}) == 0);
    CHECK(small.read(small.file("one")) == header + "@@ -3,3 +3,2 @@\n {\n-b\n }\n");
    small.write("solutions/00_first/add.cu", course::text_of(changed(2, 1, {"new", "if {"})));
    CHECK(small.complaint().find("one.patch:4: the hunk does not fit") != std::string::npos);
    small.write(small.file("two"), header + "@@ -3,3 +3,2 @@\n {\n-gone\n }\n");
    CHECK(course::command_patches(small.course, {"00_first/add"}) == 1);  // two needs a hand
    CHECK(small.read(small.file("one")) == header + "@@ -4,3 +4,2 @@\n if {\n-b\n }\n");
    CHECK(small.read(small.file("two")).find("gone") != std::string::npos);
    // That hand: an edited copy of the solution.
    small.write("copy.cu", course::text_of(changed(2, 1, {"new", "if {"}, changed(6, 1, {}))));
    CHECK(course::command_patches(small.course, {"00_first/add", "two", small.path / "copy.cu"}) == 0);
    CHECK(small.complaint() == "");
    CHECK(course::command_wrong(small.course, {"00_first", "add", "two", small.path / "two.cu"}) == 0);
    CHECK(small.read("two.cu") == small.read("copy.cu"));
    // With a header of its own it makes a new patch.
    small.write("copy.cu", "// wrong: y\n// diagnosis: z\n\n" + small.read("copy.cu"));
    CHECK(course::command_patches(small.course, {"00_first/add", "four", small.path / "copy.cu"}) == 0);
    CHECK(Patch(small.course, small.file("four")).header() == Lines{"// wrong: y", "// diagnosis: z"});
    CHECK(error_of([&] { course::command_patches(small.course, {"00_first/sub"}); }).find("no exercise") ==
          0);
}

TEST_CASE("a right submission is told in the same way") {
    const PatchedCourse small;
    const std::string file = "tests/00_first/add.right/other.patch", right = "// right: x\n\n";
    small.write(file, right + "@@ -3,3 +3,2 @@\n {\n-b\n }\n");
    CHECK(small.complaint() == "");
    SUBCASE("its header says what is unusual, and nothing else") {
        small.write(file, "// right: x\n// diagnosis: y\n\n@@ -3,3 +3,2 @@\n {\n-b\n }\n");
        CHECK(small.complaint() == file + ": \"// diagnosis:\" at the top means nothing to anybody");
        small.write(file, header + "@@ -3,3 +3,2 @@\n {\n-b\n }\n");
        CHECK(small.complaint().find(file + ": no line \"// right: what is unusual about it\" at the top") ==
              0);
    }
    SUBCASE("it may be another solution, but it must fit") {
        small.write(file, Patch(file, {"// right: x"}, solution, changed(3, 0, Lines(41, "x"))).text());
        CHECK(small.complaint() == "");
        small.write(file, right + "@@ -3,3 +3,2 @@\n {\n-gone\n }\n");
        CHECK(small.complaint().find("other.patch:3: the hunk does not fit") != std::string::npos);
    }
    SUBCASE("it is made anew with the others, and from a file") {
        small.write("solutions/00_first/add.cu", course::text_of(changed(2, 1, {"new", "if {"})));
        CHECK(course::command_patches(small.course, {"00_first/add"}) == 0);
        CHECK(small.read(file) == right + "@@ -4,3 +4,2 @@\n if {\n-b\n }\n");
        small.write("copy.cu", course::text_of(changed(2, 1, {"new", "if {"}, changed(6, 1, {}))));
        CHECK(course::command_patches(small.course, {"00_first/add", "other", small.path / "copy.cu"}) == 0);
        CHECK(Patch(small.course, file).header() == Lines{"// right: x"});
        small.write("copy.cu", "// right: y\n\n" + small.read("copy.cu"));
        CHECK(course::command_patches(small.course, {"00_first/add", "third", small.path / "copy.cu"}) == 0);
        CHECK(Patch(small.course, "tests/00_first/add.right/third.patch").header() == Lines{"// right: y"});
        CHECK(!course::fs::exists(small.path / small.file("other")));
        CHECK(small.complaint() == "");
    }
    SUBCASE("strays") {
        small.write("tests/00_first/add.right/note.txt", "x");
        small.write("tests/00_first/sub.right/x.patch", "x");
        CHECK(small.complaint().find("add.right/note.txt: is no patch") != std::string::npos);
        CHECK(small.complaint().find("tests/00_first/sub.right: there is no exercise 00_first/sub") !=
              std::string::npos);
    }
}

TEST_CASE("the rule about wrong submissions") {
    const PatchedCourse small;
    CHECK(small.complaint() == "");
    SUBCASE("too few") {
        course::fs::remove(small.path / small.file("two"));
        CHECK(small.complaint() == "tests/00_first/add.wrong: 2 wrong submissions, at least 3 are needed");
    }
    SUBCASE("none") {
        course::fs::remove_all(small.path / "tests/00_first/add.wrong");
        CHECK(small.complaint() == "tests/00_first/add.wrong: 0 wrong submissions, at least 3 are needed");
    }
    SUBCASE("no header") {
        small.write(small.file("two"), "@@ -3,3 +3,2 @@\n {\n-b\n }\n");
        CHECK(small.complaint().find(small.file("two") + ": no line \"// wrong: ") != std::string::npos);
        CHECK(small.complaint().find(small.file("two") + ": no line \"// diagnosis: ") != std::string::npos);
    }
    SUBCASE("a header that nobody reads") {
        small.write(small.file("two"),
                    "// diagnosis.cup: x\n// So much: that is text.\n" + small.read(small.file("two")));
        CHECK(small.complaint() ==
              small.file("two") + ": \"// diagnosis.cup:\" at the top means nothing to anybody");
    }
    SUBCASE("a diagnosis of one backend is one") {
        small.write(small.file("two"), "// wrong: x\n// diagnosis.gpu: y\n\n@@ -3,3 +3,2 @@\n {\n-b\n }\n");
        CHECK(small.complaint() == "");
    }
    SUBCASE("does not fit, is no patch, or is another solution") {
        small.write(small.file("one"), header + "@@ -3,3 +3,2 @@\n {\n-gone\n }\n");
        small.write(small.file("two"), header + "@@ -3,1 +3,1 @@\n {\n");
        small.write(
            small.file("three"),
            Patch(path, {"// wrong: x", "// diagnosis: y"}, solution, changed(3, 0, Lines(41, "x"))).text());
        CHECK(small.complaint().find("one.patch:4: the hunk does not fit") != std::string::npos);
        CHECK(small.complaint().find("two.patch:4: the hunk changes nothing") != std::string::npos);
        CHECK(small.complaint().find("three.patch:4: the hunk changes 41 lines") != std::string::npos);
    }
    SUBCASE("strays") {
        small.write("tests/00_first/add.wrong/note.txt", "x");
        small.write("tests/00_first/sub.wrong/x.patch", "x");
        CHECK(small.complaint().find("add.wrong/note.txt: is no patch") != std::string::npos);
        CHECK(small.complaint().find("tests/00_first/sub.wrong: there is no exercise 00_first/sub") !=
              std::string::npos);
    }
}

}  // namespace patch_test
