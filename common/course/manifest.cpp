// Reads the manifest: one fact per line, a key and its words.
#include "course.hpp"

namespace course {

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
        } else if (key != "alone") {  // CMake reads this key
            complain("the key ", key, " is not known");
        }
    }
}

}  // namespace course
