// The checks are checked: a small valid course gives no complaint, and each way of breaking it gives the right one.
// The generator of starters likewise. Usage: course_checks_test FOLDER (which is emptied).
#include "checks.hpp"

#include <fstream>
#include <functional>
#include <iostream>

#include "starter.hpp"

namespace fs = std::filesystem;

namespace {

int cases = 0, failures = 0;

void report(const std::string& name, bool good, const std::string& detail) {
    ++cases;
    if (good) return;
    ++failures;
    std::cout << "FAIL " << name << ": " << detail << "\n";
}

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

void replace(const fs::path& path, const std::string& from, const std::string& to) {
    std::string text = course::read_text(path);
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error(path.string() + " has no " + from);
    write(path, text.replace(at, from.size(), to));
}

const char solution[] = R"(// 00_first/add: adds.
//
// Build: nvcc -std=c++17 add.cu add_test.cu -o add
// Run:   ./add
//
//   v1  add: one thread per element

// v1: one thread per element.
// [kernel]
void add() {
    // TODO(1): Add. About 1 line.
    // BEGIN SOLUTION 1
    work();
    // STARTER KIT_TODO(1);
    // END SOLUTION 1
}
// [/kernel]
)";

const char tasks[] = R"(# First
## add: the sum
### Task 1: Add
<details><summary>Hint 1 (a question)</summary>

Which element?

</details>
<details><summary>Hint 2 (a pointer)</summary>
Look at the guard.
</details>
<details>
<summary>Hint 3 (near-code)</summary>
if
</details>
)";

const char shown_code[] = R"(
<!-- code: solutions/00_first/add.cu kernel -->
```cpp
void add() {
    work();
}
```
)";

const char findings[] = R"(
    add_finding(
        {"launch", text, place});
    seen->finding = {"race", text, here};
    refuse(worker, access, error,
           "address", text);
    stop_kernel(719, "trap", message, place);
    grid.stop(error, {stack ? "stack" : "address", text, place});
    return refuse(error, "the grid has no blocks");
    const Caller block("warp_id");
)";

/// A course of one exercise in which every rule holds.
course::Course make_valid_course(const fs::path& root) {
    fs::remove_all(root);
    write(root / "solutions/00_first/add.cu", solution);
    write(root / "exercises/00_first/add.cu", course::make_starter(solution));
    write(root / "exercises/00_first/README.md", tasks);
    write(root / "tests/00_first/add_test.cu", "");
    write(root / "tests/00_first/00_first.hpp", "");
    write(root / "lectures/00_first/README.md",
          std::string("[try](../../exercises/00_first/README.md), [web](https://example.org), `[x](y)`\n") +
              shown_code);
    write(root / "lectures/00_first/demo.cu", "");
    write(root / "lectures/00_first/results/one.json", "{}");
    write(root / "README.md", "[lecture](lectures/00_first/README.md#end)\n");
    write(root / "common/cpu/src/made.cpp", findings);
    std::string index, examples;
    for (const std::string kind : {"launch", "race", "address", "trap", "stack"}) {
        write(root / "lectures/diagnoses" / (kind + ".md"), "<!-- report: " + kind + " -->\n");
        index += "[" + kind + "](" + kind + ".md)\n";
        const bool alone = kind == "stack";
        examples +=
            alone ? "\nALONE(\"stack\") {" : "\nPLANTED(\"" + kind + "\", \"" + kind + "\", \"text\") {";
    }
    write(root / "lectures/diagnoses/race.md", std::string("<!-- report: race -->\n") + shown_code);
    write(root / "lectures/diagnoses/README.md", index);
    write(root / "tests/cpu/checks/pages_test.cu", examples);
    return {root, {{"00_first", "add"}}};
}

