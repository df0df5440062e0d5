// Tests of bug hunts: their keys, the packed file of a copy for students, and the command, as a student
// uses it. A script replaces CMake and the program: a file with "work();" passes, and one with "broken" does
// not compile.
#include <doctest/doctest.h>

#include "commands.hpp"
#include "hunts.hpp"
#include "judge.hpp"
#include "practice.hpp"
#include "small_course.hpp"
#include "student.hpp"

namespace hunt_test {

using namespace course;
using course_test::error_of;
using course_test::SmallCourse;

namespace {

/// Two hunts of the small course. Their numbers are not in the order of the file.
const std::string two_hunts = R"(# Submissions

== wrong b
what: x
kind: tail
task: none
backends: cpu (a reason)
hunt: 2
hunt.level: 1
hunt.symptom: The program does not link.
hunt.kind: api
hunt.line: void add(int) {
hunt.hint: one
hunt.hint: two
hunt.hint: three
-- replace
void add() {
-- with
void add(int) {

== wrong a
what: x
kind: race
task: 1
at: play();
hunt: 1
hunt.level: 2
hunt.symptom: The sum is too large on Mondays.
hunt.kind: race
hunt.line: play();
hunt.hint: Look at the kernel.
hunt.hint: Which thread plays?
hunt.hint: It should work.
-- region 1
    play();

== wrong c
what: x
kind: nan | tail
task: none | 1
-- top
int c;
)";

const std::string cmake = R"sh(#!/bin/sh
name=${4#hunt.}
grep -q "kit_add_hunt($name 00_first add \"\" \"FOLDER/exercises/hunts/$name.cu\")" FOLDER/build/hunts.cmake || exit 1
if grep -q broken "FOLDER/exercises/hunts/$name.cu"; then
    echo "exercises/hunts/$name.cu:3: error: broken"
    exit 1
fi
mkdir -p FOLDER/build/hunt
cp FOLDER/bin/program "FOLDER/build/hunt/$name"
)sh";

const std::string program = R"(#!/bin/sh
grep -q forged "$KIT_SUBMISSION" && KIT_TOKEN=forged
if test -e FOLDER/no_gpu; then
    printf '{"token": "%s", "outcome": "skip", "status": 77, "sentence": "no GPU", "cases": []}' "$KIT_TOKEN" >"$KIT_VERDICT"
    echo "RESULT skip: no GPU"
    exit 77
fi
if grep -q "work();" "$KIT_SUBMISSION"; then
    printf '{"token": "%s", "outcome": "pass", "sentence": "2 of 2", "cases": [{"name": "n=1", "outcome": "pass"}]}' "$KIT_TOKEN" >"$KIT_VERDICT"
    echo "RESULT pass: all 2 cases passed"
    exit 0
fi
echo "WRONG  race on tile"
echo "RESULT fail: 1 of 2 cases failed     again: ctest --preset exercises -R '$KIT_AGAIN'"
printf '{"token": "%s", "outcome": "fail", "status": 1, "cases": [{"name": "n=1", "outcome": "pass"}, {"name": "n=2",
"outcome": "fail", "fault": "values", "diagnosis": "tail", "at": {"file": "a.cu", "line": 4, "text": ""},
"difference": {"what": "`c`", "wrong": 1, "of": 2, "elements": [{"at": 1, "got": "7", "expected": "9"}]}}]}' "$KIT_TOKEN" >"$KIT_VERDICT"
exit 1
)";

struct Said {
    int status;
    std::string text;
    bool has(const std::string& part) const { return contains(text, part); }
    /// Returns whether the text fits on a screen of 80 x 24.
    bool fits() const {
        const Lines lines = lines_of(text);
        bool narrow = true;
        for (const std::string& line : lines) narrow = narrow && line.size() <= 80;
        return narrow && lines.size() <= 24;
    }
};

struct Hunted : SmallCourse {
    static constexpr char a[] = "exercises/hunts/first.add.1.cu",
                          answer[] = "exercises/hunts/first.add.1.answer",
                          entries[] = "tests/00_first/add.submissions";

