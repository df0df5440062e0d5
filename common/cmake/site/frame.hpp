// What surrounds every page: the contents at the side, the way to the page before and after, the page's own headings.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "course.hpp"

namespace site {

/// Where a link "source:FILE" leads, for files with a page of their own.
using SourcePages = std::map<std::string, std::string>;

/// The contents of the course for the side of `url`, whose entry is marked. Links are relative to `up` ("../" or "").
std::string sidebar(const Course& course, const SourcePages& sources, const std::string& url,
                    const std::string& up);

/// Links to the pages before and after `url` in the order of the course; nothing for a page outside of it.
std::string previous_and_next(const Course& course, const std::string& url);

/// A line of links to the parts of its topic, for a lecture or an exercise page; nothing for other pages.
std::string topic_parts(const Course& course, const SourcePages& sources, const std::string& url);

struct Heading {
    int level;
    std::string anchor, html;
};
std::vector<Heading> headings_of(const std::string& html);

/// The headings of a page as a list, if there are enough of them to need one.
std::string on_this_page(const std::vector<Heading>& headings);

/// The landing page's topics, one card each.
std::string cards(const Course& course);

/// The page of contracts and headers.
std::string reference(const Course& course);

/// The page that lists the source files by folder.
std::string source_index(const SourcePages& sources);

}  // namespace site