void test_checks(const fs::path& root) {
    for (const course::Check& check : course::all_checks()) {
        const course::Complaints complaints = check.run(make_valid_course(root));
        report(check.name + " accepts a valid course", complaints.empty(),
               complaints.empty() ? "" : complaints[0]);
    }
    struct Broken {
        std::string check, complaint;
        std::function<void()> damage;
    };
    const fs::path readme = root / "exercises/00_first/README.md",
                   source = root / "solutions/00_first/add.cu";
    const fs::path lecture = root / "lectures/00_first";
    const fs::path diagnoses = root / "lectures/diagnoses", made = root / "common/cpu/src/made.cpp";
    const fs::path examples = root / "tests/cpu/checks/pages_test.cu";
    const std::vector<Broken> all = {
        {"files", "add.cu: missing (the starter", [&] { fs::remove(root / "exercises/00_first/add.cu"); }},
        {"files", "add.cu: missing (the solution", [&] { fs::remove(source); }},
        {"files", "add_test.cu: missing", [&] { fs::remove(root / "tests/00_first/add_test.cu"); }},
        {"files", "00_first.hpp: missing", [&] { fs::remove(root / "tests/00_first/00_first.hpp"); }},
        {"files", "README.md: missing (tasks", [&] { fs::remove(readme); }},
        {"files", "README.md: missing (the lecture", [&] { fs::remove(lecture / "README.md"); }},
        {"files", "demo.cu: missing", [&] { fs::remove(lecture / "demo.cu"); }},
        {"files", "results: missing or empty", [&] { fs::remove(lecture / "results/one.json"); }},
        {"starters", "add.cu:12: has",
         [&] { replace(root / "exercises/00_first/add.cu", "KIT_TODO(1);", "work();"); }},
        {"starters", "has \"(the end of the file)\"", [&] { write(root / "exercises/00_first/add.cu", ""); }},
        {"starters", "region 1 ends as 2", [&] { replace(source, "END SOLUTION 1", "END SOLUTION 2"); }},
        {"hints", "no section \"## add\"", [&] { replace(readme, "## add", "## sub"); }},
        {"hints", "TODO(1) has no heading", [&] { replace(readme, "### Task 1", "### Chore 1"); }},
        {"hints", "Task 2 has no TODO", [&] { replace(readme, "### Task 1", "### Task 2"); }},
        {"hints", "2 hints, 3 are needed", [&] { replace(readme, "<summary>Hint 2", "<summary>Remark"); }},
        {"hints", "hint 3 is not headed", [&] { replace(readme, "near-code", "code"); }},
        {"hints", "asks no question", [&] { replace(readme, "Which element?", "Element 3."); }},
        {"headers", "does not begin with", [&] { replace(source, "00_first/add: ", "add: "); }},
        {"headers", "no build line", [&] { replace(source, "add_test.cu", "sub_test.cu"); }},
        {"headers", "no line \"// Run", [&] { replace(source, "// Run:", "// Go:"); }},
        {"headers", "v2 is not in the header",
         [&] { replace(source, "// v1: one", "// v2: faster.\n// v1: one"); }},
        {"headers", "names v2, but", [&] { replace(source, "//   v1 ", "//   v2  fast\n//   v1 "); }},
        {"headers", "has no line \"//   v1", [&] { replace(source, "//   v1 ", "//   "); }},
        {"links", "link to gone.md", [&] { write(root / "README.md", "[a](gone.md)"); }},
        {"links", "link to gone.svg", [&] { write(lecture / "more.md", "<img src=\"gone.svg\">"); }},
        {"links", "no link to ../../exercises", [&] { write(lecture / "README.md", "none"); }},
        {"code", "README.md:4: is not what", [&] { replace(lecture / "README.md", "work();", "play();"); }},
        {"code", "is not what", [&] { replace(lecture / "README.md", "    work();\n", ""); }},
        {"code", "is not what", [&] { replace(lecture / "README.md", "work();\n}", "work();\n}\nmore"); }},
        {"code", "has no region // [kernel]", [&] { replace(source, "// [/kernel]", "// [/k]"); }},
        {"code", "code without a line", [&] { replace(lecture / "README.md", "<!-- code:", "<!-- see:"); }},
        {"code", "race.md:4: is not what", [&] { replace(diagnoses / "race.md", "work();", "play();"); }},
        {"diagnoses", "launch.md: missing", [&] { fs::remove(diagnoses / "launch.md"); }},
        {"diagnoses", "race.md: missing", [&] { fs::remove(diagnoses / "race.md"); }},
        {"diagnoses", "address.md: missing", [&] { fs::remove(diagnoses / "address.md"); }},
        {"diagnoses", "trap.md: missing", [&] { fs::remove(diagnoses / "trap.md"); }},
        {"diagnoses", "stack.md: missing", [&] { fs::remove(diagnoses / "stack.md"); }},
        {"diagnoses", "gone.md: nothing in common/cpu", [&] { write(diagnoses / "gone.md", ""); }},
        {"diagnoses", "trap.md: nothing in common/cpu", [&] { replace(made, "\"trap\"", "kind"); }},
        {"diagnoses", "no finding is made", [&] { write(made, ""); }},
        {"diagnoses", "race.md: no line <!-- report",
         [&] { replace(diagnoses / "race.md", "report:", "r:"); }},
        {"diagnoses", "stack.md: no PLANTED or ALONE", [&] { replace(examples, "ALONE", "SILENT"); }},
        {"diagnoses", "trap.md: no PLANTED or ALONE", [&] { replace(examples, "\"trap\"", "\"a\""); }},
        {"diagnoses", "no link to race.md", [&] { replace(diagnoses / "README.md", "](race", "](rice"); }},
        {"stray", "exercises/00_first/backup.cu", [&] { write(root / "exercises/00_first/backup.cu", ""); }},
        {"stray", "tests/00_first/sub_test.cu", [&] { write(root / "tests/00_first/sub_test.cu", ""); }},
        {"stray", "tests/00_first/sub_test.cu", [&] { write(root / "tests/00_first/sub_test.cu", ""); }},
        {"stray", "lectures/00_first/old.cu", [&] { write(lecture / "old.cu", ""); }},
        {"stray", "solutions/01_second: not a topic", [&] { write(root / "solutions/01_second/x.cu", ""); }},
    };
    for (const Broken& broken : all) {
        const course::Course course = make_valid_course(root);
        broken.damage();
        for (const course::Check& check : course::all_checks()) {
            if (check.name != broken.check) continue;
            const course::Complaints complaints = check.run(course);
            bool said = false;
            for (const std::string& complaint : complaints)
                said |= complaint.find(broken.complaint) != std::string::npos;
            report(broken.check + " rejects: " + broken.complaint, said,
                   complaints.empty() ? "no complaint" : "said only: " + complaints[0]);
        }
    }
}

