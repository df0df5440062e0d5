// kit_author new_exercise TOPIC NAME: creates the files of an exercise, and fills in everything that does not
// depend on its subject. The new exercise compiles and fails, because its solution is still a gap. Existing
// files are not overwritten.
#include <cstdio>

#include "author_commands.hpp"
#include "starters.hpp"

namespace course {

namespace {

const char contract_text[] =
    R"(/// Doubles: out[i] = 2 * in[i] for every i with 0 <= i < n. WRITE: what @NAME@ computes, and of what.
///
/// @param in   device memory, n floats, not modified
/// @param n    number of elements, 0 or more; for 0 nothing happens
/// @param out  device memory, n floats, all of which are written
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

// v1: WRITE: how this version differs from the previous one, and what it costs.
// Mapping : one thread per element.
// Cost    : 1 global read and 1 global write per element.
// Requires: nothing; n may be ragged.
// [@NAME@_v1]
__global__ void @NAME@_v1(const float* in, int n, float* out) {
    // TODO(1): WRITE: what the student must write here, and in how many lines.
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

/// Returns the text with `insertion` at position `at`. Throws Error if there is no such position.
std::string with(const std::string& insertion, std::string text, std::size_t at, const fs::path& path,
                 const std::string& place) {
    if (at == std::string::npos) throw Error(path, ": has no ", place, ", so nothing is made");
    return text.insert(at, insertion);
}

/// Returns the end of the manifest's last line about this topic.
std::size_t end_of_topic(const std::string& facts, const std::string& topic) {
    const std::size_t line = facts.find("\ntopic " + topic + " ");
    if (line == std::string::npos) return line;
    return facts.find_last_not_of(" \n", std::min(facts.find("\ntopic ", line + 1), facts.size() - 1)) + 1;
}

/// Returns the pages that must have a table of exercises: README.md, and the tasks and the deck of the topic.
/// Throws Error if a page has no table.
std::vector<fs::path> pages_with_tables(const Course& course, const std::string& topic) {
    const std::vector<fs::path> pages = {"README.md", fs::path("exercises") / topic / "README.md",
                                         deck_of(topic)};
    for (const fs::path& page : pages) {
        const Complaints complaints = list(course, page).complaints;
        if (!complaints.empty()) throw Error(complaints[0], ", so nothing is made");
    }
    return pages;
}

/// Updates the tables. If a deck has several tables, the new exercise goes into the last one.
void write_tables(const Course& course, const std::vector<fs::path>& pages, const std::string& name) {
    for (const fs::path& page : pages) {
        std::string text = read_text(course.root / page);
        const std::size_t last = text.rfind("<!-- exercises: ");
        if (last != std::string::npos)
            write_text(course.root / page, text.insert(text.find(" -->", last), " " + name));
        write_text(course.root / page, list(course, page).text());
    }
}

}  // namespace

std::vector<fs::path> new_exercise(const Course& course, const std::string& topic, const std::string& name) {
    const std::string letters = "abcdefghijklmnopqrstuvwxyz", others = "_0123456789";
    if (name.find_first_not_of(letters + others) != std::string::npos || name.find_first_of(letters) != 0)
        throw Error("\"", name,
                    "\" is no name for an exercise: lower-case letters, digits and _, a letter first");
    if (course.exercises_of(topic).empty())
        throw Error("There is no topic ", topic, ": common/README.md lists what a topic needs");
    const Exercise exercise{topic, name, {}};
    for (const fs::path& path :
         {exercise.solution(), exercise.starter(), exercise.test(), exercise.submissions()}) {
        if (fs::exists(course.root / path)) throw Error(path, ": exists already, so nothing is made");
    }
    const fs::path contract = contract_of(topic);
    const auto read = [&](const fs::path& path) {
        if (fs::exists(course.root / path)) return read_text(course.root / path);
        throw Error(path, ": missing; common/README.md lists what a topic needs");
    };
    const std::string declared = read(contract), tasks = read(exercise.tasks()), facts = read(manifest),
                      mark = "}  // namespace ";
    if (contains(declared, " " + name + "(") || contains(tasks, "\n## " + name + "\n"))
        throw Error(contract, " or ", exercise.tasks(), ": has ", name, " already");
    const std::vector<fs::path> pages = pages_with_tables(course, topic);
    const std::size_t close = declared.rfind(mark);
    const std::string space = close == std::string::npos ? "" : trimmed(declared.substr(close + mark.size())),
                      options = course.topic(topic).device_launch ? "-std=c++17 -rdc=true" : "-std=c++17";
    const auto filled = [&](std::string text) {
        text = replaced(replaced(text, "@TOPIC@", topic), "@NAME@", name);
        text = replaced(text, "-std=c++17", options);
        return replaced(replaced(text, "@NAMESPACE@", space), "@SHORT@", exercise.short_name());
    };
    const std::pair<fs::path, std::string> files[] = {
        {contract, with(filled(contract_text), declared, close, contract, "line \"" + mark + "...\"")},
        {exercise.solution(), filled(solution_text)},
        {exercise.test(), filled(test_text)},
        {exercise.tasks(), tasks + filled(tasks_text)},
        {manifest, with("\nexercise " + name + " WRITE: what the student writes", facts,
                        end_of_topic(facts, topic), manifest, "topic " + topic)}};
    std::vector<fs::path> written = {exercise.starter()};
    for (const auto& [path, text] : files) {
        write_text(course.root / path, text);
        written.push_back(path);
    }
    put_starter(course, exercise);
    Course grown;
    grown.root = course.root;
    grown.read_manifest();
    write_tables(grown, pages, name);
    written.insert(written.end(), {pages[0], pages[2]});
    return written;
}

int command_new_exercise(const Course& course, const Arguments& arguments) {
    if (arguments.size() != 2) return 2;
    for (const fs::path& path : new_exercise(course, arguments[0], arguments[1]))
        std::printf("%s\n", path.c_str());
    std::printf(
        "These files were created or extended. The exercise compiles and fails, because TODO(1) of its "
        "solution is open. "
        "For a list of the remaining work: %s/kit_author check\n",
        course.shown(course.build).c_str());
    return 0;
}

}  // namespace course
