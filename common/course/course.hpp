// The model of the course: its topics and exercises, and the path of each of their files. All tools get these facts from here.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "text.hpp"

namespace course {

/// The manifest: topics and exercises, with each fact that several pages or programs need. The file explains its format.
inline const fs::path manifest = "common/course/manifest.txt";

/// Returns the contract of a topic: the declarations that its solutions and tests share.
inline fs::path contract_of(const std::string& topic) {
    return fs::path("tests") / topic / (topic + ".hpp");
}

/// Returns the file with the screens of all submissions of a topic.
inline fs::path screens_of(const std::string& topic) {
    return fs::path("tests") / topic / (topic + ".screens");
}

/// Returns the slides of a topic.
inline fs::path deck_of(const std::string& topic) {
    return fs::path("slides") / (topic + ".md");
}

struct Exercise {
    std::string topic;                  ///< "07_reduction"
    std::string name;                   ///< "tree"
    std::vector<std::string> variants;  ///< definitions with which it is graded a second time
    std::string purpose = {};           ///< what the student writes, in a few words
    std::string library = {};           ///< library that it is linked with on a GPU: "nccl"; usually empty
    std::string architecture = {};      ///< oldest architecture that it runs on: "sm_90"; usually empty
    bool stretch = false;               ///< for students who have time left

    std::string id() const { return topic + "/" + name; }  ///< "07_reduction/tree"
    std::string short_name() const;                        ///< "reduction.tree", as ctest -R finds it
    std::string pattern() const;  ///< for ctest -R: the tests of this exercise, and no others

    fs::path solution() const { return fs::path("solutions") / topic / (name + ".cu"); }
    fs::path starter() const { return fs::path("exercises") / topic / (name + ".cu"); }
    fs::path test() const { return fs::path("tests") / topic / (name + "_test.cu"); }
    /// Returns the original starter, in a student copy, which has no solution.
    fs::path kept_starter() const { return fs::path("tests") / topic / (name + ".starter"); }
    fs::path submissions() const { return fs::path("tests") / topic / (name + ".submissions"); }
    fs::path screens() const { return screens_of(topic); }
    fs::path contract() const { return contract_of(topic); }
    fs::path tasks() const { return fs::path("exercises") / topic / "README.md"; }
};

struct Topic {
    std::string name;            ///< "07_reduction"
    std::string title;           ///< "Reduction"
    std::string learn;           ///< subjects of the topic, in a few words
    bool device_launch = false;  ///< whether the kernels of its exercises launch kernels

    std::string heading() const { return name.substr(0, 2) + " " + title; }  ///< "07 Reduction"
};

/// Returns the pages directly in a folder, README.md first; none if there is no such folder.
std::vector<fs::path> pages_in(const fs::path& folder);

/// Returns exercises/TOPIC/NAME.cu for solutions/TOPIC/NAME.cu.
fs::path starter_of(const fs::path& solution);

/// The course of a checkout. All paths of files are relative to its root.
class Course {
  public:
    /// Reads the list that CMake writes when it configures (kit_finish_course), and the manifest of the checkout that the list names.
    static Course read(const fs::path& list);
    /// Reads topics and exercises from the manifest of the checkout.
    void read_manifest();

    fs::path root, build;             ///< the checkout; the build folder
    fs::path submitted;               ///< folder with the files to grade, as TOPIC/NAME.cu
    std::string backend;              ///< "CPU" or "GPU"
    std::vector<std::string> chosen;  ///< the topics that this build folder grades; empty means all
    std::vector<Exercise> exercises;
    std::vector<Topic> described;  ///< the topics as the manifest describes them

    std::vector<std::string> topics() const;
    /// Returns the topic. Throws Error if the manifest does not describe it.
    const Topic& topic(const std::string& name) const;
    /// Returns whether this build folder grades the topic.
    bool has_chosen(const std::string& topic) const;
    std::vector<const Exercise*> exercises_of(const std::string& topic) const;
    /// Returns null if there is no such exercise.
    const Exercise* find(const std::string& topic, const std::string& name) const;
    /// Returns the exercise "07_reduction/tree". Throws Error if there is none.
    const Exercise& exercise(const std::string& id) const;
    /// Returns the exercise with this name, which can also be "reduction.tree", "exercises/07_reduction/tree.cu", or "tree" if that is
    /// unique. Throws Error, which suggests similar names.
    const Exercise& named(const std::string& words) const;

    /// Returns the files below a folder, relative to the root and sorted; all, or those with one of these extensions.
    std::vector<fs::path> files(const fs::path& folder, const std::set<std::string>& extensions = {}) const;

    /// Returns every page of the course's text, relative to the root: README.md, lectures, diagnoses, tasks and so on.
    std::vector<fs::path> pages() const;
    /// Returns the pages of a topic's lecture, relative to the root: README.md first, then other pages such as an appendix.
    std::vector<fs::path> lecture_pages(const std::string& topic) const;
    /// Returns the pages about the executor's findings, such as "lectures/diagnoses/race.md", without their index.
    std::vector<fs::path> diagnosis_pages() const;
    /// Returns every text file of the course that is not a page, relative to the root: sources, records, submissions, scripts.
    std::vector<fs::path> sources() const;

    /// Returns a path for readers: relative to the root if it is below the root.
    std::string shown(const fs::path& path) const;
};

}  // namespace course
