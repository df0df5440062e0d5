// Who is alike: a copy that was renamed and reformatted is found; two who solve a short task alike are not accused, and neither is
// any pair of the right programs that the course itself has.
#include "alike.hpp"

#include <doctest/doctest.h>

#include "made_up_class.hpp"
#include "patch.hpp"

namespace alike_test {

using namespace classroom;
using namespace classroom_test;

namespace {

/// A way of one's own to sum, of which the course's solution has nothing.
constexpr char own_way[] = R"(// my sum
__device__ float fold(float* cells, int width) {
    float first = 0.0f, second = 0.0f;
    for (int cell = threadIdx.x; cell < width; cell += 2 * blockDim.x) {
        first += cells[cell] * cells[cell];
        if (cell + blockDim.x < width) second = second - cells[cell + blockDim.x] / 3.0f;
    }
    while (second > first && width > 7) {
        second = second / 2.0f + first;  // until it fits
        width = width - 5;
    }
    cells[threadIdx.x] = first * second;
    return width % 11 == 3 ? first : second;
}
)";

/// The same, as somebody hands it in who has copied it: other names, other layout, other comments, braces, one line more.
constexpr char copied[] = R"(/* Summation, by me. */
__device__ float my_function(float *buf, const int n)
{
  float accumulator = 0.f, other = 0.f;
  for (int idx = threadIdx.x;
       idx < n;
       idx += 2 * blockDim.x)
  { accumulator += buf[idx] * buf[idx];
    if (idx + blockDim.x < n) { other = other - buf[idx + blockDim.x] / 3.f; } }
  int unused = 0;
  while (other > accumulator && n > 7)
  {
    other = other / 2.f + accumulator;
    n = n - 5;
  }
  buf[threadIdx.x] = accumulator * other;
  return n % 11 == 3 ? accumulator : other;
}
)";

/// Somebody else's program for the same task, of the same length.
constexpr char other_way[] = R"(__device__ float add_up(float* tile, int size) {
    for (int offset = 16; offset > 0; offset >>= 1) {
        __syncwarp();
        tile[threadIdx.x] += __shfl_down_sync(0xffffffffu, tile[threadIdx.x], offset);
    }
    if ((threadIdx.x & 31) == 0) atomicAdd(&tile[size], tile[threadIdx.x]);
    __syncthreads();
    unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    if (warp == 0 && lane < size / 32) tile[lane] = tile[lane * 32];
    __syncthreads();
    return tile[size] + static_cast<float>(lane) * 0.0f;
}
)";

std::string with_solution(const std::string& text) {
    return solution_of(3) + text;
}

}  // namespace

TEST_CASE("a copy that was renamed and reformatted is found, with its lines") {
    MadeUpClass made;
    for (const char* id : {"ada", "bob", "eve"}) made.add(id, std::string("<b>") + id);
    made.hand_in(made.graded.students[0], "07_reduction/tree", "pass", with_solution(own_way));
    made.hand_in(made.graded.students[1], "07_reduction/tree", "pass", with_solution(other_way));
    made.hand_in(made.graded.students[2], "07_reduction/tree", "wrong", copied);
    const std::vector<Alike> pairs = alike_pairs(made.graded);
    REQUIRE(pairs.size() == 1);
    CHECK(pairs[0].exercise->id() == "07_reduction/tree");
    CHECK(pairs[0].a == std::vector<const Student*>{&made.graded.students[0]});
    CHECK(pairs[0].b == std::vector<const Student*>{&made.graded.students[2]});
    CHECK(pairs[0].share > 0.9);
    CHECK(!pairs[0].is_identical());
    // The function is lines 2 to 14 of its text, behind the solution's; 2 to 18 of the copy, with one line between that is not shared.
    const int before = static_cast<int>(course::lines_of(solution_of(3)).size());
    REQUIRE(pairs[0].passages.size() == 2);
    CHECK(pairs[0].passages[0].first_a == before + 2);
    CHECK(pairs[0].passages[0].first_b == 2);
    CHECK(pairs[0].passages[1].last_a == before + 13);
    CHECK(pairs[0].passages[1].last_b == 17);
    const std::string page = alike_html(made.graded, pairs);
    CHECK(contains(page, "while (second &gt; first &amp;&amp; width &gt; 7) {"));
    CHECK(contains(page, "while (other &gt; accumulator &amp;&amp; n &gt; 7)"));
    CHECK(!contains(page, "int unused"));
    CHECK(contains(page, "&lt;b&gt;eve"));
    CHECK(!contains(page, "<b>eve"));
    CHECK(!contains(page, "bob"));
}

TEST_CASE("the same file from two is found; a starter, a missing and an empty file are not") {
    MadeUpClass made;
    for (const char* id : {"ada", "bob", "bea", "cyd", "dan", "eve", "fay"}) made.add(id);
    for (int i = 0; i < 3; ++i) made.hand_in(made.graded.students[i], "07_reduction/tree", "pass", own_way);
    for (int i = 3; i < 5; ++i)
        made.hand_in(made.graded.students[i], "07_reduction/tree", "open", own_way).is_starter = true;
    for (int i = 5; i < 7; ++i) made.hand_in(made.graded.students[i], "07_reduction/tree", "broken", "");
    const std::vector<Alike> pairs = alike_pairs(made.graded);
    REQUIRE(pairs.size() == 1);
    CHECK(pairs[0].is_identical());
    CHECK(pairs[0].a.size() == 3);  // one line for all three, not a line for each two of them
    CHECK(pairs[0].share == 1);
    CHECK(contains(alike_html(made.graded, pairs), "identical"));
    CHECK(contains(alike_html(made.graded, {}), "No two of 7 students"));
}

