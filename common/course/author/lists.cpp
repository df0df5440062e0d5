#include "author_commands.hpp"
#include "rules.hpp"

namespace course {

namespace {

/// Returns the number of lines that a student must write.
std::size_t lines_to_write(const Course& course, const Exercise& exercise) {
    std::size_t lines = 0;
    for (const auto& [task, count] : source_of(course, exercise.solution()).lines_of_tasks()) lines += count;
    return lines;
}

/// Returns notes about an exercise, such as " (stretch, sm_90)"; empty if there are none.
std::string notes_of(const Exercise& exercise) {
    Lines notes;
    if (exercise.stretch) notes.push_back("stretch");
    if (!exercise.architecture.empty()) notes.push_back(exercise.architecture);
    return notes.empty() ? "" : " (" + joined(notes, ", ") + ")";
}

std::string table_of_topics(const Course& course) {
    std::string table = "| topic | you learn | exercises |\n|---|---|---|\n";
    for (const std::string& name : course.topics()) {
        const Topic& topic = course.topic(name);
        Lines exercises;
        for (const Exercise* exercise : course.exercises_of(name))
            exercises.push_back("`" + exercise->name + "`");
        table += sentence("| [", topic.heading(), "](lectures/", name, "/README.md): [tasks](exercises/",
                          name, "/README.md), [slides](slides/", name, ".md) | ", topic.learn, " | ",
                          joined(exercises, ", "), " |\n");
    }
    return table;
}

/// Returns the table of the exercises. On a page of tasks, each exercise has a link to its section.
std::string table_of_exercises(const Course& course, const std::vector<const Exercise*>& exercises,
                               bool on_slide) {
    std::string table =
        sentence("| exercise | you write | ", on_slide ? "lines" : "about", " |\n|---|---|---|\n");
    for (const Exercise* exercise : exercises) {
        const std::size_t lines = lines_to_write(course, *exercise);
        const std::string& name = exercise->name;
        table += sentence("| ", on_slide ? "`" + name + "`" : "[" + name + "](#" + name + ")",
                          notes_of(*exercise), " | ", exercise->purpose, " | ", lines,
                          on_slide     ? ""
                          : lines == 1 ? " line"
                                       : " lines",
                          " |\n");
    }
    return table;
}

/// Returns the topic of a page such as exercises/TOPIC/README.md or slides/TOPIC.md.
std::string topic_of(const fs::path& page) {
    return *page.begin() == "slides" ? page.stem() : page.parent_path().filename();
}

/// Returns the exercises that the comment names; if it names none, all exercises of the topic.
std::vector<const Exercise*> chosen(const Course& course, const std::string& topic,
                                    const std::string& names) {
    if (names.empty()) return course.exercises_of(topic);
    std::vector<const Exercise*> found;
    for (const std::string& name : words_of(names)) {
        found.push_back(course.find(topic, name));
        if (!found.back()) throw Error(topic, " has no exercise ", name);
    }
    return found;
}

}  // namespace

std::vector<fs::path> listing_pages(const Course& course) {
    std::vector<fs::path> pages = {"README.md"};
    for (const std::string& topic : course.topics()) {
        pages.push_back("exercises/" + topic + "/README.md");
        pages.push_back(deck_of(topic));
    }
    return pages;
}

Revision list(const Course& course, const fs::path& path) {
    Revision revision(course.root, path);
    const bool of_topics = path == "README.md", on_slide = *path.begin() == "slides";
    const std::string kind = of_topics ? "topics" : "exercises", topic = topic_of(path);
    const std::vector<Comment>& comments = revision.page.comments();
    std::vector<const Exercise*> listed;
    bool found = false;
    for (std::size_t i = 0; i < comments.size(); ++i) {
        const Comment& open = comments[i];
        if (open.name != kind) continue;
        found = true;
        if (i + 1 == comments.size() || comments[i + 1].name != "/" + kind) {
            revision.complain(open.range.begin, "this table does not end: <!-- /" + kind + " -->");
            continue;
        }
        try {
            const std::vector<const Exercise*> exercises = chosen(course, topic, open.value);
            listed.insert(listed.end(), exercises.begin(), exercises.end());
            const std::string wanted =
                "\n\n" +
                (of_topics ? table_of_topics(course) : table_of_exercises(course, exercises, on_slide)) +
                "\n";
            revision.expect({open.range.end, comments[i + 1].range.begin}, wanted, "the table of " + kind);
        } catch (const Error& error) {
            revision.complain(open.range.begin, error.what());
        }
    }
    if (!found)
        revision.complain(0, "no table of " + kind + ": <!-- " + kind + " --> and <!-- /" + kind + " -->");
    else if (!of_topics && revision.complaints.empty() && listed != course.exercises_of(topic)) {
        Lines names;
        for (const Exercise* exercise : listed) names.push_back(exercise->name);
        revision.complain(0, sentence("lists the exercises ", joined(names, ", "),
                                      ", and not all of the topic once, in their order"));
    }
    return revision;
}

void check_lists(const Course& course, Complainer& complain) {
    check_revisions(course, listing_pages(course), list, complain);
}

int command_lists(const Course& course, const Arguments& arguments) {
    return revise(course, arguments, listing_pages(course), list, "tables");
}

}  // namespace course
