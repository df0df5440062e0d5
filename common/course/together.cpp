#include "together.hpp"

#include <algorithm>
#include <set>

#include "commands.hpp"
#include "patch.hpp"

namespace course {

namespace {

/// What `#include <name>` or `#include "name"` at the line's beginning names, with its brackets; empty for any other line.
std::string included(const std::string& line) {
    if (!begins_with(line, "#include ")) return "";
    const Lines found = match(line, "^#include (<[^>]+>|\"[^\"]+\")");
    return found.empty() ? "" : found[1];
}

/// tests/TOPIC/TOPIC.hpp and what includes it: whoever defines the contract's functions in a namespace needs these in it. All
/// other headers know nothing of the contract, and share their variables with the test.
bool is_of_contract(const Course& course, const std::string& include) {
    const Lines found = match(include, "^\"([0-9]+_[a-z0-9_]+)/([^\"]+)\"$");
    if (found.empty()) return false;
    if (found[2] == found[1] + ".hpp") return true;
    const Lines lines = lines_of(read_text(course.root / "tests" / found[1] / found[2]));
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return is_of_contract(course, included(line)); });
}

class Joiner {
  public:
    explicit Joiner(const Course& course) : course_(course) {}

    void add(const Submission& submission) {
        copied_.clear();
        spaces_.clear();
        Lines text;
        add_text(submission.file, submission.text, text);
        body_.push_back("namespace " + submission.name + " {");
        // What headers outside define for the topic is found from inside.
        for (const std::string& space : spaces_)
            body_.push_back("namespace " + space + " { using namespace ::" + space + "; }");
        body_.insert(body_.end(), text.begin(), text.end());
        body_.push_back("}");
        for (const std::string& line : text) {
            if (const Lines macro = match(line, "^ *# *define +([A-Za-z_0-9]+)"); !macro.empty())
                body_.push_back("#undef " + macro[1]);
        }
        all_spaces_.insert(spaces_.begin(), spaces_.end());
    }

    Together result() {
        Lines all = angled_;
        all.insert(all.end(), quoted_.begin(), quoted_.end());
        for (std::string& line : all) line = "#include " + line;
        for (const std::string& space : all_spaces_) all.push_back("namespace " + space + " {}");
        all.insert(all.end(), body_.begin(), body_.end());
        return {text_of(all), read_};
    }

  private:
    /// Every line, but for includes: a header of the contract stands in its place, the others go to the top.
    void add_text(const fs::path& file, const std::string& text, Lines& to) {
        to.push_back("#line 1 \"" + file.string() + "\"");
        int number = 0;
        for (const std::string& line : lines_of(text)) {
            ++number;
            const std::string include = included(line);
            if (const Lines words = words_of(line);
                words.size() == 3 && words[0] == "namespace" && words[2] == "{")
                spaces_.insert(words[1]);
            if (include.empty() && line != "#pragma once")
                to.push_back(line);
            else if (is_of_contract(course_, include) && copied_.insert(include).second)
                add_header(include, file, number, to);
            else
                leave_out(include, to);
        }
    }

    void add_header(const std::string& include, const fs::path& file, int number, Lines& to) {
        const fs::path header = course_.root / "tests" / include.substr(1, include.size() - 2);
        if (std::find(read_.begin(), read_.end(), header) == read_.end()) read_.push_back(header);
        add_text(header, read_text(header), to);
        to.push_back(sentence("#line ", number + 1, " \"", file.string(), "\""));
    }

    void leave_out(const std::string& include, Lines& to) {
        Lines& top = begins_with(include, "<") ? angled_ : quoted_;
        const bool is_new = !include.empty() && std::find(top.begin(), top.end(), include) == top.end();
        if (is_new && copied_.count(include) == 0) top.push_back(include);
        to.push_back("");
    }

    const Course& course_;
    std::set<std::string> copied_, spaces_, all_spaces_;
    Lines angled_, quoted_, body_;
    std::vector<fs::path> read_;
};

/// The submissions of an exercise that are graded in a variant, or, where it is empty, in none. Their texts lie in the build folder.
std::vector<Submission> submissions_of(const Course& course, const Exercise& exercise,
                                       const std::string& variant, std::vector<fs::path>& read) {
    std::vector<Submission> found;
    const Lines solution = lines_of(read_text(course.root / exercise.solution()));
    read.push_back(course.root / exercise.solution());
    for (const char* kind : {"wrong", "right"}) {
        const fs::path folder = kind == std::string("wrong") ? exercise.wrong() : exercise.right();
        for (const fs::path& path : course.files(folder, {".patch"})) {
            const Patch patch(course, path);
            const Lines words = words_of(joined(patch.lines("variant"), " "));
            if ((words.empty() ? "" : words[0]) != variant) continue;
            const std::string name = path.stem();
            const fs::path file = course.build / kind / exercise.topic / exercise.name / (name + ".cu");
            found.push_back({file, sentence(kind, "_", name), text_of(patch.applied_to(solution))});
            read.push_back(course.root / path);
        }
    }
    return found;
}

}  // namespace

Together together(const Course& course, const std::vector<Submission>& submissions) {
    Joiner joiner(course);
    for (const Submission& submission : submissions) joiner.add(submission);
    return joiner.result();
}

int command_together(const Course& course, const Arguments& arguments) {
    if (arguments.size() != 3 && arguments.size() != 4) return 2;
    const Exercise& exercise = course.exercise(arguments[0] + "/" + arguments[1]);
    std::vector<fs::path> read;
    const std::vector<Submission> all =
        submissions_of(course, exercise, arguments.size() == 4 ? arguments[3] : "", read);
    for (const Submission& submission : all) write_text(submission.file, submission.text);
    const Together made = together(course, all);
    read.insert(read.end(), made.read.begin(), made.read.end());
    std::string rule = arguments[2] + ":";
    for (const fs::path& path : read) rule += " \\\n " + replaced(path.string(), " ", "\\ ");
    write_text(arguments[2] + ".d", rule + "\n");
    write_text(arguments[2], made.source);
    return 0;
}

}  // namespace course
