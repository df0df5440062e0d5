// Tests of the judge with programs that cheat, fail or print nothing. The judge must give each program the
// correct exit status and sentence.
#include "judge.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "commands.hpp"
#include "small_course.hpp"

namespace judge_test {

using namespace course;

namespace {

struct Judged {
    int status = 0;
    Verdict verdict;
};

/// Judges a shell script. As for a graded program, $KIT_TOKEN and $KIT_VERDICT are set.
Judged judge(const std::string& mode, const std::string& script, const Arguments& options = {}) {
    const course_test::Folder folder;
    folder.write("program", "#!/bin/sh\nverdict() { echo \"$1\" >\"$KIT_VERDICT\"; }\n" + script + "\n");
    fs::permissions(folder.path / "program", fs::perms::owner_all);
    Course course;
    course.root = course.build = folder.path;
    course.backend = "CPU";
    Arguments arguments = {"--name", "one.two", "--mode", mode};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", (folder.path / "program").string()});
    const int status = command_judge(course, arguments);
    const std::optional<Verdict> verdict = read_verdict(verdict_file(course, "one.two"));
    REQUIRE(verdict);
    return {status, *verdict};
}

std::string verdict(const std::string& outcome, int status, const std::string& more = "") {
    return "verdict '{\"token\": \"'$KIT_TOKEN'\", \"outcome\": \"" + outcome +
           "\", \"sentence\": \"2 of 2 cases\", \"status\": " + std::to_string(status) + more + "}'\n";
}

const std::string honest = verdict("pass", 0) + "echo 'RESULT pass: 2 of 2 cases'\n";

}  // namespace

TEST_CASE("only a verdict of this very run counts") {
    CHECK(judge("pass", honest).status == 0);
    CHECK(judge("pass", honest).verdict.outcome == "pass");
    for (const std::string& script :
         {std::string("exit 0"), std::string("echo 'RESULT pass: 2 of 2 cases'"),
          std::string("verdict '{\"token\": \"0123\", \"outcome\": \"pass\", \"status\": 0}'"),
          std::string("verdict nonsense")}) {
        const Judged judged = judge("pass", script);
        CHECK(judged.status == 1);
        CHECK(judged.verdict.sentence == "the program ended (exit status 0) without the grader's verdict");
    }
    CHECK(judge("pass", "kill -9 $$").verdict.sentence ==
          "the program ended (signal 9) without the grader's verdict");
    CHECK(judge("pass", "exit 77").status == 1);
}

TEST_CASE("exit status and verdict must agree") {
    CHECK(contains(judge("pass", honest + "exit 3").verdict.sentence, "but the exit status is 3"));
    CHECK(judge("pass", honest + "exit 3").status == 1);
    CHECK(
        contains(judge("pass", verdict("fail", 1) + "exit 0").verdict.sentence, "but the exit status is 0"));
    CHECK(judge("pass", verdict("fail", 1) + "exit 1").status == 1);
    CHECK(judge("pass", verdict("fail", 1) + "exit 1").verdict.outcome == "wrong");
    CHECK(judge("pass", verdict("skip", 77) + "exit 77").status == 77);
}

TEST_CASE("an open gap") {
    CHECK(judge("pass", verdict("open", 1) + "exit 1").verdict.outcome == "open");
    CHECK(judge("open", verdict("open", 1) + "exit 1").status == 0);
    CHECK(judge("open", honest).verdict.sentence == "a starter must be reported as open");
}

TEST_CASE("what the test of a solution counts, its contract says, and nothing else") {
    const auto judged = [](const std::string& list, const std::string& demands) {
        const course_test::SmallCourse small;
        small.write(
            "tests/00_first/00_first.hpp",
            "/// Topic 00.\n///\n/// What is counted, besides the values:\n" + list + "namespace first {}\n");
        small.write("program", "#!/bin/sh\nverdict() { echo \"$1\" >\"$KIT_VERDICT\"; }\n" +
                                   verdict("pass", 0,
                                           ", \"cases\": [{\"name\": \"a\", \"outcome\": \"pass\", "
                                           "\"demands\": [" +
                                               demands + "]}]"));
        fs::permissions(small.path / "program", fs::perms::owner_all);
        Course course = small.course();
        course.backend = "CPU";
        command_judge(course, {"--name", "solution.00_first.add", "--mode", "pass", "--",
                               (small.path / "program").string()});
        return read_verdict(verdict_file(course, "solution.00_first.add"))->sentence;
    };
    const std::string list = "///   - sub: shuffles\n///   - add: barriers, bytes copied\n";
    const std::string both = "\"barriers\", \"bytes copied\", \"barriers\"";
    CHECK(judged(list, both) == "2 of 2 cases");
    CHECK(judged("", "") == "2 of 2 cases");
    CHECK(judged(list, both + ", \"kernels\"") ==
          "the test counts \"kernels\", and tests/00_first/00_first.hpp does not say so: its list \"What is "
          "counted\" must");
    CHECK(judged("", both) ==
          "the test counts \"barriers\", and tests/00_first/00_first.hpp does not say so: its list \"What is "
          "counted\" must");
    CHECK(judged(list, "\"barriers\"") ==
          "tests/00_first/00_first.hpp says that \"bytes copied\" is counted, and no case does: "
          "test.demand() is missing, or the list is old");
}

namespace {

/// Judges the entry wrong.a of the small course with a given verdict, which is JSON.
Judged judge_entry(const course_test::SmallCourse& small, const std::string& script,
                   const std::string& backend = "CPU", const std::string& test = "wrong.00_first.add.a") {
    small.write("program", "#!/bin/sh\nverdict() { echo \"$1\" >\"$KIT_VERDICT\"; }\n" + script);
    fs::permissions(small.path / "program", fs::perms::owner_all);
    small.write("build/wrong/00_first/add/a.cu", "a\n\n    play();\n");
    Course course = small.course();
    course.backend = backend;
    const int status = command_judge(course, {"--name", test, "--mode", "submission", "--submission",
                                              (small.path / "build/wrong/00_first/add/a.cu").string(), "--",
                                              (small.path / "program").string()});
    return {status, *read_verdict(verdict_file(course, test))};
}

std::string rejected(const std::string& facts, const std::string& word = "yes") {
    return "echo first\necho\necho 'WRONG  " + word +
           "'\necho\necho 'RESULT fail: 1 of 1 case failed'\necho '    again: ctest'\n" +
           verdict(
               "fail", 1,
               ", \"told\": \"n\", \"cases\": [{\"name\": \"n\", \"outcome\": \"fail\", " + facts + "}]") +
           "exit 1\n";
}

const std::string race =
    "\"diagnosis\": \"race\", \"tasks\": [1], \"at\": {\"file\": \"/b/a.cu\", \"line\": 3}";

}  // namespace

TEST_CASE("a submission must get the verdict that its entry states") {
    const course_test::SmallCourse small;
    CHECK(judge_entry(small, rejected(race)).status == 0);
    CHECK(judge_entry(small, rejected(race)).verdict.sentence == "rejected, as stated");
    const auto refused = [&](const std::string& facts, const std::string& change) {
        const Judged judged = judge_entry(small, rejected(facts));
        CHECK(judged.status == 1);
        CHECK(judged.verdict.sentence == "this is not the verdict that its entry states");
        CHECK(contains(judged.verdict.output, "\n" + change));
    };
    refused(replaced(race, "race", "tail"), "- kind: race\n+ kind: tail\n");
    refused(replaced(race, "[1]", "[1, 2]"), "- task: 1\n+ task: 1, 2\n");
    refused(replaced(race, "[1]", "[]"), "- task: 1\n+ task: none\n");
    refused(replaced(race, "3}", "1}"), "- at: play();\n+ at: a\n");
    refused(replaced(race, "a.cu", "kit.cuh"), "- at: play();\n+ at: kit.cuh\n");
    refused(replaced(race, "3}", "0}"), "- at: play();\n");
    refused(race + ", \"count\": {\"name\": \"barriers\"}", "+ demand: barriers\n");
    CHECK(contains(judge_entry(small, honest).verdict.output, "- kind: race\n+ kind: passed\n"));
    CHECK(judge_entry(small, honest, "CPU", "right.00_first.add.way").verdict.sentence ==
          "passed, as stated");
    CHECK(judge_entry(small, rejected(race), "CPU", "right.00_first.add.way").status == 1);
    CHECK(judge_entry(small, rejected(race), "CPU", "wrong.00_first.add.gone").verdict.sentence ==
          "no *.submissions file has an entry for this test");
}

TEST_CASE("the screen of a submission is compared with the one that was accepted") {
    const course_test::SmallCourse small;
    const Judged judged = judge_entry(small, rejected(race, "no"));
    CHECK(judged.status == 1);
    CHECK(contains(judged.verdict.output, "\n-WRONG  yes\n+WRONG  no\nRESULT fail: the screen differs"));
    CHECK(contains(judged.verdict.sentence, "kit_author accept wrong.00_first.add.a"));
    // The screen is not compared if it varies, or if the facts are only for the other backend.
    CHECK(judge_entry(small, rejected(race, "no"), "GPU").status == 0);
    small.change("tests/00_first/add.submissions", "task: 1", "task: 1\nscreen: varies (why)");
    CHECK(judge_entry(small, rejected(race, "no")).status == 0);
}

TEST_CASE("what another backend reports is stated for it") {
    const course_test::SmallCourse small;
    const std::string tail = replaced(replaced(race, "race", "tail"), "\"a.cu:3\"", "");
    CHECK(judge_entry(small, rejected(tail), "GPU").status == 1);
    small.change("tests/00_first/add.submissions", "kind: race", "kind: race\nkind.gpu: tail");
    CHECK(judge_entry(small, rejected(tail), "GPU").status == 0);
    CHECK(judge_entry(small, rejected(race)).status == 0);
    small.change("tests/00_first/add.submissions", "kind.gpu: tail", "backends: gpu (why)");
    CHECK(judge_entry(small, rejected(race)).status == 77);
}

TEST_CASE("the grader is told how wide the screen is, and where the tasks are") {
    CHECK(judge("pass", "[ \"$COLUMNS\" -ge 40 ] && [ \"$COLUMNS\" -le 100 ] || exit 9\n" + honest).status ==
          0);
    const course_test::SmallCourse small;
    Course course = small.course();
    course.submitted = small.path / "submitted";
    small.write("program", "#!/bin/sh\necho \"$KIT_REGIONS|$KIT_AGAIN|$KIT_TASKS\" >" + small.path.string() +
                               "/said\necho '{\"token\": \"'$KIT_TOKEN'\", \"outcome\": \"pass\", "
                               "\"status\": 0}' >$KIT_VERDICT\n");
    fs::permissions(small.path / "program", fs::perms::owner_all);
    CHECK(command_judge(course, {"--name", "solution.00_first.add", "--mode", "pass", "--submission",
                                 (small.path / "solutions/00_first/add.cu").string(), "--",
                                 (small.path / "program").string()}) == 0);
    CHECK(small.read("said") ==
          "add.cu 11 11 1\nadd.cu 13 14 1\nadd.cu 1 10 1 given\nadd.cu 12 12 1 given\n"
          "add.cu 15 16 1 given\n|solution.00_first.add$|1 Add\n\n");
}

namespace {

/// A course with one exercise, whose test passes and counts how many times it runs.
struct CountedCourse : course_test::SmallCourse {
    CountedCourse() {
        write("build/course.txt",
              "root " + path.string() + "\nbuild " + (path / "build").string() + "\nbackend CPU\n");
        write_program(honest);
    }