void test_starters() {
    const auto makes = [](const std::string& name, const std::string& from, const std::string& want) {
        const std::string got = course::make_starter(from);
        report(name, got == want, "got\n" + got);
    };
    const std::string todo = "// TODO(1): x\n";
    makes("default gap", todo + "  // BEGIN SOLUTION 1\nx\n  // END SOLUTION 1\ny\n",
          todo + "  KIT_TODO(1);\ny\n");
    makes("given gap",
          todo +
              "// BEGIN SOLUTION 1\nx\n  // STARTER KIT_TODO(1, a);\n  // STARTER return 0;\n// END SOLUTION "
              "1\n",
          todo + "  KIT_TODO(1, a);\n  return 0;\n");
    makes("region 0 goes, with one of its blank lines",
          "a\n\n// BEGIN SOLUTION 0\nx\n// END SOLUTION 0\n\n" + todo +
              "// BEGIN SOLUTION 1\n// END SOLUTION 1\n",
          "a\n\n" + todo + "KIT_TODO(1);\n");
    const auto refuses = [](const std::string& from, const std::string& complaint) {
        std::string said = "(nothing)";
        try {
            course::make_starter(from);
        } catch (const course::MarkerError& error) {
            said = error.what();
        }
        report("refuses: " + complaint, said.find(complaint) != std::string::npos, "said " + said);
    };
    const std::string region = "// BEGIN SOLUTION 1\n// END SOLUTION 1\n";
    refuses("int x;\n", "1: error: no region");
    refuses(region, "has no comment \"TODO(1)");
    refuses(todo + "// BEGIN SOLUTION 1\n", "does not end");
    refuses(todo + "// END SOLUTION 1\n", "2: error: a region ends that did not begin");
    refuses(todo + "// BEGIN SOLUTION 1\n// BEGIN SOLUTION 2\n", "3: error: a region begins inside another");
    refuses(todo + "// BEGIN SOLUTION 1\n// END SOLUTION 2\n", "region 1 ends as 2");
    refuses(todo + "// BEGIN SOLUTION one\n", "expected a number");
    refuses(todo + "// STARTER x\n" + region, "a STARTER line outside a region");
    refuses("// TODO(2): x\n// BEGIN SOLUTION 2\n// END SOLUTION 2\n", "not numbered 1, 2, 3");
    refuses(todo + "// BEGIN SOLUTION 1\n// STARTER return;\n// END SOLUTION 1\n",
            "would have no KIT_TODO(1)");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: course_checks_test FOLDER\n";
        return 2;
    }
    try {
        test_checks(argv[1]);
        test_starters();
    } catch (const std::exception& error) {
        std::cout << "stopped: " << error.what() << "\n";
        return 1;
    }
    std::cout << cases - failures << " of " << cases << " cases\n";
    return failures == 0 && cases > 0 ? 0 : 1;
}
