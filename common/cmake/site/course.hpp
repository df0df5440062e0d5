// The order of the course, read from the checkout: topics, pages, and what a page is called on the site.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace site {

struct Topic {
    std::string name;    ///< "07_reduction"
    std::string title;   ///< "07 Reduction", the heading of its lecture
    std::string learn;   ///< what the README's table of topics says about it
    std::string space;   ///< the C++ namespace of its contract
    std::string figure;  ///< the first figure of its lecture, "chain_and_tree.svg"
    std::string figure_text;
    std::vector<std::string> exercises;  ///< names, in the order of the exercise page
    int wrong = 0;                       ///< wrong submissions
    bool slides = false;                 ///< there is a deck slides/TOPIC.md
};

/// A page that is made from Markdown.
struct Page {
    std::string file;   ///< "lectures/07_reduction/README.md"
    std::string id;     ///< "lecture_07_reduction": its name on the site, without .html
    std::string title;  ///< its first heading
};

struct Course {
    std::filesystem::path root;
    std::vector<Topic> topics;
    std::vector<Page> pages;  ///< in the order in which they are read
    std::vector<Page> diagnoses() const;
    const Page* page(const std::string& file) const;
    bool slides() const;  ///< any deck at all
};

Course read_course(const std::filesystem::path& root);

/// "lectures/07_reduction/README.md" is lecture_07_reduction, "lectures/diagnoses/race.md" is diagnosis_race.
std::string page_id(const std::string& file);

/// Where the site has the text of a source file: "source/solutions/07_reduction/tree.cu.html".
std::string source_url(const std::string& file);

/// The lines of `// [REGION]` to `// [/REGION]` in a file, without the markers; {0, 0} if there is no such region.
struct Lines {
    int first = 0, last = 0;
};
Lines find_region(const std::filesystem::path& file, const std::string& region);

}  // namespace site
