// The part of the harness for examples on pages that is common to all its programs: compares what is printed
// with the page.
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <source_path.hpp>
#include <sstream>

#include "grader.cuh"
#include "pages.cuh"

namespace pages {

namespace {

struct Alone {
    const char* file;
    const char* name;
    void (*body)();
};

/// Returns the examples for which one schedule is enough.
std::vector<Alone>& alone() {
    static std::vector<Alone> all;
    return all;
}

std::string kind_of(const std::string& name) {
    return name.substr(0, name.find('/'));
}

/// Returns all examples of the running test, with their names.
std::vector<std::pair<std::string, void (*)()>> examples() {
    std::vector<std::pair<std::string, void (*)()>> all;
    for (const Alone& one : alone())
        if (conformance::is_chosen(one.file)) all.push_back({one.name, one.body});
    for (const checks::Entry& entry : checks::entries())
        if (kind_of(entry.name) == entry.finding) all.push_back({entry.name, entry.body});
    return all;
}

int run_alone(const std::string& wanted) {
    for (const auto& [name, body] : examples()) {
        if (name != wanted) continue;
        body();
        cudaDeviceSynchronize();
        return 0;
    }
    std::fprintf(stderr, "there is no example \"%s\"\n", wanted.c_str());
    return 2;
}

#ifdef KIT_CPU

std::string words(const std::string& text) {
    std::istringstream in(text);
    std::string all;
    for (std::string word; in >> word;) all += (all.empty() ? "" : " ") + word;
    return all;
}

/// Returns what the executor prints when this program runs the example: a line that begins with "kit: ", and
/// the indented and blank lines below it. Paths are relative to the root of the course.
std::string report_of(const std::string& name, const std::string& root) {
    char program[4096] = {};
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return {};
    const std::string leaks = name == "leak" || name == "persisting" ? "KIT_LEAKS=1 " : "";
    const std::string command = "COLUMNS=80 KIT_SCHEDULE=forward " + leaks + "'" + std::string(program) +
                                "' --alone " + name + " 2>&1";
    std::FILE* output = popen(command.c_str(), "r");
    if (!output) return {};
    std::string text, line;
    bool inside = false;
    for (int c; (c = std::fgetc(output)) != EOF;) {
        if (c != '\n') {
            line += static_cast<char>(c);
            continue;
        }
        inside = line.rfind("kit: ", 0) == 0 || (inside && (line.empty() || line[0] == ' '));
        if (const std::size_t path = line.find(root); path != std::string::npos)
            line.erase(path, root.size());
        if (inside) text += conformance::without_namespace(line) + "\n";
        line.clear();
    }
    pclose(output);
    while (text.size() > 1 && text[text.size() - 2] == '\n') text.pop_back();
    return text;
}

void compare_page(const std::string& name, const std::string& source, kit::Case& test) {
    const std::string root = source.substr(0, source.rfind("tests/cpu/checks/"));
    const std::string path = root + "lectures/diagnoses/" + kind_of(name) + ".md";
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    std::string page = all.str();
    const std::string start = "<!-- report: " + name + " -->\n```text\n", end = "```\n";
    const std::size_t begin = page.find(start), from = begin + start.size(), to = page.find(end, from);
    test.check(
        begin != std::string::npos && to != std::string::npos,
        "lectures/diagnoses/" + kind_of(name) + ".md has no block below <!-- report: " + name + " -->");
    if (begin == std::string::npos || to == std::string::npos) return;
    const std::string report = report_of(name, root), shown = page.substr(from, to - from);
    test.check(!report.empty(), "the example gives no report");
    if (const char* write = std::getenv("KIT_WRITE_PAGES"); write && *write == '1') {
        std::ofstream(path) << page.replace(from, to - from, report);
    } else {
        test.check(words(report) == words(shown), "lectures/diagnoses/" + kind_of(name) +
                                                      ".md shows another report (KIT_WRITE_PAGES=1 writes "
                                                      "it). The example prints: " +
                                                      words(report));
    }
}

#else

void compare_page(const std::string&, const std::string&, kit::Case& test) {
    test.skip("the pages show what the CPU executor reports");
}

#endif

}  // namespace

Registration::Registration(const char* file, const char* kind, void (*body)()) {
    alone().push_back({file, kind, body});
}

int run_all(const conformance::Test& test, int argc, char** argv) {
    if (argc == 3 && std::string(argv[1]) == "--alone") return run_alone(argv[2]);
    conformance::run_as_ctest_does();
    const std::string source = kit::source_path(test.file);
    kit::Grader grader("cpu", std::string("checks.") + test.name, argc, argv);
    kit::CaseOptions options;
    options.seconds = 60;
    options.once = true;
    for (const checks::Entry& entry : checks::entries())
        grader.add(
            entry.name, [entry](kit::Case& test) { test.call_unchecked([&] { checks::run(entry, test); }); },
            options);
    for (const auto& example : examples())
        grader.add(
            "the page about " + example.first,
            [name = example.first, source](kit::Case& test) {
                test.call_unchecked([&] { compare_page(name, source, test); });
            },
            options);
    return grader.run();
}

}  // namespace pages
