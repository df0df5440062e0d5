// The rule that contracts name the demands of tests. The judge compares the demands of a test that runs with
// the contract's list. This rule finds the demands in the source of the test, so nothing needs to be built.
#include <algorithm>
#include <map>

#include "contract.hpp"
#include "rules.hpp"

namespace course {

namespace {

/// The demand that each of these functions of the grader makes (common/grader/case.hpp).
const std::pair<std::string, std::string> functions_of_grader[] = {
    {"by_kernels", "kernels"},
    {"stored_at_most", "stores"},
    {"loaded_at_most", "loads"},
    {"sectors_at_most", "sectors"},
    {"wavefronts_at_most", "wavefronts"},
    {"active_lanes_at_least", "active lanes"},
    {"divergent_branches_at_most", "divergent branches"}};

/// A function or class in the source: the lines up to a "}" at the beginning of a line.
struct Function {
    std::string name;  ///< empty for a class
    std::string text;
};

std::vector<Function> functions_of(const std::string& text) {
    std::vector<Function> functions(1);
    for (const std::string& line : lines_of(text)) {
        Function& open = functions.back();
        const Lines head = match(line, "^[a-zA-Z][^(]*[ *&>]([a-z0-9_]+)[(]");
        if (open.name.empty() && !head.empty()) open.name = head[1];
        open.text += line + "\n";
        if (begins_with(line, "}")) functions.emplace_back();
    }
    return functions;
}

/// Returns whether the text calls this function. Calls of a class member with the same name do not count.
bool calls(const std::string& text, const std::string& name) {
    return !match(text, "(^|[^a-zA-Z0-9_.>])" + name + "[(<]").empty();
}

/// Returns the functions of the test and of the headers in tests/ that it includes, directly or indirectly.
/// The functions of the test come first.
std::vector<Function> functions_of_test(const Course& course, const Exercise& exercise,
                                        std::size_t& of_test) {
    std::vector<fs::path> files = {exercise.test()};
    std::vector<Function> functions;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string text = read_text_if_there(course.root / files[i]);
        for (const Function& function : functions_of(text)) functions.push_back(function);
        if (i == 0) of_test = functions.size();
        for (const std::string& line : lines_of(text)) {
            const Lines include = match(line, "^#include \"(.+)\"");
            if (include.empty()) continue;
            for (const fs::path& folder : {fs::path("tests"), files[i].parent_path()}) {
                const fs::path file = folder / include[1];
                if (fs::is_regular_file(course.root / file) &&
                    std::find(files.begin(), files.end(), file) == files.end())
                    files.push_back(file);
            }
        }
    }
    return functions;
}

/// Returns the text of all functions that the test can run: its own, and those of its headers that one of
/// these calls.
std::string text_that_runs(const Course& course, const Exercise& exercise) {
    std::size_t of_test = 0;
    std::vector<Function> functions = functions_of_test(course, exercise, of_test);
    std::string text;
    for (std::size_t i = 0; i < of_test; ++i) text += functions[i].text;
    functions.erase(functions.begin(), functions.begin() + static_cast<std::ptrdiff_t>(of_test));
    for (bool grown = true; grown;) {
        grown = false;
        for (auto one = functions.begin(); one != functions.end();) {
            const bool runs = one->name.empty() || calls(text, one->name);
            if (runs) text += one->text;
            grown = grown || runs;
            one = runs ? functions.erase(one) : one + 1;
        }
    }
    return text;
}

/// Adds the string literals in calls of this function: those that are its first argument, or the argument
/// after `test`.
void add_literals(const std::string& text, const std::string& name, std::set<std::string>& found) {
    for (std::size_t at = 0; (at = text.find(name + "(", at)) != std::string::npos;) {
        const bool is_name = name[0] == '.' || match(text.substr(at - 1, 1), "[a-zA-Z0-9_.>]").empty();
        at += name.size() + 1;
        if (!is_name) continue;
        const Lines literal = match(on_one_line(text.substr(at, 120)), "^ ?(test, )?\"([^\"]+)\"");
        if (!literal.empty()) found.insert(literal[2]);
    }
}

/// Returns the name of the lambda or function whose parameter is the first argument of this demand.
std::string wrapper_around(const std::string& text, std::size_t demand) {
    const std::string before = text.substr(0, demand);
    const std::size_t lambda = before.rfind("const auto "), function = before.rfind("\n}");
    const bool in_lambda = lambda != std::string::npos &&
                           (function == std::string::npos || lambda > function) &&
                           !match(text.substr(lambda), "^const auto [a-z0-9_]+ = \\[").empty();
    if (in_lambda) return match(text.substr(lambda), "^const auto ([a-z0-9_]+)")[1];
    return functions_of(before.substr(function == std::string::npos ? 0 : function + 2)).front().name;
}

}  // namespace

std::set<std::string> counted_in_source(const Course& course, const Exercise& exercise) {
    const std::string text = text_that_runs(course, exercise);
    std::set<std::string> found;
    for (const std::string function : {".demand", ".method"}) {
        const std::string call = function + "(";
        for (std::size_t at = 0; (at = text.find(call, at)) != std::string::npos; ++at) {
            if (match(text.substr(at + call.size(), 80), "^[ \n]*\"").empty())
                add_literals(text, wrapper_around(text, at), found);
        }
        add_literals(text, function, found);
    }
    for (const auto& [function, counted] : functions_of_grader) {
        if (contains(text, "." + function + "(")) found.insert(counted);
    }
    return found;
}

/// Requires that each contract states which results the host may compute, and that exactly the tests of these
/// exercises allow it.
void check_computed_by_host(const Course& course, Complainer& complain) {
    for (const std::string& topic : course.topics()) {
        const std::optional<std::set<std::string>> allowed = computed_by_host(course, topic);
        if (!allowed) {
            complain(contract_of(topic),
                     ": no line \"/// What the host may compute: nothing.\", or the names of exercises");
            continue;
        }
        for (const std::string& name : *allowed) {
            if (!course.find(topic, name))
                complain(contract_of(topic), ": \"What the host may compute\" names ", name,
                         ", which is not an exercise");
        }
        for (const Exercise& exercise : course.exercises) {
            if (exercise.topic != topic) continue;
            const bool says = allowed->count(exercise.name) > 0;
            if (says != contains(read_text_if_there(course.root / exercise.test()), ".host_may_compute()"))
                complain(exercise.test(),
                         says ? ": the contract lets the host compute this, and the test does not call "
                                "host_may_compute()"
                              : ": calls host_may_compute(), and the contract does not say so");
        }
    }
}

void check_counted(const Course& course, Complainer& complain) {
    check_computed_by_host(course, complain);
    for (const Exercise& exercise : course.exercises) {
        for (const std::string& complaint :
             complaints_about_counted(course, exercise, counted_in_source(course, exercise)))
            complain(exercise.test(), ": ", complaint);
    }
    for (const std::string& topic : course.topics()) {
        for (const auto& [name, counted] : counted_by_contract(course, topic)) {
            if (!course.find(topic, name))
                complain(contract_of(topic), ": \"What is counted\" names ", name,
                         ", which is not an exercise");
        }
    }
}

}  // namespace course