    Hunted() {
        write(entries, two_hunts);
        write("course.txt", "root " + path.string() + "\nbuild " + path.string() + "/build\nsubmitted " +
                                path.string() + "/exercises\nbackend CPU\nchosen \n");
        for (const auto& [name, text] : {std::pair{"bin/cmake", cmake}, std::pair{"bin/program", program}}) {
            write(name, replaced(text, "FOLDER", path.string()));
            fs::permissions(path / name, fs::perms::owner_all);
        }
    }

    Course read() const { return Course::read(path / "course.txt"); }
    Said hunt(const std::string& words) const {
        std::vector<std::string> command = {KIT_COURSE_PROGRAM, "--course", path / "course.txt", "hunt"};
        for (const std::string& word : words_of(words)) command.push_back(word);
        const Run done = run(command, {{"PATH", (path / "bin").string() + ":" + getenv("PATH")}});
        return {done.status, done.output};
    }
    void solve_exercise() const {
        write("build/results/run.begun", "\n");
        Verdict verdict;
        verdict.test = "exercise.00_first.add", verdict.outcome = "pass";
        write_verdict(verdict_file(read(), verdict.test), verdict);
    }
    std::string read_file(const std::string& name) const { return SmallCourse::read(name); }
    /// Returns the number of a line in the given file.
    std::string line_of(const std::string& text) const {
        const Lines lines = lines_of(read_file(a));
        for (std::size_t i = 0; i < lines.size(); ++i)
            if (contains(lines[i], text)) return std::to_string(i + 1);
        throw Error("no line " + text);
    }
};

}  // namespace

TEST_CASE("hunts are read from the submissions, in the order of their numbers") {
    const Hunted hunted;
    const Course course = hunted.course();
    const std::vector<Hunt> read = hunts_of_checkout(course);
    REQUIRE(read.size() == 2);
    CHECK(read[0].name() == "first.add.1");
    CHECK(read[0].level == 2);
    CHECK(read[0].kind == "race");
    CHECK(read[0].diagnosis == "race");
    CHECK(read[0].what == "x");
    CHECK(read[0].lines == Lines{"play();"});
    CHECK(read[0].hints.size() == 3);
    CHECK(read[1].name() == "first.add.2");
    CHECK(read[1].backends == "cpu");
}

TEST_CASE("a hunt before the others in the file leaves their names as they are") {
    const Hunted hunted;
    const std::string a = two_hunts.substr(two_hunts.find("== wrong a"));
    hunted.change(
        Hunted::entries, "== wrong b",
        replaced(replaced(a.substr(0, a.find("== wrong c")), "wrong a", "wrong d"), "hunt: 1", "hunt: 3") +
            "== wrong b");
    const Course course = hunted.course();
    const std::vector<Hunt> read = hunts_of_checkout(course);
    REQUIRE(read.size() == 3);
    CHECK(read[0].symptom == "The sum is too large on Mondays.");
    CHECK(read[1].symptom == "The program does not link.");
    CHECK(read[2].name() == "first.add.3");
}

TEST_CASE("the given program has no comments of the entry") {
    const Hunted hunted;
    hunted.change(Hunted::entries, "    play();\n", "    // plays too early\n    play();  // wrong\n");
    const Course course = hunted.course();
    const Hunt hunt = hunts_of_checkout(course).at(0);
    const std::string text = text_of(hunt.program);
    CHECK(contains(text, "\n    play();\n"));
    CHECK(!contains(text, "too early"));
    CHECK(!contains(text, "wrong"));
    CHECK(contains(text, "// v1: one thread per element."));
    CHECK(hunt.answers().size() == 1);
}

TEST_CASE("packed hunts say nothing, and come back unchanged") {
    const Hunted hunted;
    const Course course = hunted.read();
    const std::vector<Hunt> all = hunts_of_checkout(course);
    const std::string text = packed(all);
    for (const char* word : {"Mondays", "play", "race", "Which thread", "add"}) CHECK(!contains(text, word));
    const std::vector<Hunt> back = unpacked(course, text);
    REQUIRE(back.size() == 2);
    CHECK(back[0].name() == all[0].name());
    CHECK(back[0].program == all[0].program);
    CHECK(back[0].hints == all[0].hints);
    CHECK(back[0].answers() == all[0].answers());
    CHECK(back[1].symptom == all[1].symptom);
    CHECK(back[0].diagnosis == "race");
    for (const std::string& damaged :
         {text.substr(0, text.size() - 1), "x" + text, text + "x", std::string("x")})
        CHECK(contains(error_of([&] { unpacked(course, damaged); }), "tests/hunts.packed: damaged"));
}