    void write_program(const std::string& script) const {
        write("program", "#!/bin/sh\necho run >>" + (path / "runs").string() +
                             "\nverdict() { echo \"$1\" >\"$KIT_VERDICT\"; }\n" + script);
        fs::permissions(path / "program", fs::perms::owner_all);
    }

    /// Judges the test. Returns the exit status and whether the program ran: "0 ran" or "0 kept".
    std::string judge(const std::string& test = "solution.00_first.add", const Arguments& more = {},
                      const std::string& judge = KIT_COURSE_PROGRAM) const {
        const std::string before = read_text_if_there(path / "runs");
        Arguments command = {judge,
                             "--course",
                             (path / "build/course.txt").string(),
                             "judge",
                             "--name",
                             test,
                             "--mode",
                             "pass",
                             "--submission",
                             (path / "solutions/00_first/add.cu").string(),
                             "--",
                             (path / "program").string()};
        command.insert(command.end(), more.begin(), more.end());
        const Run done = run(command);
        const bool ran = read_text_if_there(path / "runs") != before;
        CHECK(contains(done.output, "Nothing has changed since this verdict") != ran);
        if (done.status == 0) CHECK(ends_with(done.output, "RESULT pass: 2 of 2 cases\n"));
        return std::to_string(done.status) + (ran ? " ran" : " kept");
    }
};

}  // namespace

TEST_CASE("a test that has passed runs again only if something has changed") {
    const CountedCourse course;
    const fs::path results = course.path / "build/results/solution.00_first.add.json";
    CHECK(course.judge() == "0 ran");
    const std::string verdict = read_text(results);
    CHECK(course.judge() == "0 kept");
    CHECK(read_text(results) == verdict);

    SUBCASE("the program") {
        course.write_program(honest + "# new\n");
    }
    SUBCASE("the submission") {
        course.change("solutions/00_first/add.cu", "work()", "play()");
    }
    SUBCASE("the contract") {
        course.change("tests/00_first/00_first.hpp", "void add", "int add");
    }
    SUBCASE("a text that the test reads") {
        course.write("tests/00_first/poem.txt", "Of Man's first\n");
    }
    SUBCASE("the titles of the tasks") {
        course.change("exercises/00_first/README.md", "1: Add", "1: Sum");
    }
    SUBCASE("a damaged file") {
        course.write("build/results/solution.00_first.add.json", verdict.substr(9));
    }
    SUBCASE("no file") {
        fs::remove(results);
    }
    CHECK(course.judge() == "0 ran");
    CHECK(course.judge() == "0 kept");
}

TEST_CASE("of the submissions of an exercise, a test reads its own entry and screen") {
    const CountedCourse course;
    course.judge("wrong.00_first.add.a");
    CHECK(course.judge("wrong.00_first.add.a") == "0 kept");
    course.change("tests/00_first/add.submissions", "kind: tail", "kind: nan");
    course.change("tests/00_first/00_first.screens", "WRONG  no", "WRONG  none");
    CHECK(course.judge("wrong.00_first.add.a") == "0 kept");
    course.change("tests/00_first/add.submissions", "kind: race", "kind: nan");
    CHECK(course.judge("wrong.00_first.add.a") == "0 ran");
    course.change("tests/00_first/00_first.screens", "yes", "no");
    CHECK(course.judge("wrong.00_first.add.a") == "0 ran");
}

TEST_CASE("command line, environment, libraries and judge are inputs of a verdict") {
    const CountedCourse course;
    CHECK(course.judge() == "0 ran");
    CHECK(course.judge("solution.00_first.add", {"--case", "n=1"}) == "0 ran");
    CHECK(course.judge() == "0 ran");

    const auto check_variable = [&](const char* name, const std::string& value) {
        setenv(name, value.c_str(), 1);
        CHECK(course.judge() == "0 ran");
        CHECK(course.judge() == "0 kept");
        unsetenv(name);
        CHECK(course.judge() == "0 ran");
    };
    check_variable("KIT_SEED", "7");
    check_variable("COLUMNS", "70");

    const fs::path library = course.path / "library.so", judge = course.path / "kit_course";
    const Lines found = match(run({"ldd", "/bin/sh"}).output, "(/[^ ]*libc[.]so[^ ]*)");
    REQUIRE(!found.empty());
    fs::copy_file(found[1], library);
    setenv("LD_PRELOAD", library.c_str(), 1);
    CHECK(course.judge() == "0 ran");
    CHECK(course.judge() == "0 kept");
    course.write("library.so", read_text(library) + "new");
    CHECK(course.judge() == "0 ran");
    unsetenv("LD_PRELOAD");

    fs::copy_file(KIT_COURSE_PROGRAM, judge);
    const auto judge_with_copy = [&] { return course.judge("solution.00_first.add", {}, judge.string()); };
    CHECK(judge_with_copy() == "0 ran");
    CHECK(judge_with_copy() == "0 kept");
    std::ofstream(judge, std::ios::app) << "new";
    CHECK(judge_with_copy() == "0 ran");
}

TEST_CASE("a test of the executor reads its source, records and pages") {
    const CountedCourse course;
    const auto check_file = [&](const std::string& file, const std::string& test,
                                const std::string& outcome) {
        course.judge(test);
        CHECK(course.judge(test) == "0 kept");
        course.write(file, "new");
        CHECK(course.judge(test) == outcome);
    };
    check_file("tests/cpu/checks/race_test.cu", "cpu.checks.race", "0 ran");
    check_file("tests/cpu/recorded/h200.txt", "cpu.checks.race", "0 ran");
    check_file("lectures/diagnoses/leak.md", "cpu.checks.pages_memory", "0 ran");
    check_file("lectures/diagnoses/hang.md", "cpu.checks.race", "0 kept");
}

TEST_CASE("these tests always run") {
    const CountedCourse course;
    const auto check_runs = [&](const std::string& status, const std::string& test = "wrong.00_first.add") {
        for (int i = 0; i < 2; ++i) CHECK(course.judge(test) == status + " ran");
    };
    SUBCASE("a test of neither an exercise nor the executor") {
        check_runs("0", "kit.grader");
    }
    SUBCASE("on a GPU") {
        course.change("build/course.txt", "backend CPU", "backend GPU");
        check_runs("0");
    }
    SUBCASE("on request") {
        setenv("KIT_RUN_ALL", "1", 1);
        check_runs("0");
        unsetenv("KIT_RUN_ALL");
        CHECK(course.judge("wrong.00_first.add") == "0 kept");
    }
    SUBCASE("failed") {
        course.write_program(verdict("fail", 1) + "exit 1");
        check_runs("1");
    }
    SUBCASE("skipped") {
        course.write_program(verdict("skip", 77) + "exit 77");
        check_runs("77");
    }
    SUBCASE("stopped") {
        course.write_program("[ $KIT_RUN_ALL ] && kill -9 $PPID\n" + honest);
        CHECK(course.judge() == "0 ran");
        setenv("KIT_RUN_ALL", "1", 1);
        CHECK(course.judge() == "137 ran");
        unsetenv("KIT_RUN_ALL");
        CHECK(course.judge() == "0 ran");
    }
    SUBCASE("the inputs that a failing program claims") {
        CHECK(course.judge() == "0 ran");
        const std::string inputs =
            read_verdict(course.path / "build/results/solution.00_first.add.json")->inputs;
        CHECK(inputs.size() == 16);
        course.write_program(verdict("fail", 1, ", \"inputs\": \"" + inputs + "\"") + "exit 1");
        CHECK(course.judge() == "1 ran");
        CHECK(read_verdict(course.path / "build/results/solution.00_first.add.json")->inputs.empty());
    }
}

TEST_CASE("the tests of one exercise, and no others") {
    CHECK(Exercise{"07_reduction", "tree", {}}.pattern() == "reduction.tree$");
    CHECK(Exercise{"01_error_handling", "debug_sync", {"KIT_DEBUG_SYNC"}}.pattern() ==
          "error_handling.debug_sync([.]|$)");
}

TEST_CASE("programs that must say something") {
    CHECK(
        judge("message", "echo 'what is  x?'; exit 2", {"--status", "2", "--expect", "what is x?"}).status ==
        0);
    CHECK(judge("message", "echo x", {"--status", "2", "--expect", "x"}).verdict.sentence ==
          "the exit status is 0, but it must be 2");
    CHECK(judge("message", "echo y; exit 2", {"--status", "2", "--expect", "x"}).verdict.sentence ==
          "the output lacks a text that it must have");
    CHECK(judge("message", "echo x", {"--status", "not 0", "--expect", "x"}).status == 1);
    CHECK(judge("message", "echo 'RESULT skip: no GPU'; exit 77", {"--status", "0"}).status == 77);
    CHECK(judge("message", "echo 'RESULT skip: no GPU'; exit 77", {"--status", "77", "--expect", "GPU"})
              .status == 0);
}

TEST_CASE("a forged verdict is shown as the program's own word, never at the start of a line") {
    CHECK(contains(judge("pass", "echo 'RESULT skip: no GPU'; exit 77").verdict.output,
                   "  | RESULT skip: no GPU"));
    CHECK(contains(judge("pass", "echo 'RESULT pass: forged'\n" + honest).verdict.output,
                   "  | RESULT pass: forged"));
}

TEST_CASE("reports of compute-sanitizer are told in our words") {
    const course_test::Folder folder;
    folder.write("tree.cu", "a\n    tile[t] = in[i];\nb\n    tile[t] += tile[t + 1];\n");
    const std::string output =
        "========= Invalid __global__ write of size 4 bytes\n"
        "=========     at tree(const float *, float *)+0x90 in tree.cu:2\n"
        "=========     by thread (3,0,0) in block (1,0,0)\n"
        "=========     Access to 0x7f00 is out of bounds\n"
        "=========     and is 12 bytes after the nearest allocation at 0x7f00a0 of size 400 bytes\n"
        "========= Error: Race reported between Write access at void ns::tree<int>(int)+0x10 in "
        "/x/tree.cu:4\n"
        "=========     and Read access at tree(int)+0x20 in /x/tree.cu:2 [8 hazards]\n"
        "========= ERROR SUMMARY: 2 errors\n";
    using kit::facts::Rule;
    const auto findings = findings_of_sanitizer(output, folder.path / "tree.cu");
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].rule == Rule::race);
    CHECK(findings[0].times == 8);
    CHECK(findings[0].accesses.at(0).write);
    CHECK(findings[0].accesses.at(1).at.line == 2);
    CHECK(findings[1].rule == Rule::out_of_bounds);
    CHECK(findings[1].memory.distance == 12);
    CHECK(findings[1].memory.bytes == 400);
    const Lines words = told_of_sanitizer(findings);
    REQUIRE(words.size() == 4);
    CHECK(words[0] ==
          "FAIL  race on shared memory in `tree`: a thread writes it at line 4 of tree.cu: `tile[t] += "
          "tile[t + 1];`, and "
          "another thread reads it at line 2 of tree.cu: `tile[t] = in[i];`; there is no barrier between "
          "line 2 and line 4: add one, or let the threads use different elements (seen 8 times)");
    CHECK(words[1] ==
          "FAIL  thread (3,0,0) of block (1,0,0) of `tree` writes 4 bytes at line 2 of tree.cu: `tile[t] = "
          "in[i];`: "
          "out of bounds, 12 bytes after the end of the nearest allocation (400 bytes). Check the index, its "
          "guard, and the size of this memory");
    CHECK(words[2] == "      see lectures/diagnoses/address.md");
}

