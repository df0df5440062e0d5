#include "course.hpp"

#include <algorithm>
#include <map>

namespace course {

std::string Exercise::short_name() const {
    return topic.substr(std::min(topic.find_first_not_of("0123456789_"), topic.size())) + "." + name;
}

std::string Exercise::pattern() const {
    return short_name() + (variants.empty() ? "$" : "([.]|$)");
}

Course Course::read(const fs::path& list) {
    if (!fs::is_regular_file(list))
        throw Error(list, ": missing. To create it, configure the kit, for example with ",
                    "cmake --preset exercises");
    Course course;
    std::map<std::string, std::string> values;
    for (const std::string& line : lines_of(read_text(list))) {
        const std::string key = line.substr(0, line.find(' '));
        values[key] = trimmed(line.substr(key.size()));
    }
    course.root = values["root"];
    course.build = values["build"];
    course.submitted = values["submitted"];
    course.backend = values["backend"];
    course.chosen = words_of(replaced(values["chosen"], ";", " "));
    course.read_manifest();
    return course;
}

std::vector<std::string> Course::topics() const {
    std::vector<std::string> names;
    for (const Exercise& exercise : exercises) {
        if (names.empty() || names.back() != exercise.topic) names.push_back(exercise.topic);
    }
    return names;
}

const Topic& Course::topic(const std::string& name) const {
    for (const Topic& topic : described) {
        if (topic.name == name) return topic;
    }
    throw Error(manifest, ": does not describe the topic ", name);
}

bool Course::has_chosen(const std::string& topic) const {
    return chosen.empty() || std::find(chosen.begin(), chosen.end(), topic) != chosen.end();
}

std::vector<const Exercise*> Course::exercises_of(const std::string& topic) const {
    std::vector<const Exercise*> found;
    for (const Exercise& exercise : exercises) {
        if (exercise.topic == topic) found.push_back(&exercise);
    }
    return found;
}

const Exercise* Course::find(const std::string& topic, const std::string& name) const {
    for (const Exercise& exercise : exercises) {
        if (exercise.topic == topic && exercise.name == name) return &exercise;
    }
    return nullptr;
}

const Exercise& Course::exercise(const std::string& id) const {
    for (const Exercise& exercise : exercises) {
        if (exercise.id() == id) return exercise;
    }
    throw Error("no exercise ", id, ": write TOPIC/NAME, as in 07_reduction/tree");
}

namespace {

/// Returns the short form of an exercise's name: "reduction.tree", or "tree" if the name has no topic.
std::string short_form(std::string words) {
    words = replaced(words, "/", ".");
    if (ends_with(words, ".cu")) words.resize(words.size() - 3);
    const Lines found = match(words, "(^|[.])([0-9]+_)?([a-z][a-z0-9_]*[.])?([a-zA-Z0-9_]+)$");
    return found.empty() ? words : found[3] + found[4];
}

}  // namespace

const Exercise& Course::named(const std::string& words) const {
    const std::string wanted = short_form(words);
    std::vector<const Exercise*> found;
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const Exercise& exercise : exercises) {
        const std::string name = exercise.short_name();
        if (wanted == name || wanted == exercise.name) found.push_back(&exercise);
        const bool in_topic = begins_with(name, wanted + ".");
        near.emplace_back(in_topic ? 0 : std::min(distance(wanted, name), distance(wanted, exercise.name)),
                          exercise.id());
    }
    if (found.size() == 1 && has_chosen(found[0]->topic)) return *found[0];
    if (found.size() == 1) throw Error(found[0]->id(), " is not graded in this build folder: see KIT_TOPICS");
    Lines names;
    for (const Exercise* exercise : found) names.push_back(exercise->id());
    if (!found.empty()) throw Error("several exercises are named ", words, ": ", joined(names, ", "));
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [letters, id] : near) {
        const bool is_near =
            letters <= std::max<std::size_t>(2, wanted.size() / 3) && letters <= near[0].first + 1;
        if (names.size() < (letters == 0 ? 8 : 3) && is_near) names.push_back(id);
    }
    if (names.empty())
        throw Error("no exercise ", words, ": write TOPIC/NAME, as in ", near.empty() ? "" : near[0].second);
    throw Error("no exercise ", words, ": did you mean ", joined(names, ", "), "?");
}

