// The model of the course: topics, exercises, and the path of each of their files. All tools use this model.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "text.hpp"

namespace course {

/// The manifest lists topics and exercises, with all facts that several pages or programs need. The file
/// explains its format.
inline const fs::path manifest = "common/course/manifest.txt";

/// Returns the path of a topic's contract: the header with the declarations that its solutions and tests
/// share.
inline fs::path contract_of(const std::string& topic) {
    return fs::path("tests") / topic / (topic + ".hpp");
}

/// Returns the path of the screens of all submissions in a topic.
inline fs::path screens_of(const std::string& topic) {
    return fs::path("tests") / topic / (topic + ".screens");
}

/// Returns the path of a topic's slides.
inline fs::path deck_of(const std::string& topic) {
    return fs::path("slides") / (topic + ".md");
}

struct Exercise {
    std::string topic;                  ///< for example "07_reduction"
    std::string name;                   ///< for example "tree"
    std::vector<std::string> variants;  ///< definitions with which the exercise is also graded
    std::string purpose = {};           ///< what the student writes, in a few words
    std::string library = {};           ///< library with which the exercise is linked on a GPU, such as
                                        ///< "nccl"; usually empty
    std::string architecture = {};      ///< oldest architecture on which the exercise runs, such as "sm_90";
                                        ///< usually empty
    bool stretch = false;               ///< whether it is for students who have time left

    std::string id() const { return topic + "/" + name; }  ///< for example "07_reduction/tree"
    std::string short_name() const;  ///< for example "reduction.tree", which ctest -R finds
    std::string pattern() const;     ///< regular expression for ctest -R that matches only the tests of this
                                     ///< exercise

    fs::path solution() const { return fs::path("solutions") / topic / (name + ".cu"); }
    fs::path starter() const { return fs::path("exercises") / topic / (name + ".cu"); }
    fs::path test() const { return fs::path("tests") / topic / (name + "_test.cu"); }
    /// Returns the path of the original starter in a student copy, which has no solution.
    fs::path kept_starter() const { return fs::path("tests") / topic / (name + ".starter"); }
    fs::path submissions() const { return fs::path("tests") / topic / (name + ".submissions"); }
    fs::path screens() const { return screens_of(topic); }
    fs::path contract() const { return contract_of(topic); }
    fs::path tasks() const { return fs::path("exercises") / topic / "README.md"; }
};

struct Topic {
    std::string name;            ///< for example "07_reduction"
    std::string title;           ///< for example "Reduction"
    std::string learn;           ///< subjects of the topic in a few words
    bool device_launch = false;  ///< whether kernels of its exercises launch kernels

    std::string heading() const { return name.substr(0, 2) + " " + title; }  ///< for example "07 Reduction"
};

/// Returns the pages that are directly in a folder, with README.md first; none if the folder is missing.
std::vector<fs::path> pages_in(const fs::path& folder);

/// Returns the path of a starter: exercises/TOPIC/NAME.cu for solutions/TOPIC/NAME.cu.
fs::path starter_of(const fs::path& solution);

/// The course in a checkout. All paths of its files are relative to its root.
class Course {
  public:
    /// Reads the list of facts that CMake writes when it configures (kit_finish_course), and the manifest of
    /// the checkout.
    static Course read(const fs::path& list);
    /// Reads the topics and exercises from the manifest.
    void read_manifest();

    fs::path root, build;             ///< the root of the checkout, and the build folder
    fs::path submitted;               ///< folder with the files to grade (TOPIC/NAME.cu)
    std::string backend;              ///< "CPU" or "GPU"
    std::vector<std::string> chosen;  ///< topics that this build folder grades; empty: all
    std::vector<Exercise> exercises;
    std::vector<Topic> described;  ///< topics in the order of the manifest

    std::vector<std::string> topics() const;
    /// Returns a topic by its name. Throws Error if the manifest does not contain the topic.
    const Topic& topic(const std::string& name) const;
    /// Returns whether this build folder grades this topic.
    bool has_chosen(const std::string& topic) const;
    std::vector<const Exercise*> exercises_of(const std::string& topic) const;
    /// Returns an exercise; null if there is none.
    const Exercise* find(const std::string& topic, const std::string& name) const;
    /// Returns the exercise with an id such as "07_reduction/tree". Throws Error if there is none.
    const Exercise& exercise(const std::string& id) const;
    /// Returns the exercise that the words name: its id, "reduction.tree", "exercises/07_reduction/tree.cu",
    /// or "tree" if only one topic has it. Throws Error, with similar names, if there is none.
    const Exercise& named(const std::string& words) const;

    /// Returns the files below a folder, sorted and relative to the root. `extensions` limits the files to
    /// those with one of these extensions.
    std::vector<fs::path> files(const fs::path& folder, const std::set<std::string>& extensions = {}) const;

    /// Returns all pages of the course's text, relative to the root: README.md, lectures, diagnoses, tasks
    /// and others.
    std::vector<fs::path> pages() const;
    /// Returns the pages of a topic's lecture, relative to the root: README.md first, then others such as an
    /// appendix.
    std::vector<fs::path> lecture_pages(const std::string& topic) const;
    /// Returns the pages about the executor's findings, such as "lectures/diagnoses/race.md", without the
    /// index page.
    std::vector<fs::path> diagnosis_pages() const;
    /// Returns all text files that are not pages, relative to the root: sources, records, submissions,
    /// scripts.
    std::vector<fs::path> sources() const;

    /// Returns a path as readers see it: relative to the root if it is below the root.
    std::string shown(const fs::path& path) const;
};

}  // namespace course
