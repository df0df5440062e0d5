// The model as JSON, for the tools of slides and site: they read no source, no page and no list of topics themselves.
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
