// kit_course new_exercise TOPIC NAME: the files of an exercise, with everything filled in that does not depend on what it is about.
// What is made compiles, and fails: the solution is the gap that the student will find. Nothing that exists is overwritten.
#include "new_exercise.hpp"

#include <cstdio>
#include <map>

#include "commands.hpp"
#include "markdown.hpp"
#include "rules.hpp"
#include "starters.hpp"

namespace course {

namespace {

const char contract_text[] =
    R"(/// Doubles: out[i] = 2 * in[i] for every i with 0 <= i < n. WRITE: what @NAME@ computes, and of what.
///
/// @param in   device memory, n floats, not modified
/// @param n    number of elements, 0 or more; for 0 nothing happens
/// @param out  device memory, n floats, every one of them written
/// @note       O(n) work; an error of the launch ends the program (CUDA_CHECK_LAUNCH)
void @NAME@(const float* in, int n, float* out);

)";

const char solution_text[] = R"(// @TOPIC@/@NAME@: WRITE: what it does, in one line.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests @NAME@.cu
//        ../../tests/@TOPIC@/@NAME@_test.cu -o @NAME@
// Run:   ./@NAME@
//
//   v1  @NAME@_v1: one thread per element

#include "@TOPIC@/@TOPIC@.hpp"
#include "kit.cuh"

namespace @NAMESPACE@ {

// v1: WRITE: how this version differs from the one before it, and what it costs.
// Mapping : one thread per element.
// Cost    : 1 global read and 1 global write per element.
// Requires: nothing; n may be ragged.
// [@NAME@_v1]
__global__ void @NAME@_v1(const float* in, int n, float* out) {
    // TODO(1): WRITE: what the student is to write here, and in how many lines.
    // BEGIN SOLUTION 1
    KIT_TODO(1, in, n, out);  // WRITE: the solution, instead of this line
    // STARTER KIT_TODO(1, in, n, out);
    // END SOLUTION 1
}
// [/@NAME@_v1]

void @NAME@(const float* in, int n, float* out) {
    if (n == 0) return;
    @NAME@_v1<<<kit::ceil_div(n, 256), 256>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

}  // namespace @NAMESPACE@
)";

const char test_text[] = R"(// Grades @TOPIC@/@NAME@: WRITE: which mistakes the cases are for.
#include <string>
#include <vector>

#include "@TOPIC@/@TOPIC@.hpp"
#include "grader.cuh"

namespace {

std::vector<float> reference(const std::vector<float>& in) {
    std::vector<float> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = 2 * in[i];
    return out;
}

void judge(kit::Case& test, int n) {
    auto values = kit::heavy_tailed<float>(test.random(), n);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", values.size());
    test.call([&] { @NAMESPACE@::@NAME@(in.data(), n, out.data()); });
    test.expect(out, reference(values), kit::exact());
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("@TOPIC@", "@NAME@", argc, argv);
    for (int n : kit::sizes(256)) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { judge(test, n); });
    }
    return grader.run();
}
)";

const char tasks_text[] = R"(
## @NAME@

**Goal.** WRITE: one sentence.

**The idea.** WRITE: five lines and a diagram.

### Task 1: WRITE: a title

WRITE: what is to be done here, in one sentence.

<details><summary>Hint 1 (a question)</summary>

WRITE: a question that leads to the answer?
</details>
<details><summary>Hint 2 (a pointer)</summary>

WRITE: where to look, and for what.
</details>
<details><summary>Hint 3 (near-code)</summary>

```text
WRITE: almost the lines themselves
```
</details>

### Run it

```sh
ctest --preset exercises -R @SHORT@
# or, where there is a GPU, without any build system:
nvcc -std=c++17 -Icommon -Itests exercises/@TOPIC@/@NAME@.cu tests/@TOPIC@/@NAME@_test.cu -o @NAME@
./@NAME@
```

### Explain

1. WRITE: change N, predict, measure, say why.
)";

/// The text of an existing file of the checkout, with `insertion` put at the place that find(text) tells.
template <class Find>
std::string with(const Course& course, const fs::path& path, const std::string& insertion,
                 const std::string& place, Find&& find) {
    std::string text = read_text(course.root / path);
    const std::size_t at = find(text);
    if (at == std::string::npos) throw Error(path.string() + ": has no " + place + ", so nothing is made");
    return text.insert(at, insertion);
}

/// Behind the last exercise of kit_add_topic(... EXERCISES a b c ...).
std::size_t end_of_exercises(const std::string& text, const std::string& topic) {
    const std::size_t call = text.find("kit_add_topic(" + topic), word = text.find("EXERCISES", call);
    if (call == std::string::npos || word == std::string::npos) return std::string::npos;
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789 \n", word + 9);
    return end == std::string::npos ? end : text.find_last_not_of(" \n", end - 1) + 1;
}

