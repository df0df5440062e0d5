// The course as a model: its topics and exercises, and where each of their files lies. Everybody who needs to know what the
// course consists of asks here.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "text.hpp"

namespace course {

/// Topics and exercises, with everything that is said about them in more than one place. The file explains its format.
inline const fs::path manifest = "common/course/manifest.txt";

/// The declarations that solutions and tests of a topic agree on.
inline fs::path contract_of(const std::string& topic) {
    return fs::path("tests") / topic / (topic + ".hpp");
}

/// Its slides.
inline fs::path deck_of(const std::string& topic) {
    return fs::path("slides") / (topic + ".md");
}

struct Exercise {
    std::string topic;                  ///< "07_reduction"
    std::string name;                   ///< "tree"
    std::vector<std::string> variants;  ///< definitions with which it is graded once more
    std::string purpose = {};           ///< what the student writes, in a few words
    std::string library = {};           ///< that it is linked with on a GPU: "nccl"; empty for most
    std::string architecture = {};      ///< the oldest one that it runs on: "sm_90"; empty for most
    bool stretch = false;               ///< for students who have time left

    std::string id() const { return topic + "/" + name; }  ///< "07_reduction/tree"
    std::string short_name() const;                        ///< "reduction.tree", as ctest -R finds it
    std::string pattern() const;  ///< for ctest -R: the tests of this exercise, and no others

    fs::path solution() const { return fs::path("solutions") / topic / (name + ".cu"); }
    fs::path starter() const { return fs::path("exercises") / topic / (name + ".cu"); }
    fs::path test() const { return fs::path("tests") / topic / (name + "_test.cu"); }
    /// In a student copy, which has no solution: what the exercise began as.
    fs::path kept_starter() const { return fs::path("tests") / topic / (name + ".starter"); }
    fs::path submissions() const { return fs::path("tests") / topic / (name + ".submissions"); }
    fs::path screens() const { return fs::path("tests") / topic / (name + ".screens"); }
    fs::path contract() const { return contract_of(topic); }
    fs::path tasks() const { return fs::path("exercises") / topic / "README.md"; }
};

struct Topic {
    std::string name;            ///< "07_reduction"
    std::string title;           ///< "Reduction"
    std::string learn;           ///< its subjects, in a few words
    bool device_launch = false;  ///< the kernels of its exercises launch kernels

    std::string heading() const { return name.substr(0, 2) + " " + title; }  ///< "07 Reduction"
};

/// The pages that lie in a folder itself, README.md first; none where there is no such folder.
std::vector<fs::path> pages_in(const fs::path& folder);

/// exercises/TOPIC/NAME.cu for solutions/TOPIC/NAME.cu.
fs::path starter_of(const fs::path& solution);

/// All paths of files are relative to the root of the checkout.
class Course {
  public:
    /// Reads the list that CMake writes when it configures (kit_finish_course), and the manifest of the checkout that the list names.
    static Course read(const fs::path& list);
    /// Reads topics and exercises from the manifest of the checkout.
    void read_manifest();

    fs::path root, build;             ///< the checkout, the build folder
    fs::path submitted;               ///< the files to be graded, as TOPIC/NAME.cu
    std::string backend;              ///< "CPU" or "GPU"
    std::vector<std::string> chosen;  ///< the topics that this build folder grades; empty means all
    std::vector<Exercise> exercises;
    std::vector<Topic> described;  ///< the topics as the manifest describes them

    std::vector<std::string> topics() const;
    /// Throws Error if the manifest does not describe it.
    const Topic& topic(const std::string& name) const;
    /// Is this topic graded here?
    bool has_chosen(const std::string& topic) const;
    std::vector<const Exercise*> exercises_of(const std::string& topic) const;
    /// Null if there is none.
    const Exercise* find(const std::string& topic, const std::string& name) const;
    /// The exercise "07_reduction/tree". Throws Error if there is none.
    const Exercise& exercise(const std::string& id) const;
    /// The same, as people name one: also "reduction.tree", "exercises/07_reduction/tree.cu", or "tree" where there is but one.
    /// Throws Error, which names the nearest ones.
    const Exercise& named(const std::string& words) const;

    /// The files below a folder, relative to the root and sorted; with one of these extensions, or all.
    std::vector<fs::path> files(const fs::path& folder, const std::set<std::string>& extensions = {}) const;

    /// Every page of the course's text, relative to the root: README.md, lectures, diagnoses, tasks and so on.
    std::vector<fs::path> pages() const;
    /// The lecture of a topic, relative to the root: its README.md first, then every other page beside it, such as an appendix.
    std::vector<fs::path> lecture_pages(const std::string& topic) const;
    /// Pages about what the executor finds: "lectures/diagnoses/race.md"; their index is none.
    std::vector<fs::path> diagnosis_pages() const;
    /// Every text file of the course that is no page: sources, records, submissions, scripts; relative to the root.
    std::vector<fs::path> sources() const;

    /// A path as a reader sees it: from the root if it lies below it.
    std::string shown(const fs::path& path) const;
};

}  // namespace course
