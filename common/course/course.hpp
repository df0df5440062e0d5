// The course as a model: its topics and exercises, and where each of their files lies. Everybody who needs to know what the
// course consists of asks here.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "text.hpp"

namespace course {

/// The declarations that solutions and tests of a topic agree on.
inline fs::path contract_of(const std::string& topic) {
    return fs::path("tests") / topic / (topic + ".hpp");
}

struct Exercise {
    std::string topic;                  ///< "07_reduction"
    std::string name;                   ///< "tree"
    std::vector<std::string> variants;  ///< definitions with which it is graded once more

    std::string id() const { return topic + "/" + name; }  ///< "07_reduction/tree"
    std::string short_name() const;                        ///< "reduction.tree", as ctest -R finds it
    std::string pattern() const;  ///< for ctest -R: the tests of this exercise, and no others

    fs::path solution() const { return fs::path("solutions") / topic / (name + ".cu"); }
    fs::path starter() const { return fs::path("exercises") / topic / (name + ".cu"); }
    fs::path test() const { return fs::path("tests") / topic / (name + "_test.cu"); }
    /// In a student copy, which has no solution: what the exercise began as.
    fs::path kept_starter() const { return fs::path("tests") / topic / (name + ".starter"); }
    fs::path wrong() const { return fs::path("tests") / topic / (name + ".wrong"); }
    fs::path right() const { return fs::path("tests") / topic / (name + ".right"); }
    fs::path contract() const { return contract_of(topic); }
    fs::path tasks() const { return fs::path("exercises") / topic / "README.md"; }
};

/// The pages that lie in a folder itself, README.md first; none where there is no such folder.
std::vector<fs::path> pages_in(const fs::path& folder);

/// exercises/TOPIC/NAME.cu for solutions/TOPIC/NAME.cu.
fs::path starter_of(const fs::path& solution);

/// All paths of files are relative to the root of the checkout.
class Course {
  public:
    /// Reads the list of exercises that CMake writes when it configures (kit_finish_course): what it was configured with,
    /// then "exercise TOPIC NAME [DEFINITION...]" in the order of the story.
    static Course read(const fs::path& list);

    fs::path root, build;             ///< the checkout, the build folder
    fs::path submitted;               ///< the files to be graded, as TOPIC/NAME.cu
    std::string backend;              ///< "CPU" or "GPU"
    std::vector<std::string> chosen;  ///< the topics that this build folder grades; empty means all
    std::vector<Exercise> exercises;

    std::vector<std::string> topics() const;
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
    /// Every text file of the course that is no page: sources, records, patches, scripts; relative to the root.
    std::vector<fs::path> sources() const;

    /// A path as a reader sees it: from the root if it lies below it.
    std::string shown(const fs::path& path) const;
};

}  // namespace course