TEST_CASE("what the starter or a solution has is nobody's own") {
    MadeUpClass made;
    for (const char* id : {"ada", "bob"}) made.add(id);
    made.hand_in(made.graded.students[0], "07_reduction/tree", "pass", own_way);
    made.hand_in(made.graded.students[1], "07_reduction/tree", "pass", copied);
    CHECK(alike_pairs(made.graded).size() == 1);
    made.write("kit/solutions/07_reduction/tree.cu",
               solution_of(3) + own_way);  // all of its text but the region is the starter's
    CHECK(alike_pairs(made.graded).empty());
}

TEST_CASE("what many hand in is nobody's own") {
    MadeUpClass made;
    for (int i = 0; i < 6; ++i) made.add("s" + std::to_string(i));
    const auto hand_in = [&](int i) {  // each a text of its own
        made.hand_in(made.graded.students[static_cast<std::size_t>(i)], "07_reduction/tree", "pass",
                     own_way + ("\n// " + std::to_string(i)));
    };
    for (int i = 0; i < 5; ++i) hand_in(i);
    CHECK(alike_pairs(made.graded).size() == 10);  // five who share it, each with each
    hand_in(5);
    CHECK(alike_pairs(made.graded).empty());
}

// The course's solution has nothing of them here, so nothing but their length speaks for them.
TEST_CASE("two right solutions of three lines are no pair") {
    MadeUpClass made;
    for (const char* id : {"ada", "bob", "eve"}) made.add(id);
    const char* loops[] = {
        "void part1() {\n    for (int s = kBlock / 2; s > 0; s >>= 1) {\n        __syncthreads();\n        "
        "if (t < s) tile[t] += "
        "tile[t + s];\n    }\n}\n",
        "void part1() {\n    for (int step = kBlock / 2; step > 0; step >>= 1) {\n        __syncthreads();\n "
        "       if (t < step) "
        "tile[t] += tile[t + step];\n    }\n}\n",
        "void part1() {\n    int s = kBlock;\n    while (s >>= 1) {\n        __syncthreads();\n        if (t "
        "< s) tile[t] = tile[t] + "
        "tile[t + s];\n    }\n}\n"};
    for (std::size_t i = 0; i < 3; ++i)
        made.hand_in(made.graded.students[i], "07_reduction/tree", "pass", loops[i]);
    CHECK(alike_pairs(made.graded).empty());
}

TEST_CASE("of the course's own right programs no two are alike") {
    const Course course = Course::read(KIT_COURSE_LIST);
    Class graded;
    graded.course = &course;
    const course_test::Folder folder;
    std::map<std::string, Student> students;
    std::size_t texts = 0;
    for (const Exercise& exercise : course.exercises) {
        graded.exercises.push_back(&exercise);
        const Lines solution = course::lines_of(course::read_text(course.root / exercise.solution()));
        const auto hand_in = [&](const std::string& id, const Lines& text) {
            folder.write(id + "/" + exercise.id() + ".cu", course::text_of(text));
            students[id].id = students[id].name = id;
            students[id].entries[exercise.id()].file = folder.path / id / (exercise.id() + ".cu");
            ++texts;
        };
        hand_in("solution", solution);
        for (const fs::path& path : course.files(exercise.right(), {".patch"}))
            hand_in(path.stem().string(),
                    course::Patch(path, course::read_text(course.root / path)).applied_to(solution));
        for (const fs::path& path : course.files(fs::path("tests/submissions") / exercise.id(), {".cu"})) {
            if (path.filename().string().rfind("right_", 0) != 0) continue;
            // What somebody wrote into each gap ("// REGION k"), in the solution's place (tests/submissions.sh); or a whole program.
            std::map<std::string, Lines> regions;
            std::string region;
            const Lines given = course::lines_of(course::read_text(course.root / path));
            for (const std::string& line : given) {
                const bool begins = course::begins_with(line, "// REGION ") || line == "// TOP";
                if (begins) region = line == "// TOP" ? "top" : line.substr(10);
                if (begins)
                    regions[region];
                else if (!region.empty())
                    regions[region].push_back(line);
            }
            Lines text = regions.empty() ? given : regions["top"];
            bool is_replaced = false;
            for (const std::string& line : regions.empty() ? Lines() : solution) {
                const Lines begins = course::match(line, "// BEGIN SOLUTION ([0-9]+)");
                if (!begins.empty() && regions.count(begins[1])) {
                    is_replaced = true;
                    text.insert(text.end(), regions[begins[1]].begin(), regions[begins[1]].end());
                }
                if (!is_replaced) text.push_back(line);
                if (course::contains(line, "// END SOLUTION")) is_replaced = false;
            }
            hand_in(path.stem().string(), text);
        }
    }
    for (const auto& [id, student] : students) graded.students.push_back(student);
    CHECK(texts > 180);  // of which each exercise has two or more
    for (const Alike& pair : alike_pairs(graded))
        FAIL_CHECK(pair.exercise->id(), ": ", pair.a[0]->id, " and ",
                   pair.is_identical() ? pair.a[1]->id : pair.b[0]->id, " share ", pair.words, " words");
}

TEST_CASE("200 students with programs of 200 lines take seconds, not hours") {
    MadeUpClass made;
    const std::string base = own_way;
    for (int i = 0; i < 200; ++i) {
        made.add("s" + std::to_string(i));
        std::string text;
        for (int part = 0; part < 40; ++part) {  // no two have the same numbers
            const std::string number = std::to_string(1000 * i + part);
            text += "int f" + number + "(int a) {\n    if (a > " + number + ") a -= " + number +
                    ";\n    a = a * " + number + ";\n    return a ^ " + number + ";\n}\n";
        }
        made.hand_in(made.graded.students.back(), "07_reduction/tree", "pass", text);
    }
    CHECK(alike_pairs(made.graded).empty());
}

}  // namespace alike_test
