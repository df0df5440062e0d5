// kit_site: what the build of the site needs besides Doxygen. See usage() for its commands.
#include <exception>
#include <iostream>

#include "check.hpp"
#include "contrast.hpp"
#include "course.hpp"
#include "filter.hpp"
#include "finish.hpp"
#include "text.hpp"

namespace {

int usage() {
    std::cerr
        << "usage: kit_site filter ROOT FILE             Markdown of the course as Markdown for Doxygen\n"
           "       kit_site finish ROOT TEMPLATES SITE   Doxygen's pages as the course's site\n"
           "       kit_site check SITE DECKS             links, anchors, pictures of a built site\n"
           "       kit_site contrast CSS                 contrast of the colours of a style sheet\n";
    return 2;
}

/// Prints the complaints; the exit status is that of a check.
int told(const std::vector<std::string>& complaints, const std::string& summary) {
    for (const std::string& complaint : complaints) std::cout << complaint << "\n";
    std::cout << summary << ", " << complaints.size() << " complaints\n";
    return complaints.empty() ? 0 : 1;
}

int run(const std::vector<std::string>& arguments) {
    const std::string command = arguments.empty() ? "" : arguments[0];
    if (command == "filter" && arguments.size() == 3) {
        const std::string file = site::relative_to(std::filesystem::absolute(arguments[2]), arguments[1]);
        std::cout << site::filter(site::read_course(arguments[1]), file);
        return 0;
    }
    if (command == "finish" && arguments.size() == 4) {
        const site::Course course = site::read_course(arguments[1]);
        return told(site::finish(course, arguments[2], arguments[3]),
                    std::to_string(course.topics.size()) + " topics, " + std::to_string(course.pages.size()) +
                        " pages of text");
    }
    if (command == "check" && arguments.size() == 3) {
        const site::Checked checked = site::check_site(arguments[1], arguments[2]);
        return told(checked.complaints,
                    std::to_string(checked.pages) + " pages, " + std::to_string(checked.links) + " links, " +
                        std::to_string(checked.pictures) + " pictures (" + std::to_string(checked.outside) +
                        " links to other hosts were not followed, " +
                        std::to_string(checked.slides_not_built) + " lead to slides that are not built)");
    }
    if (command == "contrast" && arguments.size() == 2) {
        const site::Contrasts contrasts = site::check_contrast(site::read_text(arguments[1]));
        return told(contrasts.complaints, std::to_string(contrasts.pairs) +
                                              " pairs of colours, the least contrast is " +
                                              std::to_string(contrasts.least));
    }
    return usage();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::cerr << "kit_site: " << error.what() << "\n";
        return 1;
    }
}
