// Rules about which files there are, and how sources begin. See checks_markdown.cpp for those about text.
#include "checks.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "starter.hpp"

namespace fs = std::filesystem;

namespace course {

std::vector<std::string> Course::topics() const {
    std::vector<std::string> names;
    for (const Exercise& exercise : exercises) {
        if (names.empty() || names.back() != exercise.topic) names.push_back(exercise.topic);
    }
    return names;
}

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

Complaints check_files(const Course& course) {
    Complaints complaints;
    const auto require = [&](const std::string& path, const std::string& what) {
        if (!fs::is_regular_file(course.root / path)) complaints.push_back(path + ": missing (" + what + ")");
    };
    for (const auto& [topic, name] : course.exercises) {
        require("exercises/" + topic + "/" + name + ".cu",
                "the starter; cmake --build --preset solutions -t starters");
        require("solutions/" + topic + "/" + name + ".cu", "the solution");
        require("tests/" + topic + "/" + name + "_test.cu", "the test");
    }
    for (const std::string& topic : course.topics()) {
        require("tests/" + topic + "/" + topic + ".hpp", "the contract");
        require("exercises/" + topic + "/README.md", "tasks and hints");
        require("lectures/" + topic + "/README.md", "the lecture");
        require("lectures/" + topic + "/demo.cu", "the demo");
        const fs::path results = course.root / "lectures" / topic / "results";
        if (!fs::is_directory(results) || fs::is_empty(results)) {
            complaints.push_back("lectures/" + topic +
                                 "/results: missing or empty (what the lecture measured)");
        }
    }
    return complaints;
}

Complaints check_starters(const Course& course) {
    Complaints complaints;
    for (const auto& [topic, name] : course.exercises) {
        const std::string file = topic + "/" + name + ".cu", shown = "exercises/" + file;
        try {
            const std::vector<std::string> wanted =
                lines_of(make_starter(read_text(course.root / "solutions" / file)));
            const std::vector<std::string> found = lines_of(read_text(course.root / shown));
            std::size_t line = 0;
            while (line < wanted.size() && line < found.size() && wanted[line] == found[line]) ++line;
            if (line == wanted.size() && line == found.size()) continue;
            const std::string end = "(the end of the file)";
            complaints.push_back(shown + ":" + std::to_string(line + 1) + ": has \"" +
                                 (line < found.size() ? found[line] : end) + "\", its solution gives \"" +
                                 (line < wanted.size() ? wanted[line] : end) + "\"");
        } catch (const MarkerError& error) {
            complaints.push_back("solutions/" + file + ":" + error.what());
        }
    }
    return complaints;
}

namespace {

/// Versions in the file's header ("v1  tree_v1_divergent: ...") against those that the code defines (tree_v1_...).
void compare_versions(const std::string& shown, const std::string& header, const std::string& code,
                      Complaints& complaints) {
    static const std::regex indexed("(^|\n)// +v([0-9]+) "), commented("(^|\n) *// v([0-9]+): ");
    const auto numbers = [](const std::string& text, const std::regex& pattern) {
        std::set<std::string> found;
        for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
            found.insert((*match)[2]);
        }
        return found;
    };
    const auto in_header = numbers(header, indexed), in_code = numbers(code, commented);
    if (in_header.empty())
        complaints.push_back(shown + ": the header has no line \"//   v1  what this version does\"");
    for (const std::string& version : in_code) {
        if (!in_header.count(version))
            complaints.push_back(shown + ": v" + version + " is not in the header's index");
    }
    for (const std::string& version : in_header) {
        if (!in_code.count(version)) {
            complaints.push_back(shown + ": the header's index names v" + version +
                                 ", but no comment \"// v" + version + ": ...\" is in the code");
        }
    }
}

}  // namespace

Complaints check_headers(const Course& course) {
    Complaints complaints;
    for (const auto& [topic, name] : course.exercises) {
        const std::string shown = "solutions/" + topic + "/" + name + ".cu";
        std::string header, code;
        for (const std::string& line : lines_of(read_text(course.root / shown))) {
            (code.empty() && line.rfind("//", 0) == 0 ? header : code) += line + "\n";
        }
        const std::string title = "// " + topic + "/" + name + ": ";
        if (header.rfind(title, 0) != 0)
            complaints.push_back(shown + ": does not begin with \"" + title + "...\"");
        const std::size_t build = header.find("// Build: nvcc -std=c++17 ");
        if (build == std::string::npos || header.find(name + ".cu", build) == std::string::npos ||
            header.find(name + "_test.cu", build) == std::string::npos) {
            complaints.push_back(shown +
                                 ": the header has no build line \"// Build: nvcc -std=c++17 ...\" with this "
                                 "file and its test");
        }
        if (header.find("// Run:") == std::string::npos)
            complaints.push_back(shown + ": the header has no line \"// Run: ...\"");
        compare_versions(shown, header, code, complaints);
    }
    return complaints;
}

Complaints check_stray(const Course& course) {
    Complaints complaints;
    const auto topics = course.topics();
    const auto has = [&](const std::string& topic, const std::string& name) {
        return std::any_of(course.exercises.begin(), course.exercises.end(),
                           [&](const Exercise& one) { return one.topic == topic && one.name == name; });
    };
    const auto belongs = [&](const std::string& folder, const std::string& topic, const std::string& stem) {
        if (folder == "lectures") return stem == "demo";
        const std::string suffix = folder == "tests" ? "_test" : "";
        const bool ends = stem.size() > suffix.size() &&
                          stem.compare(stem.size() - suffix.size(), suffix.size(), suffix) == 0;
        return ends && has(topic, stem.substr(0, stem.size() - suffix.size()));
    };
    for (const std::string folder : {"exercises", "solutions", "tests", "lectures"}) {
        if (!fs::is_directory(course.root / folder)) continue;
        for (const auto& entry : fs::directory_iterator(course.root / folder)) {
            const std::string topic = entry.path().filename().string();
            if (!entry.is_directory() || !std::isdigit(static_cast<unsigned char>(topic[0]))) continue;
            const std::string shown = folder + "/" + topic;
            if (std::find(topics.begin(), topics.end(), topic) == topics.end()) {
                complaints.push_back(shown + ": not a topic; no kit_add_topic(" + topic + ") was called");
                continue;
            }
            for (const auto& file : fs::recursive_directory_iterator(entry.path())) {
                const bool source = file.path().extension() == ".cu";
                if (source && !belongs(folder, topic, file.path().stem().string())) {
                    complaints.push_back(fs::relative(file.path(), course.root).string() +
                                         ": belongs to no exercise, so nothing builds it");
                }
            }
        }
    }
    return complaints;
}

const std::vector<Check>& all_checks() {
    static const std::vector<Check> checks = {{"files", check_files},         {"starters", check_starters},
                                              {"hints", check_hints},         {"headers", check_headers},
                                              {"links", check_links},         {"code", check_code},
                                              {"diagnoses", check_diagnoses}, {"stray", check_stray}};
    return checks;
}

}  // namespace course