std::vector<fs::path> Course::files(const fs::path& folder, const std::set<std::string>& extensions) const {
    std::vector<fs::path> found;
    if (!fs::is_directory(root / folder)) return found;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        const fs::path file = entry.path().lexically_relative(root);
        const bool is_of_student = begins_with(file.string(), "exercises/hunts/");  // a bug hunt
        if (entry.is_regular_file() && !is_of_student &&
            (extensions.empty() || extensions.count(file.extension())))
            found.push_back(file);
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<fs::path> Course::pages() const {
    std::vector<fs::path> pages;
    if (fs::exists(root / "README.md")) pages.push_back("README.md");
    for (const char* folder : {"lectures", "exercises", "tests", "common"}) {
        for (const fs::path& page : files(folder, {".md"})) {
            if (page.filename() != "tables.md")
                pages.push_back(page);  // templates of tables, in which links must be valid, too
        }
    }
    return pages;
}

fs::path starter_of(const fs::path& solution) {
    return "exercises" / solution.lexically_relative("solutions");
}

std::vector<fs::path> pages_in(const fs::path& folder) {
    std::vector<fs::path> pages;
    if (!fs::is_directory(folder)) return pages;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().extension() == ".md") pages.push_back(entry.path());
    }
    std::sort(pages.begin(), pages.end(), [](const fs::path& a, const fs::path& b) {
        return std::make_pair(a.filename() != "README.md", a) <
               std::make_pair(b.filename() != "README.md", b);
    });
    return pages;
}

std::vector<fs::path> Course::lecture_pages(const std::string& topic) const {
    std::vector<fs::path> pages = pages_in(root / "lectures" / topic);
    for (fs::path& page : pages) page = page.lexically_relative(root);
    return pages;
}

std::vector<fs::path> Course::diagnosis_pages() const {
    std::vector<fs::path> pages = files("lectures/diagnoses", {".md"});
    pages.erase(std::remove(pages.begin(), pages.end(), "lectures/diagnoses/README.md"), pages.end());
    return pages;
}

std::vector<fs::path> Course::sources() const {
    std::vector<fs::path> sources;
    for (const char* folder : {"common", "exercises", "lectures", "solutions", "tests"}) {
        for (const fs::path& file :
             files(folder, {".cu", ".cuh", ".hpp", ".cpp", ".h", ".json", ".txt", ".sh", ".awk", ".files",
                            ".cmake", ".submissions", ".mjs", ".ipynb"})) {
            if (file.filename() != "package-lock.json") sources.push_back(file);  // npm writes this file
        }
    }
    return sources;
}

std::string Course::shown(const fs::path& path) const {
    const std::string text = path.string(), prefix = root.string() + "/";
    return begins_with(text, prefix) ? text.substr(prefix.size()) : text;
}

void Course::read_manifest() {
    int number = 0;
    for (const std::string& line : lines_of(read_text(root / manifest))) {
        ++number;
        const Lines parts = match(line, "^ *([a-z]+)( +([^ ]+)( +(.+))?)?$");
        const auto complain = [&](const auto&... what) { throw Error(manifest, ":", number, ": ", what...); };
        if (trimmed(line).empty() || line[0] == '#') continue;
        if (parts.empty()) complain("a line is a key and words: ", line);
        const std::string &key = parts[1], &name = parts[3], &words = parts[5];
        if (key == "topic") {
            if (words.empty()) complain("a topic has a folder and a title");
            described.push_back({name, words, ""});
            continue;
        }
        if (described.empty()) complain("the first line is that of a topic");
        Topic& topic = described.back();
        const bool has_exercise = !exercises.empty() && exercises.back().topic == topic.name;
        if (key == "learn") {
            topic.learn = trimmed(parts[2]);
        } else if (key == "build") {
            topic.device_launch = contains(parts[2] + " ", " DEVICE_LAUNCH ");
        } else if (key == "exercise") {
            if (words.empty()) complain("an exercise has a name and a purpose");
            if (find(topic.name, name)) complain(topic.name, " has two exercises ", name);
            exercises.push_back({topic.name, name, {}, words});
        } else if (!has_exercise) {
            complain(key, " belongs below an exercise");
        } else if (key == "variant") {
            exercises.back().variants.push_back(name);
        } else if (key == "library") {
            exercises.back().library = name;
        } else if (key == "architecture") {
            exercises.back().architecture = name;
        } else if (key == "stretch") {
            exercises.back().stretch = true;
        } else if (key != "alone") {  // only CMake uses this key
            complain("the key ", key, " is not known");
        }
    }
}

}  // namespace course
