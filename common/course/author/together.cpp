#include "together.hpp"

#include <algorithm>
#include <set>

#include "author_commands.hpp"
#include "submissions.hpp"

namespace course {

namespace {

/// Returns the name in `#include <name>` or `#include "name"`, with its brackets or quotes, if the line
/// begins with it; otherwise empty.
std::string included(const std::string& line) {
    if (!begins_with(line, "#include ")) return "";
    const Lines found = match(line, "^#include (<[^>]+>|\"[^\"]+\")");
    return found.empty() ? "" : found[1];
}

/// Returns whether the header is part of the contract: tests/TOPIC/TOPIC.hpp, or a header that includes it.
/// Each namespace that defines the functions of the contract must contain these headers. Other headers do not
/// use the contract, and their variables are shared with the test.
bool is_of_contract(const Course& course, const std::string& include) {
    const Lines found = match(include, "^\"([0-9]+_[a-z0-9_]+)/([^\"]+)\"$");
    if (found.empty()) return false;
    if (found[2] == found[1] + ".hpp") return true;
    const Lines lines = lines_of(read_text(course.root / "tests" / found[1] / found[2]));
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return is_of_contract(course, included(line)); });
}

/// Returns the macros that these lines define, each once.
Lines macros_of(const Lines& text) {
    Lines macros;
    for (const std::string& line : text) {
        const Lines found = match(line, "^ *# *define +([A-Za-z_0-9]+)");
        if (!found.empty() && std::find(macros.begin(), macros.end(), found[1]) == macros.end())
            macros.push_back(found[1]);
    }
    return macros;
}

class Joiner {
  public:
    Joiner(const Course& course, const std::set<fs::path>& shared) : course_(course), shared_(shared) {}

    void add(const Submission& submission) {
        copied_.clear();
        spaces_.clear();
        conditions_.clear();
        Lines text;
        add_text(submission.file, submission.text, text);
        const Lines macros = macros_of(text);
        for (const std::string& macro : macros) {
            body_.push_back("#pragma push_macro(\"" + macro + "\")");
            if (std::find(text.begin(), text.end(), "#undef " + macro) == text.end())
                body_.push_back("#undef " + macro);
        }
        if (submission.may_warn) allow_warnings();
        body_.push_back("namespace " + submission.name + " {");
        // Makes definitions for the topic in outer headers visible in the namespace.
        for (const std::string& space : spaces_)
            body_.push_back("namespace " + space + " { using namespace ::" + space + "; }");
        body_.insert(body_.end(), text.begin(), text.end());
        body_.push_back("}");
        if (submission.may_warn) {
            body_.push_back("#ifdef __NVCC__\n#pragma nv_diagnostic pop\n#endif");
            body_.push_back("#pragma GCC diagnostic pop");
        }
        for (const std::string& macro : macros) body_.push_back("#pragma pop_macro(\"" + macro + "\")");
        all_spaces_.insert(spaces_.begin(), spaces_.end());
    }

    Together result() {
        Lines all = angled_;
        all.insert(all.end(), quoted_.begin(), quoted_.end());
        for (const std::string& space : all_spaces_) all.push_back("namespace " + space + " {}");
        all.insert(all.end(), body_.begin(), body_.end());
        return {text_of(all), read_};
    }

  private:
    /// Allows warnings, because students' code can have some: for example, a missing bounds check leaves a
    /// parameter unused.
    void allow_warnings() {
        body_.push_back("#pragma GCC diagnostic push");
        for (const char* warning : {"unused-parameter", "unused-variable", "unused-but-set-variable",
                                    "uninitialized", "maybe-uninitialized", "array-bounds", "sign-compare"})
            body_.push_back(sentence("#pragma GCC diagnostic ignored \"-W", warning, "\""));
        // These warnings are about variables that are declared or assigned, but not used.
        body_.push_back(
            "#ifdef __NVCC__\n#pragma nv_diagnostic push\n#pragma nv_diag_suppress 177, 549, 550\n#endif");
    }

    /// Adds a text. A header of the contract replaces its #include, and the other includes go to the top.
    void add_text(const fs::path& file, const std::string& text, Lines& to) {
        to.push_back(line_directive(1, file));
        std::string named;  // the file that contains the line, if the translator states it
        int number = 0;
        for (const std::string& line : lines_of(text)) {
            ++number;
            const Lines place =
                begins_with(line, "#line ") ? match(line, "^#line ([0-9]+)( \".*\")?$") : Lines();
            if (!place.empty()) {
                number = std::stoi(place[1]) - 1;
                if (!place[2].empty()) named = place[2];
                to.push_back(line);
                continue;
            }
            const std::string include = included(line);
            if (const Lines words = words_of(line);
                words.size() == 3 && words[0] == "namespace" && words[2] == "{")
                spaces_.insert(words[1]);
            follow_conditions(line);
            const fs::path header = copied_header(include, file);
            if (include.empty() && line != "#pragma once")
                to.push_back(line);
            else if (header.empty())
                leave_out(include, to);
            else if (copied_.insert(header).second) {
                add_header(header, to);
                to.push_back(named.empty() ? line_directive(number + 1, file)
                                           : sentence("#line ", number + 1, named));
            } else
                to.push_back("");
        }
    }

