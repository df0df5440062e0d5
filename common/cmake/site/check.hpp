// The rules that a built site must keep. Nothing here needs a network.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace site {

struct Checked {
    std::vector<std::string> complaints;  ///< "page: link: reason", one each
    int pages = 0, links = 0, pictures = 0, outside = 0, slides_not_built = 0;
};

/// Every page of the site in `folder`: local links and anchors lead somewhere, pictures exist and have an alternative
/// text, each page has one title, can be reached from index.html, names no anchor twice, shows no comment of its
/// source, and has no collapsed part without a summary. Links to other hosts are counted, not followed. A link to
/// ../slides/TOPIC.html is good without the file as long as no slides are built and `decks` has TOPIC.md.
Checked check_site(const std::filesystem::path& folder, const std::filesystem::path& decks);

}  // namespace site
