// Tests the decisions and screens of `watch` without a terminal: keys, the first exercise, hints, the list,
// the screen.
#include <doctest/doctest.h>

#include <text_layout.hpp>

#include "watch/keys.hpp"
#include "watch/screen.hpp"
#include "watch/session.hpp"
#include "watched_course.hpp"

namespace watch_session_test {

using namespace course;
using course_test::WatchedCourse;
using Do = Session::Do;

namespace {

/// A session with the exercise "add", whose file has this text and has been graded.
struct WatchedSession : WatchedCourse {
    Session session{course, &course.named("add")};

    explicit WatchedSession(const std::string& text) { session.graded(grade("add", text), ""); }
    std::string screen(int columns = 80, int rows = 24) const {
        return text_of(screen_of(session, {columns, rows}, Look::plain()));
    }
};

}  // namespace

TEST_CASE("keys, also those that come in parts") {
    std::string bytes = "qH\r\033[A\033[6~\033OB\033x\303\244";
    CHECK(take_keys(bytes, false) == std::vector<int>{'q', 'h', key_enter, key_up, key_page_down, key_down,
                                                      key_unknown, key_unknown, key_unknown});
    CHECK(bytes.empty());
    for (const std::string part : {"\033", "\033[", "\033[5", "\033O"}) {
        bytes = part;
        CHECK(take_keys(bytes, false).empty());
        CHECK(bytes == part);
    }
    bytes = "\033";
    CHECK(take_keys(bytes, true) == std::vector<int>{key_escape});
    bytes = "\033[5";
    CHECK(take_keys(bytes, true) == std::vector<int>{key_unknown});
    CHECK(bytes.empty());
}

TEST_CASE("it begins where one left off") {
    const WatchedCourse files;
    const Course& course = files.course;
    CHECK(Session(course, nullptr).exercise().name == "start");
    CHECK(Session(course, &course.named("subtract")).exercise().name == "subtract");
    files.grade("subtract", "race");
    CHECK(Session(course, nullptr).exercise().name == "subtract");
    files.grade("add", "right");
    CHECK(Session(course, nullptr).exercise().name == "subtract");
    files.grade("subtract", "right");
    CHECK(Session(course, nullptr).exercise().name == "start");
    files.grade("start", "right");
    CHECK(Session(course, nullptr).exercise().name == "start");
}

TEST_CASE("what is wrong: its verdict, and the hints of its task one after the other") {
    WatchedSession watched("race");
    CHECK(contains(watched.screen(), "00_first/add is wrong"));
    CHECK(contains(watched.screen(), "\n\nWRONG  race on `tile`\nRESULT fail: 1 of 2 cases failed\n"));
    CHECK(!contains(watched.screen(), "Hint"));
    CHECK(!contains(watched.screen(), "Explain"));
    CHECK(watched.session.press('h') == Do::nothing);
    CHECK(contains(watched.screen(), "Hint 1 of 3 (a question), Task 2, \"add\"\n    Who waits for whom?\n"));
    watched.session.press('h');
    CHECK(contains(watched.screen(), "Look at the barrier."));
    CHECK(!contains(watched.screen(), "Who waits"));
    watched.session.press('h');
    CHECK(contains(watched.screen(), "        for each step:\n            wait\n"));
    watched.session.press('h');
    CHECK(contains(watched.screen(), "Who waits for whom?"));
    // A new verdict hides the hint. The next hint for the same task is the following one.
    CHECK(watched.session.saved({watched.file("add")}) == Do::grade);
    watched.session.graded(watched.grade("add", "race "), "");
    CHECK(!contains(watched.screen(), "Hint"));
    watched.session.press('h');
    CHECK(contains(watched.screen(), "Look at the barrier."));
    // For a different task, the first hint is shown.
    watched.session.graded(watched.grade("add", "KIT_TODO(1);\n"), "");
    watched.session.press('h');
    CHECK(contains(watched.screen(), "Which element?"));
}

TEST_CASE("what is done: its questions, and what is next") {
    WatchedSession watched("right");
    const std::string screen = watched.screen();
    CHECK(contains(screen, "RESULT pass: 2 of 2 cases"));
    CHECK(contains(screen, "\nExplain\n  1.  Predict the time of n = 1.\n  2.  Why not zero?\n"));
    CHECK(contains(screen, "  Next: 00_first/subtract was not graded yet\n"));
    CHECK(contains(screen, "1 of 3 done\n"));
    watched.session.press('h');
    CHECK(contains(watched.screen(), "The exercise is done"));
    CHECK(watched.session.press('n') == Do::grade);
    CHECK(watched.session.exercise().name == "subtract");
    CHECK(contains(watched.screen(), "Building and grading "));
    watched.session.graded(watched.grade("subtract", "right"), "");
    CHECK(watched.session.press('n') == Do::grade);  // the remaining exercises are at the beginning of the
                                                     // course
    CHECK(watched.session.exercise().name == "start");
}

TEST_CASE("what is right, but not as the exercise asks: neither done nor wrong") {
    WatchedSession watched("loop");
    const std::string screen = watched.screen();
    CHECK(contains(screen, "00_first/add is right, but not as the exercise asks"));
    CHECK(contains(screen, "\n\nOTHER  right results\nRESULT other: right in all 2 cases\n"));
    CHECK(contains(screen, "0 of 3 done\n"));
    CHECK(!contains(screen, "Explain"));
    watched.session.press('h');  // the task of the verdict has hints
    CHECK(contains(watched.screen(), "Hint 1 of 3 (a question), Task 2"));
    watched.session.press('l');
    CHECK(contains(watched.screen(), ">   2  other   00_first/add\n"));
    Look look = Look::plain();
    look.colour = true;
    const std::string list = text_of(screen_of(watched.session, {80, 24}, look));
    CHECK(!contains(list, "\033[31m"));
    watched.session.press('l');
    CHECK(watched.session.press('n') == Do::grade);  // the exercise can be left during its grading
    CHECK(watched.session.exercise().name == "subtract");
}

TEST_CASE("what nobody has touched: where to write") {
    WatchedSession watched("race");
    CHECK(watched.session.press('n') == Do::grade);
    const std::string starter = watched.read(watched.submitted("subtract"));
    watched.session.graded(watched.grade("subtract", starter), "");
    CHECK(contains(watched.screen(),
                   "Edit the file and save it. Saving builds and grades the exercise.\n        edit    "
                   "submitted/00_first/sub"));
    CHECK(contains(watched.screen(), "task    Task 1: subtract\n"));
}

TEST_CASE("a save leads to its exercise") {
    WatchedSession watched("race");
    Session& session = watched.session;
    const fs::path start = watched.file("start"), add = watched.file("add"),
                   subtract = watched.file("subtract");
    CHECK(session.saved({}) == Do::nothing);
    CHECK(session.saved({watched.path / "notes.txt"}) == Do::nothing);
    CHECK(!session.is_grading());
    CHECK(session.saved({subtract}) == Do::grade);
    CHECK(session.exercise().name == "subtract");
    CHECK(session.saved({start, subtract, add}) == Do::grade);  // "save all" in an editor
    CHECK(session.exercise().name == "subtract");
    CHECK(session.saved({add, start}) == Do::grade);
    CHECK(session.exercise().name == "start");
    // A header belongs to the exercises that include it.
    watched.write("submitted/00_first/mine.hpp", "");
    for (const char* name : {"add", "subtract"})
        watched.write(watched.submitted(name), "#include \"mine.hpp\"\n");
    CHECK(session.files().count(watched.path / "submitted/00_first/mine.hpp") == 1);
    CHECK(session.saved({watched.path / "submitted/00_first/mine.hpp"}) == Do::grade);
    CHECK(session.exercise().name == "add");
    CHECK(session.saved({subtract}) == Do::grade);
    CHECK(session.saved({watched.path / "submitted/00_first/mine.hpp"}) == Do::grade);
    CHECK(session.exercise().name == "subtract");
}

TEST_CASE("next and previous, and their ends") {
    WatchedSession watched("race");
    CHECK(watched.session.press('p') == Do::grade);
    CHECK(watched.session.exercise().name == "start");
    CHECK(watched.session.press('p') == Do::nothing);
    CHECK(contains(watched.screen(), "This is the first exercise."));
    CHECK(watched.session.press('n') == Do::grade);
    CHECK(watched.session.press('n') == Do::grade);
    CHECK(watched.session.press('n') == Do::nothing);
    CHECK(contains(watched.screen(), "This is the last exercise."));
    CHECK(watched.session.press('x') == Do::nothing);
    CHECK(watched.session.press('q') == Do::quit);
    CHECK(watched.session.press(control('c')) == Do::quit);
}

TEST_CASE("the list: by number, with arrows, and back") {
    WatchedSession watched("race");
    watched.session.press('l');
    CHECK(contains(watched.screen(), "\n    1  -       00_first/start\n>   2  wrong   00_first/add\n"));
    CHECK(watched.session.press(key_enter) == Do::nothing);  // this exercise is shown already
    CHECK(!watched.session.in_list());
    watched.session.press('l');
    watched.session.press(key_down);
    CHECK(watched.session.press(key_down) == Do::nothing);
    CHECK(watched.session.marked() == 2);
    watched.session.press('1');
    CHECK(watched.session.marked() == 0);
    watched.session.press('9');  // there is no exercise 19
    CHECK(watched.session.marked() == 2);
    watched.session.press(key_home);
    watched.session.press('3');
    CHECK(watched.session.press(key_enter) == Do::grade);
    CHECK(watched.session.exercise().name == "subtract");
    watched.session.press('l');
    watched.session.press(key_escape);
    CHECK(!watched.session.in_list());
    watched.session.press('l');
    CHECK(watched.session.saved({watched.file("add")}) == Do::grade);  // a verdict will follow
    CHECK(!watched.session.in_list());
}

TEST_CASE("while it is graded, and when ctest has no verdict") {
    WatchedSession watched("race");
    watched.session.press('r');
    watched.session.wait(12, "Building what all exercises share, once ...\n");
    CHECK(contains(watched.screen(), "00_first/add is being graded"));
    CHECK(contains(watched.screen(), "add.cu ... 12 s\n\nBuilding what all exercises share, once ...\n"));
    watched.session.graded({}, "It cannot be built.\n");
    CHECK(contains(watched.screen(), "There is no verdict. ctest says:\n\nIt cannot be built.\n"));
}

TEST_CASE("a screen has its lines, none too long, and scrolls") {
    WatchedSession watched("race");
    std::string report =
        "\033[31mred\033[0m\tof " + std::string(200, 'x') + " \303\244" + std::string(99, 'y') + "\n";
    for (int i = 0; i < 50; ++i) report += "line " + std::to_string(i) + "\n";
    watched.session.graded({}, report);
    for (const Size size : {Size{80, 24}, Size{100, 40}, Size{40, 10}, Size{20, 3}, Size{1, 1}}) {
        const Lines lines = screen_of(watched.session, size, Look::plain());
        CHECK(lines.size() == static_cast<std::size_t>(size.rows));
        for (const std::string& line : lines) {
            CHECK(kit::columns_of(line) <= size.columns);
            CHECK(!contains(line, "\033"));
            CHECK(!contains(line, "\t"));
        }
    }
    CHECK(contains(watched.screen(), "line 9\n"));
    CHECK(!contains(watched.screen(), "line 49\n"));
    CHECK(contains(watched.screen(), "arrows: more"));
    watched.session.note("A long word to the reader. " + std::string(70, 'z'));
    CHECK(
        contains(watched.screen(), "\n\nA long word to the reader.\n" + std::string(70, 'z') + "\nh hint "));
    CHECK(lines_of(watched.screen()).size() == 24);
    watched.session.press(key_end);
    CHECK(contains(watched.screen(), "line 49\n"));
    watched.session.press(key_up);
    CHECK(!contains(watched.screen(), "line 49\n"));
    watched.session.press(key_home);
    CHECK(contains(watched.screen(), "There is no verdict."));
    CHECK(contains(drawn({"a", "b"}), "\033[H\033[Ka\r\n\033[Kb\033[J"));
}

}  // namespace watch_session_test
