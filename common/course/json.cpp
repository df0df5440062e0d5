// The model as JSON, for the tools of slides and site: they read no source, no mark and no list of topics themselves.
// And the names of presets.
#include "json.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "markdown.hpp"
#include "source.hpp"

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

/// What the README's table of topics says about a topic: the cell behind the one that begins with its name.
std::string learn_of(const Markdown& readme, const std::string& topic) {
    for (std::size_t i = 0; i + 1 < readme.blocks().size(); ++i) {
        if (begins_with(readme.blocks()[i].plain, topic + ":")) return readme.blocks()[i + 1].plain;
    }
    return "";
}

ordered_json topic_as_json(const Course& course, const Markdown& readme, const std::string& topic) {
    const fs::path lecture = fs::path("lectures") / topic / "README.md";
    ordered_json exercises = ordered_json::array();
    std::vector<std::string> folders;
    int wrong = 0;
    for (const Exercise* exercise : course.exercises_of(topic)) {
        exercises.push_back({{"name", exercise->name},
                             {"solution", exercise->solution().string()},
                             {"starter", exercise->starter().string()},
                             {"test", exercise->test().string()}});
        folders.push_back(exercise->wrong().string() + "/");
    }
    for (const fs::path& source : course.sources()) {
        const auto holds = [&](const std::string& folder) { return begins_with(source.string(), folder); };
        wrong += std::any_of(folders.begin(), folders.end(), holds);
    }
    return {{"name", topic},
            {"title", title_of(Markdown(read_text_if_there(course.root / lecture)), topic)},
            {"learn", learn_of(readme, topic)},
            {"lecture", lecture.string()},
            {"tasks", (fs::path("exercises") / topic / "README.md").string()},
            {"contract", (fs::path("tests") / topic / (topic + ".hpp")).string()},
            {"demo", (fs::path("lectures") / topic / "demo.cu").string()},
            {"slides", fs::exists(course.root / "slides" / (topic + ".md"))},
            {"wrong", wrong},
            {"exercises", exercises}};
}

/// A page with its title, and where the code comes from that it shows: the line of the block's fence, the file, its lines.
ordered_json page_as_json(const Course& course, const fs::path& path) {
    const Markdown page(read_text(course.root / path));
    ordered_json quotes = ordered_json::array();
    for (const Comment& comment : page.comments()) {
        const std::vector<std::string> words = words_of(comment.value);
        if (comment.name != "code" || !comment.has_code || words.size() != 2) continue;
        const auto [first, last] = Source(course.root / words[0]).region_lines(words[1]);
        quotes.push_back({{"line", page.line(comment.code.begin) - 1},
                          {"file", words[0]},
                          {"first", first},
                          {"last", last}});
    }
    return {{"path", path.string()}, {"title", title_of(page, path.string())}, {"quotes", quotes}};
}

/// The pages about diagnoses in the order in which their index names them.
std::vector<fs::path> diagnoses_in_order(const Course& course) {
    const fs::path index = "lectures/diagnoses/README.md";
    std::vector<fs::path> left = course.diagnosis_pages(), ordered;
    const Markdown page(read_text_if_there(course.root / index));
    for (const Link& link : page.links()) {
        const auto found = std::find(left.begin(), left.end(), index.parent_path() / link.target);
        if (found == left.end()) continue;
        ordered.push_back(*found);
        left.erase(found);
    }
    ordered.insert(ordered.end(), left.begin(), left.end());
    return ordered;
}

/// All pages in the order in which one reads them: topics, mistakes, what is behind the course, teaching.
std::vector<fs::path> reading_order(const Course& course) {
    std::vector<fs::path> order = {"README.md"};
    for (const std::string& topic : course.topics()) {
        order.push_back(fs::path("lectures") / topic / "README.md");
        order.push_back(fs::path("exercises") / topic / "README.md");
    }
    order.push_back("lectures/diagnoses/README.md");
    for (const fs::path& page : diagnoses_in_order(course)) order.push_back(page);
    order.push_back("common/cpu/README.md");
    order.push_back("tests/kit/README.md");
    for (const fs::path& page : course.pages()) {
        if (std::find(order.begin(), order.end(), page) == order.end()) order.push_back(page);
    }
    order.push_back("slides/README.md");
    const auto missing = [&](const fs::path& page) { return !fs::is_regular_file(course.root / page); };
    order.erase(std::remove_if(order.begin(), order.end(), missing), order.end());
    return order;
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

std::string model_as_json(const Course& course) {
    const Markdown readme(read_text_if_there(course.root / "README.md"));
    ordered_json model = {{"root", course.root.string()},
                          {"topics", ordered_json::array()},
                          {"diagnoses", ordered_json::array()},
                          {"pages", ordered_json::array()},
                          {"sources", ordered_json::array()}};
    for (const std::string& topic : course.topics())
        model["topics"].push_back(topic_as_json(course, readme, topic));
    for (const fs::path& page : diagnoses_in_order(course)) model["diagnoses"].push_back(page.string());
    for (const fs::path& page : reading_order(course)) model["pages"].push_back(page_as_json(course, page));
    for (const fs::path& source : course.sources()) model["sources"].push_back(source.string());
    return model.dump(1) + "\n";
}

int command_json(const Course& course, const Arguments& arguments) {
    if (!arguments.empty()) return 2;
    std::fputs(model_as_json(course).c_str(), stdout);
    return 0;
}

}  // namespace course