/// Before the end of the last cell of the first row that begins so.
std::size_t end_of_row(const std::string& text, const std::string& beginning) {
    const std::size_t row = text.find("\n" + beginning);
    return row == std::string::npos ? row : text.rfind(" |", text.find('\n', row + 1));
}

}  // namespace

std::vector<fs::path> new_exercise(const Course& course, const std::string& topic, const std::string& name) {
    if (name.empty() ||
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") != std::string::npos ||
        name.find_first_of("abcdefghijklmnopqrstuvwxyz") != 0)
        throw Error("\"" + name +
                    "\" is no name for an exercise: lower-case letters, digits and _, a letter first");
    if (course.exercises_of(topic).empty())
        throw Error("There is no topic " + topic + ": README.md tells what a topic needs");
    const Exercise exercise{topic, name, {}};
    for (const fs::path& path :
         {exercise.solution(), exercise.starter(), exercise.test(), exercise.wrong()}) {
        if (fs::exists(course.root / path))
            throw Error(path.string() + ": exists already, so nothing is made");
    }
    const fs::path tests = fs::path("tests") / topic, contract = tests / (topic + ".hpp"),
                   list = tests / "CMakeLists.txt";
    for (const fs::path& path : {contract, list, exercise.tasks(), fs::path("README.md")}) {
        if (!fs::exists(course.root / path))
            throw Error(path.string() + ": missing; README.md tells what a topic needs");
    }
    const std::string declared = read_text(course.root / contract),
                      tasks = read_text(course.root / exercise.tasks());
    if (contains(declared, " " + name + "(") || contains(tasks, "\n## " + name + "\n"))
        throw Error(contract.string() + " or " + exercise.tasks().string() + ": has " + name + " already");
    const std::string mark = "}  // namespace ";
    const std::size_t close = declared.rfind(mark);
    if (close == std::string::npos)
        throw Error(contract.string() + ": does not end with \"" + mark + "...\"");
    const std::string space = words_of(declared.substr(close + mark.size())).at(0);

    const auto filled = [&](std::string text) {
        for (const auto& [from, to] : std::map<std::string, std::string>{{"@TOPIC@", topic},
                                                                         {"@NAME@", name},
                                                                         {"@NAMESPACE@", space},
                                                                         {"@SHORT@", exercise.short_name()}})
            text = replaced(text, from, to);
        return text;
    };
    std::string page = tasks + filled(tasks_text);
    const std::size_t table = page.find("\n| exercise |"),
                      end = page.find("\n\n", table);  // rows link to sections
    if (table != std::string::npos)
        page.insert(end, "\n| [" + name + "](#" + name + ") | WRITE: what the student writes | 2 lines |");
    const std::vector<std::pair<fs::path, std::string>> files = {
        {contract, with(course, contract, filled(contract_text), mark, [&](auto&) { return close; })},
        {exercise.solution(), filled(solution_text)},
        {exercise.starter(), ""},  // made below, of what is written before
        {exercise.test(), filled(test_text)},
        {exercise.tasks(), page},
        {list, with(course, list, " " + name, "kit_add_topic(" + topic + " EXERCISES ...)",
                    [&](const std::string& text) { return end_of_exercises(text, topic); })},
        {"README.md", with(course, "README.md", ", `" + name + "`", "row \"| " + topic + ": ...\"",
                           [&](const std::string& text) { return end_of_row(text, "| " + topic + ": "); })}};
    std::vector<fs::path> written;
    for (const auto& [path, text] : files) {
        if (path == exercise.starter())
            put_starter(course, exercise);
        else
            write_text(course.root / path, text);
        written.push_back(path);
    }
    // The list that this program reads is complete at once; CMake makes it anew when it configures.
    const fs::path known = course.build / "course.txt";
    const std::string listed = read_text_if_there(known);
    const std::size_t last = listed.rfind("\nexercise " + topic + " ");
    if (last != std::string::npos)
        write_text(known, std::string(listed).insert(listed.find('\n', last + 1),
                                                     "\nexercise " + topic + " " + name));
    return written;
}

int command_new_exercise(const Course& course, const Arguments& arguments) {
    if (arguments.size() != 2) return 2;
    for (const fs::path& path : new_exercise(course, arguments[0], arguments[1]))
        std::printf("%s\n", path.c_str());
    std::printf(
        "These were made or extended. The exercise compiles and fails, as TODO(1) of its solution is open. "
        "What is "
        "still to be done: %s/kit_course check\n",
        course.shown(course.build).c_str());
    return 0;
}

}  // namespace course
