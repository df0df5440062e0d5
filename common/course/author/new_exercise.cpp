// kit_author new_exercise TOPIC NAME [--like TOPIC/NAME]: creates the files of an exercise, and fills in
// everything that does not depend on its subject. The new exercise compiles and fails, because its solution is
// still a gap. With --like, the files begin as copies of those of an existing exercise, so its tests pass.
// Existing files are not overwritten.
#include <algorithm>
#include <cctype>
#include <cstdio>

#include "author_commands.hpp"
#include "starters.hpp"
#include "written.hpp"

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

const char solution_text[] = R"(// @TOPIC@/@NAME@: (the purpose from the manifest)
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
    // TODO(1): WRITE: what the student must write here. About 1 line.
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

/// The texts of a new exercise.
struct Texts {
    std::string contract, solution, test, tasks;
};

/// Returns the text in which `change` has replaced each C++ identifier.
template <class Change>
std::string with_identifiers(const std::string& text, const Change& change) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_part(text[end])) ++end;
        result += end == at ? std::string(1, text[at]) : change(text.substr(at, end - at));
        at = std::max(end, at + 1);
    }
    return result;
}

/// Returns the part of the page from the heading "## NAME" to the next heading of this level. Throws Error if
/// there is no such part.
std::string section_of_page(const std::string& page, const fs::path& path, const std::string& name) {
    const std::size_t begin = page.find("\n## " + name + "\n");
    if (begin == std::string::npos)
        throw Error(path, ": has no section \"## ", name, "\", so nothing is made");
    const std::size_t end = page.find("\n## ", begin + 1);
    return page.substr(begin, end == std::string::npos ? end : end + 1 - begin);
}

/// Returns the declaration of a function in a contract, with the comment before it. Throws Error if there is
/// none.
std::string declaration_of(const std::string& contract, const fs::path& path, const std::string& name) {
    const Lines lines = lines_of(contract);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (begins_with(lines[i], "//") || !contains(lines[i], " " + name + "(")) continue;
        std::size_t begin = i, end = i;
        while (begin > 0 && begins_with(lines[begin - 1], "///")) --begin;
        while (end + 1 < lines.size() && !ends_with(lines[end], ";")) ++end;
        return text_of({lines.begin() + static_cast<std::ptrdiff_t>(begin),
                        lines.begin() + static_cast<std::ptrdiff_t>(end) + 1}) +
               "\n";
    }
    throw Error(path, ": has no declaration of ", name, ", so nothing is made");
}

/// Returns the texts of an existing exercise, with the names of the new one. Its other functions and the
/// given headers of its topic keep their names.
Texts texts_like(const Course& course, const Exercise& model, const Exercise& made,
                 const std::string& space) {
    const fs::path contract = contract_of(model.topic);
    const std::string declared = read_text(course.root / contract), mark = "}  // namespace ";
    const std::size_t close = declared.rfind(mark);
    const std::string model_space =
        close == std::string::npos ? "" : trimmed(declared.substr(close + mark.size()));
    const auto renamed = [&](const std::string& text) {
        const std::string placed = replaced(
            replaced(text, model.topic + "/" + model.topic + ".hpp", made.topic + "/" + made.topic + ".hpp"),
            model.topic + "/" + model.name, made.topic + "/" + made.name);
        return with_identifiers(placed, [&](const std::string& word) {
            if (word == model_space) return space;
            const std::string rest =
                begins_with(word, model.name) ? word.substr(model.name.size()) : std::string("other");
            const bool mine = rest.empty() || rest == "_test" || begins_with(rest, "_v");
            return mine ? made.name + rest : word;
        });
    };
    const auto marked = [&](const std::string& text, const std::string& first) {
        return first + text.substr(std::min(text.find('\n'), text.size()));
    };
    const std::string id = made.topic + "/" + made.name, tasks = read_text(course.root / model.tasks());
    const std::string heading = "\n## " + made.name + "\n",
                      section = renamed(section_of_page(tasks, model.tasks(), model.name));
    return {renamed(declaration_of(declared, contract, model.name)),
            marked(renamed(read_text(course.root / model.solution())), "// " + id + ": "),
            marked(renamed(read_text(course.root / model.test())),
                   "// Grades " + id + ": WRITE: which mistakes the cases are for."),
            heading + "\nWRITE: what differs from `" + model.name + "`, whose text follows.\n" +
                section.substr(heading.size())};
}

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

std::vector<fs::path> new_exercise(const Course& course, const std::string& topic, const std::string& name,
                                   const Exercise* like) {
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
    const Texts texts =
        like ? texts_like(course, *like, exercise, space)
             : Texts{filled(contract_text), filled(solution_text), filled(test_text), filled(tasks_text)};
    const std::pair<fs::path, std::string> files[] = {
        {contract, with(texts.contract, declared, close, contract, "line \"" + mark + "...\"")},
        {exercise.solution(), texts.solution},
        {exercise.test(), texts.test},
        {exercise.tasks(), tasks + texts.tasks},
        {manifest, with("\nexercise " + name + " WRITE: what the student writes", facts,
                        end_of_topic(facts, topic), manifest, "topic " + topic)}};
    std::vector<fs::path> written = {exercise.starter()};
    for (const auto& [path, text] : files) {
        write_text(course.root / path, text);
        written.push_back(path);
    }
    Course grown;
    grown.root = course.root;
    grown.read_manifest();
    const Exercise& made = grown.exercise(exercise.id());
    write_text(grown.root / contract, contract_from_tests(grown, topic));
    write_text(grown.root / made.solution(), solution_with_facts(grown, made));
    put_starter(course, exercise);
    write_tables(grown, pages, name);
    written.insert(written.end(), {pages[0], pages[2]});
    return written;
}

int command_new_exercise(const Course& course, const Arguments& arguments) {
    const bool is_copy = arguments.size() == 4 && arguments[2] == "--like";
    if (arguments.size() != 2 && !is_copy) return 2;
    const Exercise* const like = is_copy ? &course.exercise(arguments[3]) : nullptr;
    for (const fs::path& path : new_exercise(course, arguments[0], arguments[1], like))
        std::printf("%s\n", path.c_str());
    std::printf(
        "These files were created or extended. %s For a list of the remaining work: %s/kit_author check\n",
        is_copy ? "Solution and test are copies, and \"WRITE:\" marks what to write."
                : "The exercise compiles and fails, because TODO(1) of its solution is open.",
        course.shown(course.build).c_str());
    return 0;
}

}  // namespace course