TEST_CASE("a copy for students has its hunts packed") {
    const Hunted hunted;
    hunted.write("CMakeLists.txt", "\n");
    const fs::path copy = hunted.path / "build/copy";
    make_student_copy(hunted.course(), copy);
    CHECK(!fs::exists(copy / Hunted::entries));
    hunted.write("build/copy/course.txt",
                 replaced(hunted.read_file("course.txt"), hunted.path.string(), copy.string()));
    Course course = Course::read(copy / "course.txt");
    CHECK(all_hunts(course).size() == 2);
    course.backend = "GPU";
    const std::vector<Hunt> all = all_hunts(course);
    REQUIRE(all.size() == 1);  // a GPU cannot reject add.b
    CHECK(all[0].name() == "first.add.1");
}

TEST_CASE("a student finds, names and repairs a mistake") {
    const Hunted hunted;
    Said said = hunted.hunt("");
    CHECK(said.status == 1);
    CHECK(said.has("No hunt is left in the exercises that you have solved."));
    CHECK(said.has("kit_course hunt first.add.2 --anyway"));
    CHECK(hunted.hunt("add.1").has("Hunt first.add.1 shows code that solves 00_first/add"));
    CHECK(!fs::exists(hunted.path / Hunted::a));

    hunted.solve_exercise();
    said = hunted.hunt("add.1");
    CHECK(said.status == 0);
    CHECK(said.fits());
    CHECK(said.has("Bug hunt first.add.1   level 2"));
    CHECK(said.has("symptom  The sum is too large on Mondays."));
    CHECK(said.has("1 of 2 cases fails. It is \"n=2\"."));
    CHECK(said.has("\"n=2\": [1]: got 7, expected 9"));
    CHECK(said.has("exercises/hunts/first.add.1.cu"));
    CHECK(said.has("build/hunt/first.add.1 --profile"));
    CHECK(!said.has("race"));
    CHECK(!said.has("tail"));
    CHECK(!said.has("a.cu"));
    const std::string given = hunted.read_file(Hunted::a);
    CHECK(contains(given, "play();"));

    said = hunted.hunt("hint");
    CHECK(said.has("Hint 1 of 3  Look at the kernel."));
    CHECK(!said.has("Which thread plays?"));
    CHECK(hunted.hunt("hint").has("Hint 2 of 3  Which thread plays?"));
    CHECK(hunted.hunt("hint").has("Hint 3 of 3  It should work."));
    CHECK(hunted.hunt("hint").has("There are no more hints."));

    said = hunted.hunt("verdict");
    CHECK(said.status == 1);
    CHECK(said.has("WRONG  race on tile"));
    CHECK(said.has("again: build/kit_course hunt test"));

    const std::string right = hunted.line_of("play();"), wrong = hunted.line_of("void add()");
    said = hunted.hunt("answer " + wrong + " race");
    CHECK(said.status == 1);
    CHECK(said.has("The kind is right, and the line is wrong. Line " + wrong +
                   " of the given file is:\n    void add() {\n"));
    CHECK(hunted.hunt("answer " + right + " work").has("The line is right, and the kind is wrong."));
    CHECK(hunted.hunt("answer " + wrong + " work").has("Line and kind are wrong"));

    said = hunted.hunt("test");
    CHECK(said.status == 1);
    CHECK(said.has("The file is as it was given"));
    hunted.change(Hunted::a, "    play();", "    // two\n    // lines\n    rest();");
    said = hunted.hunt("test");
    CHECK(said.has("The test still fails."));
    CHECK(!said.has("race"));

    said = hunted.hunt("answer " + right + " race");  // the number is that of the given file
    CHECK(said.status == 1);
    CHECK(said.has("Line and kind are right."));
    CHECK(said.has("The test still fails."));
    CHECK(hunted.hunt("answer " + wrong + " work").has("You have already named"));
    CHECK(contains(hunted.read_file(Hunted::answer),
                   "line: " + right + "\nkind: race\ntries: 4\nhints: 3\nverdicts: 1\nsolved: no\n"));

    hunted.change(Hunted::a, "rest();", "work();");
    said = hunted.hunt("test");
    CHECK(said.status == 0);
    CHECK(said.has("SOLVED  hunt first.add.1"));
    CHECK(said.has("mistake  x"));
    CHECK(said.has("1 of 2 hunts"));
    CHECK(said.fits());
    CHECK(hunted.hunt("add.1").has("solved"));
    CHECK(hunted.hunt("").has("Bug hunt first.add.2   level 1"));
    const HuntCounts counts = counts_of_hunts(hunted.read());
    CHECK(counts.all == 2);
    CHECK(counts.solved == 1);
    CHECK(counts.offered == 1);
    const std::string board =
        run({KIT_COURSE_PROGRAM, "--course", hunted.path / "course.txt", "scoreboard"}, {{"LC_ALL", "C"}})
            .output;
    CHECK(contains(board, "  bug hunts              ############............      1      0     1\n"));
    CHECK(contains(board, "        hunt    build/kit_course hunt\n"));
}

