// Writes the model of the course as JSON for the tools of slides and site, which then need not read sources,
// marks or the manifest. Also reads the names of presets: the JSON library is slow to compile, and only this
// file includes it.
#include <algorithm>
#include <cstdio>

#include "author_commands.hpp"
#include "json_library.hpp"
#include "quotes.hpp"
#include "rules.hpp"
#include "student.hpp"
#include "submissions.hpp"

namespace course {

namespace {

using nlohmann::ordered_json;

/// Returns the first heading of a page; if there is none, its path.
std::string title_of(const Markdown& page, const std::string& otherwise) {
    for (const Block& block : page.blocks()) {
        if (block.kind == Block::heading) return block.plain;
    }
    return otherwise;
}

ordered_json topic_as_json(const Course& course, const std::string& topic) {
    const std::string lecture = "lectures/" + topic + "/README.md";
    ordered_json exercises;
    std::size_t wrong = 0;
    for (const Exercise* exercise : course.exercises_of(topic)) {
        const Source solution(course.root / exercise->solution());
        exercises.push_back({{"name", exercise->name},
                             {"solution", exercise->solution().string()},
                             {"removed", solution.removed()},
                             {"marks", solution.marks()},
                             {"starter", exercise->starter().string()}});
        const Submissions all(course, *exercise);
        for (const Entry& entry : all.entries()) wrong += entry.kind == "wrong";
    }
    ordered_json appendices = ordered_json::array();
    for (const fs::path& page : course.lecture_pages(topic)) {
        if (page != lecture) appendices.push_back(page.string());
    }
    return {{"name", topic},
            {"title", course.topic(topic).heading()},
            {"learn", course.topic(topic).learn},
            {"lecture", lecture},
            {"appendices", appendices},
            {"tasks", "exercises/" + topic + "/README.md"},
            {"contract", contract_of(topic).string()},
            {"demo", "lectures/" + topic + "/demo.cu"},
            {"slides", fs::exists(course.root / deck_of(topic))},
            {"wrong", wrong},
            {"exercises", exercises}};
}

/// Returns a page with its title, and the origins of the code that it shows: the line of the block's fence,
/// the file, and its lines. Code with a gap comes from the starter.
ordered_json page_as_json(const Course& course, const fs::path& path) {
    const Markdown page(read_text(course.root / path));
    ordered_json quotes = ordered_json::array();
    for (const Quotation& quotation : quotations_of(page)) {
        const auto add = [&](std::size_t fence, const fs::path& file) {
            const auto [first, last] = Source(course.root / file).region_lines(quotation.region);
            quotes.push_back(
                {{"line", page.line(fence)}, {"file", file.string()}, {"first", first}, {"last", last}});
        };
        const std::size_t fence = quotation.range.begin + 1;
        if (quotation.folded == 0) {
            add(fence, quotation.file);
            continue;
        }
        try {
            add(fence, starter_of(quotation.file));
        } catch (const Error&) {  // a student has edited the file and removed the marks
        }
        add(quotation.folded, quotation.file);
    }
    return {{"path", path.string()}, {"title", title_of(page, path.string())}, {"quotes", quotes}};
}

/// Appends a page if it exists and is not in the list yet.
void append(const Course& course, const fs::path& page, std::vector<fs::path>& list) {
    if (fs::is_regular_file(course.root / page) && std::find(list.begin(), list.end(), page) == list.end())
        list.push_back(page);
}

/// Returns the pages about diagnoses, in the order of their index page.
std::vector<fs::path> diagnoses_in_order(const Course& course) {
    const fs::path index = "lectures/diagnoses/README.md";
    const std::vector<fs::path> pages = course.diagnosis_pages();
    std::vector<fs::path> order;
    const Markdown page(read_text_if_there(course.root / index));
    for (const Link& link : page.links()) {
        const fs::path target = index.parent_path() / link.target;
        if (std::find(pages.begin(), pages.end(), target) != pages.end()) append(course, target, order);
    }
    for (const fs::path& left : pages) append(course, left, order);
    return order;
}

/// Returns all pages in reading order: topics, mistakes, background, teaching.
std::vector<fs::path> reading_order(const Course& course) {
    std::vector<fs::path> wanted = {"README.md"}, order;
    for (const std::string& topic : course.topics()) {
        for (const fs::path& page : course.lecture_pages(topic)) wanted.push_back(page);
        wanted.push_back(fs::path("exercises") / topic / "README.md");
    }
    wanted.push_back("lectures/diagnoses/README.md");
    for (const fs::path& page : diagnoses_in_order(course)) wanted.push_back(page);
    wanted.insert(wanted.end(), {"common/README.md", "common/cpu/README.md", "common/grader/README.md",
                                 "common/course/README.md", "common/classroom/README.md",
                                 "common/docs/README.md", "tests/README.md", "tests/kit/README.md"});
    for (const fs::path& page : course.pages()) wanted.push_back(page);
    wanted.push_back("slides/README.md");
    for (const fs::path& page : wanted) append(course, page, order);
    return order;
}

}  // namespace

std::set<std::string> presets_of(const Course& course) try {
    std::set<std::string> presets;
    const ordered_json file = ordered_json::parse(read_text_if_there(course.root / "CMakePresets.json"));
    for (const std::string kind : {"configure", "build", "test", "workflow"}) {
        for (const ordered_json& preset : file.value(kind + "Presets", ordered_json::array())) {
            if (!preset.value("hidden", false))
                presets.insert(kind + " " + preset.at("name").get<std::string>());
        }
    }
    return presets;
} catch (const ordered_json::exception& error) {
    throw Error("CMakePresets.json: ", error.what());
}

std::string presets_for_students(const std::string& text) {
    ordered_json file = ordered_json::parse(text);
    for (auto& [kind, presets] : file.items()) {
        if (!ends_with(kind, "Presets")) continue;
        const auto is_meant = [](const ordered_json& preset) {
            return preset.value("hidden", false) || preset.value("name", "") == "exercises";
        };
        ordered_json kept = ordered_json::array();
        std::copy_if(presets.begin(), presets.end(), std::back_inserter(kept), is_meant);
        presets = kept;
    }
    return file.dump(2) + "\n";
}

std::string model_as_json(const Course& course) {
    ordered_json model = {{"root", course.root.string()}};
    for (const std::string& topic : course.topics()) model["topics"].push_back(topic_as_json(course, topic));
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
