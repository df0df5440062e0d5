// Makes the course's site out of Doxygen's pages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "course.hpp"

namespace site {

/// Gives every page in `folder` its surroundings, adds the landing page, the pages of source files, figures and the
/// search index, and removes what Doxygen leaves beside them. The templates (header.html, landing.html, ...) lie in
/// `templates`. Returns complaints: links to sources, regions or figures that do not exist.
std::vector<std::string> finish(const Course& course, const std::filesystem::path& templates,
                                const std::filesystem::path& folder);

}  // namespace site