    /// Returns the header if each submission must get its own copy of it: a header of the contract, or one
    /// next to the file, because two folders can contain headers with the same name. The translator names its
    /// headers relative to the root of the course. Empty if all submissions share the header.
    fs::path copied_header(const std::string& include, const fs::path& file) const {
        if (!begins_with(include, "\"")) return {};
        const fs::path name = include.substr(1, include.size() - 2);
        if (is_of_contract(course_, include)) return course_.root / "tests" / name;
        for (const fs::path& folder : {file.parent_path(), course_.root}) {
            const fs::path header = (folder / name).lexically_normal();
            if (fs::is_regular_file(header) && !shared_.count(header)) return header;
        }
        return {};
    }

    void add_header(const fs::path& header, Lines& to) {
        if (std::find(read_.begin(), read_.end(), header) == read_.end()) read_.push_back(header);
        add_text(header, read_text(header), to);
    }

    /// Returns a #line directive. The directive names a file of the course relative to the root, so that
    /// ccache sees the same source in every checkout.
    std::string line_directive(int number, const fs::path& file) const {
        const fs::path relative = file.lexically_proximate(course_.root);
        const fs::path& named = relative.begin()->string() == ".." ? file : relative;
        return sentence("#line ", number, " \"", named.string(), "\"");
    }

    /// Keeps the lines of each #if and #else that has not ended.
    void follow_conditions(const std::string& line) {
        const Lines found = match(line, "^ *# *(if|el|endif)");
        if (found.empty()) return;
        if (found[1] == "if")
            conditions_.push_back({line});
        else if (!conditions_.empty() && found[1] == "el")
            conditions_.back().push_back(line);
        else if (!conditions_.empty())
            conditions_.pop_back();
    }

    void leave_out(const std::string& include, Lines& to) {
        to.push_back("");
        if (include.empty()) return;
        Lines lines;
        for (const Lines& condition : conditions_)
            lines.insert(lines.end(), condition.begin(), condition.end());
        lines.push_back("#include " + include);
        lines.resize(lines.size() + conditions_.size(), "#endif");
        const std::string text = joined(lines, "\n");
        Lines& top = begins_with(include, "<") ? angled_ : quoted_;
        if (std::find(top.begin(), top.end(), text) == top.end()) top.push_back(text);
    }

    const Course& course_;
    const std::set<fs::path>& shared_;
    std::set<fs::path> copied_;
    std::set<std::string> spaces_, all_spaces_;
    std::vector<Lines> conditions_;
    Lines angled_, quoted_, body_;
    std::vector<fs::path> read_;
};

/// Returns the submissions with these names, in this order: the path of a starter, or a name such as
/// "wrong.missing_barrier". Writes their texts to the build folder, where the text of a starter already is.
/// Adds the files that were read to `read`.
std::vector<Submission> submissions_of(const Course& course, const Exercise& exercise, const Lines& parts,
                                       std::vector<fs::path>& read) {
    std::vector<Submission> found;
    const Submissions all(course, exercise);
    read.push_back(course.root / exercise.solution());
    if (!all.entries().empty()) read.push_back(course.root / exercise.submissions());
    for (const std::string& part : parts) {
        if (ends_with(part, ".cu")) {
            found.push_back({part, "starter_" + exercise.name, read_text(part), false});
            read.push_back(part);
            continue;
        }
        const Entry& entry = all.entry(part);
        const fs::path file = program_of(course, exercise, entry);
        const std::string text = text_of(all.program(course, exercise, entry));
        found.push_back({file, sentence(entry.kind, "_", entry.name), text, true});
        write_text(file, text);
    }
    return found;
}

/// Writes the source, and next to it FILE.d, which lists the input files for the build.
void write_joined(const Course& course, const fs::path& file, const std::vector<Submission>& all,
                  std::vector<fs::path> read, const std::set<fs::path>& shared = {}) {
    const Together made = together(course, all, shared);
    read.insert(read.end(), made.read.begin(), made.read.end());
    std::string rule = file.string() + ":";
    for (const fs::path& path : read) rule += " \\\n " + replaced(path.string(), " ", "\\ ");
    write_text(file.string() + ".d", rule + "\n");
    write_text(file, made.source);
}

}  // namespace

Together together(const Course& course, const std::vector<Submission>& submissions,
                  const std::set<fs::path>& shared) {
    Joiner joiner(course, shared);
    for (const Submission& submission : submissions) joiner.add(submission);
    return joiner.result();
}

int command_together(const Course& course, const Arguments& arguments) {
    if (arguments.size() < 4) return 2;
    const Exercise& exercise = course.exercise(arguments[0] + "/" + arguments[1]);
    std::vector<fs::path> read;
    const std::vector<Submission> all =
        submissions_of(course, exercise, {arguments.begin() + 3, arguments.end()}, read);
    write_joined(course, arguments[2], all, read);
    return 0;
}

int command_joined(const Course& course, const Arguments& arguments) {
    if (arguments.size() < 2) return 2;
    std::vector<Submission> all;
    std::vector<fs::path> read;
    std::set<fs::path> shared;
    for (auto argument = arguments.begin() + 1; argument != arguments.end(); ++argument) {
        const Lines named = match(*argument, "^([a-z0-9_]+)=(.*)");
        const fs::path path = named.empty() ? *argument : named[2];
        if (path.extension() == ".cuh") {
            shared.insert(path.lexically_normal());
            continue;
        }
        const std::string name = named.empty() ? sentence("file_", all.size() + 1) : named[1];
        all.push_back({path, name, read_text(path), false});
        read.push_back(path);
    }
    write_joined(course, arguments[0], all, read, shared);
    return 0;
}

}  // namespace course