TEST_CASE("after three verdicts of one kind, a student is told the page and hunts of this kind") {
    const Hunted hunted;
    const Course course = hunted.read();
    const Exercise other{"00_first", "sub", {}};
    const auto practice = [&](const Exercise& exercise, kit::Diagnosis diagnosis, const std::string& text) {
        CaseVerdict failed;
        failed.name = "n=1", failed.status = Status::fail, failed.diagnosis = diagnosis;
        if (diagnosis == kit::Diagnosis::race) failed.finding.emplace().kind = "race";
        Verdict verdict;
        verdict.outcome = "wrong", verdict.cases = {failed};
        return practice_after(course, exercise, verdict, text);
    };
    const auto race = kit::Diagnosis::race;
    CHECK(practice(other, race, "one").empty());
    CHECK(practice(other, race, "two").empty());
    CHECK(practice(other, race, "two").empty());  // the same file again
    for (const char* text : {"a", "b", "c"}) CHECK(practice(other, kit::Diagnosis::tail, text).empty());
    const Lines third = practice(other, race, "three");
    REQUIRE(third.size() == 2);
    CHECK(contains(third[0], "This is verdict 3 of the kind \"race\". Read lectures/diagnoses/race.md, and"));
    CHECK(contains(third[1], "kit_course hunt first.add.1 --anyway"));
    CHECK(practice(other, race, "four").empty());
    CHECK(practice(other, race, "five").empty());
    hunted.solve_exercise();
    CHECK(ends_with(practice(other, race, "six").at(1), "hunt first.add.1"));
    for (const char* text : {"seven", "eight"}) CHECK(practice(other, race, text).empty());
    const Exercise& own = course.exercise("00_first/add");  // a hunt in it would show its solution
    CHECK(practice(own, race, "nine") ==
          Lines{"This is verdict 9 of the kind \"race\". Read lectures/diagnoses/race.md."});
}

TEST_CASE("without a GPU, the test says so, and it runs as soon as there is one") {
    const Hunted hunted;
    hunted.solve_exercise();
    hunted.write("no_gpu", "");
    CHECK(hunted.hunt("add.1").has("  test     It cannot run here: no GPU\n"));
    hunted.change(Hunted::a, "play();", "work();");
    CHECK(hunted.hunt("test").has("The test cannot run here: no GPU"));
    hunted.change(Hunted::a, "work();", "play();");
    fs::remove(hunted.path / "no_gpu");
    CHECK(hunted.hunt("add.1").has("1 of 2 cases fails. It is \"n=2\"."));
}