TEST_CASE("each tool of compute-sanitizer has its kinds of findings") {
    const course_test::Folder folder;
    folder.write("tree.cu",
                 "a\n    sum += __shfl_down_sync(~0u, sum, 1);\n    __syncthreads();\nout[i] = in[i];\n");
    const auto rules = [&](const std::string& output) {
        std::string names;
        for (const kit::facts::Finding& one : findings_of_sanitizer(output, folder.path / "tree.cu"))
            names += std::string(name_of(one.rule)) + " at " + std::to_string(one.place.line) + "; ";
        return names;
    };
    const std::string at_4 =
        "=========     at tree(int)+0x90 in tree.cu:4\n=========     by thread (3,0,0) in block (1,0,0)\n";
    CHECK(rules("========= Invalid __shared__ read of size 4 bytes\n" + at_4 +
                "=========     Address 0x1000 is out of bounds\n") == "out_of_bounds_somewhere at 4; ");
    CHECK(rules("========= Invalid __global__ read of size 16 bytes\n" + at_4 +
                "=========     Access to 0x7f0004 is misaligned\n"
                "=========     and is inside the nearest allocation at 0x7f0000 of size 400 bytes\n") ==
          "misaligned_somewhere at 4; ");
    CHECK(rules("========= Uninitialized __global__ memory read of size 4 bytes\n" + at_4) ==
          "unwritten at 4; ");
    CHECK(rules("========= Barrier error detected. Divergent thread(s) in block.\n"
                "=========     at tree(int)+0x90 in tree.cu:3\n") == "block_parts at 3; ");
    // Headers of the tool are left out, so the place is the student's line that called them.
    CHECK(rules("========= Barrier error detected. Divergent thread(s) in warp.\n"
                "=========     at __shfl_down_sync(unsigned int, int, unsigned int, int)+0x10 in "
                "/c/sm_30_intrinsics.hpp:501\n"
                "=========     by thread (3,0,0) in block (1,0,0)\n"
                "=========         Device Frame: tree(int)+0x90 in tree.cu:2\n") == "warp_parts at 2; ");
    CHECK(rules("========= Invalid __global__ read of size 4 bytes\n" + at_4 +
                "========= Invalid __global__ read of size 4 bytes\n" + at_4) ==
          "out_of_bounds_somewhere at 4; ");
    CHECK(rules("========= ERROR SUMMARY: 0 errors\nsome text\n").empty());
}

}  // namespace judge_test
