// The model as JSON, for the tools of slides and site: they read no source, no page and no list of topics themselves. And the names
// of presets.
#include "json.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "markdown.hpp"

namespace course {

namespace {

using nlohmann::ordered_json;

/// The first heading of a page, or its path where it has none.
std::string title_of(const Markdown& page, const std::string& otherwise) {
    for (const Block& block : page.blocks()) {
        if (block.kind == Block::heading) return block.plain;
    }
    return otherwise;
}

ordered_json topic_as_json(const Course& course, const std::string& topic) {
    const Markdown lecture(read_text_if_there(course.root / "lectures" / topic / "README.md"));
    ordered_json exercises = ordered_json::array();
    for (const Exercise* exercise : course.exercises_of(topic)) {
        exercises.push_back({{"name", exercise->name},
                             {"solution", exercise->solution().string()},
                             {"starter", exercise->starter().string()},
                             {"test", exercise->test().string()}});
    }
    return {{"name", topic}, {"title", title_of(lecture, topic)}, {"exercises", exercises}};
}

}  // namespace

std::vector<Preset> presets_of(const Course& course) {
    std::vector<Preset> presets;
    try {
        const ordered_json file = ordered_json::parse(read_text_if_there(course.root / "CMakePresets.json"));
        for (const std::string kind : {"configure", "build", "test", "workflow"}) {
            for (const ordered_json& preset : file.value(kind + "Presets", ordered_json::array())) {
                if (!preset.value("hidden", false)) presets.push_back({kind, preset.at("name")});
            }
        }
    } catch (const ordered_json::exception& error) {
        throw Error(std::string("CMakePresets.json: ") + error.what());
    }
    return presets;
}

int command_json(const Course& course, const Arguments& arguments) {
    if (!arguments.empty()) return 2;
    ordered_json model = {{"root", course.root.string()},
                          {"topics", ordered_json::array()},
                          {"diagnoses", ordered_json::array()}};
    for (const std::string& topic : course.topics()) model["topics"].push_back(topic_as_json(course, topic));
    for (const fs::path& page : course.diagnosis_pages()) model["diagnoses"].push_back(page.string());
    std::printf("%s\n", model.dump(1).c_str());
    return 0;
}

}  // namespace course