TEST_CASE("the other order: first repaired, then named") {
    const Hunted hunted;
    hunted.solve_exercise();
    hunted.hunt("add.1");
    const std::string right = hunted.line_of("play();");
    hunted.change(Hunted::a, "play();", "work();");
    Said said = hunted.hunt("test");
    CHECK(said.status == 1);
    CHECK(said.has("The test passes."));
    CHECK(said.has("hunt answer LINE KIND"));
    CHECK(contains(hunted.read_file("build/hunt/first.add.1.given.cu"), "play();"));
    said = hunted.hunt("answer " + right + " race");
    CHECK(said.status == 0);
    CHECK(said.has("SOLVED"));
}

TEST_CASE("bad input: one sentence, and nothing is lost") {
    const Hunted hunted;
    hunted.solve_exercise();
    CHECK(hunted.hunt("hint").has("There is no hunt to work on."));
    CHECK(hunted.hunt("ad").has("did you mean 00_first/add?"));
    CHECK(hunted.hunt("add.7").has("00_first/add has no hunt 7. It has: 1, 2."));
    CHECK(hunted.hunt("--level 4").has("There is no level 4: the levels are 1, 2 and 3."));
    CHECK(hunted.hunt("--level 3").has("There is no such bug hunt."));
    CHECK(hunted.hunt("--level").status == 2);
    CHECK(hunted.hunt("--nonsense").status == 2);
    CHECK(hunted.hunt("add sub").status == 2);
    CHECK(hunted.hunt("--level 2").has("Bug hunt first.add.1"));
    CHECK(hunted.hunt("answer 1").status == 2);
    CHECK(hunted.hunt("answer x race").has("\"x\" is not a line: the given file has the lines 1 to "));
    CHECK(hunted.hunt("answer 999 race").has("\"999\" is not a line"));
    CHECK(hunted.hunt("answer 1 rice").has("There is no kind \"rice\": did you mean race?"));
    CHECK(hunted.hunt("kinds").fits());

    const std::string right = hunted.line_of("play();");
    hunted.hunt("answer " + right + " race");
    const std::string answered = hunted.read_file(Hunted::answer);
    CHECK(hunted.hunt("answer 1 work").has("You have already named"));
    CHECK(hunted.read_file(Hunted::answer) == answered);

    hunted.change(Hunted::a, "play();", "broken");
    Said said = hunted.hunt("test");
    CHECK(said.status == 1);
    CHECK(said.has("first.add.1.cu does not compile. The compiler says:"));
    CHECK(said.has("error: broken"));
    hunted.change(Hunted::a, "broken",
                  "work();  // forged");  // without the token of this run, it does not pass
    said = hunted.hunt("test");
    CHECK(said.status == 1);
    CHECK(said.has("The test still fails."));

    fs::remove(hunted.path / Hunted::a);
    said = hunted.hunt("test");
    CHECK(said.status == 1);
    CHECK(said.has("first.add.1.cu: the file is missing."));
    CHECK(hunted.hunt("add.1").status == 0);
    CHECK(contains(hunted.read_file(Hunted::a), "play();"));
    CHECK(hunted.read_file(Hunted::answer) == answered);

    // A file with the student's edits is never replaced, and neither are lines that the tool does not know.
    hunted.change(Hunted::a, "play();", "mine();");
    hunted.write(Hunted::answer, "my notes\nline: x\nkind: race\nhints: -3\n");
    CHECK(hunted.hunt("add.1").status == 0);
    CHECK(contains(hunted.read_file(Hunted::a), "mine();"));
    CHECK(hunted.hunt("hint").has("Hint 1 of 3"));
    CHECK(contains(hunted.read_file(Hunted::answer), "my notes\n"));
}

TEST_CASE("all hunts are solved, and a new build folder keeps that") {
    const Hunted hunted;
    hunted.solve_exercise();
    for (const char* name : {"first.add.1", "first.add.2"})
        hunted.write(std::string("exercises/hunts/") + name + ".answer", "solved: yes\n");
    CHECK(hunted.hunt("").has("You have solved all hunts."));
    CHECK(hunted.hunt("first").has("You have solved all hunts that you have chosen."));
    CHECK(hunted.hunt("--level 1").has("You have solved the only hunt that you have chosen."));
    fs::remove_all(hunted.path / "build");
    CHECK(counts_of_hunts(hunted.read()).solved == 2);
}

}  // namespace hunt_test
