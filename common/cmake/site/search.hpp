// The index of the site's search: a script with one entry per section, so that it works from a folder, without a server.
#pragma once

#include <string>

namespace site {

class SearchIndex {
  public:
    /// Adds the sections of a finished page: what stands between its headings.
    void add(const std::string& url, const std::string& title, const std::string& html);
    /// Adds a page by its name alone.
    void add_name(const std::string& url, const std::string& title);
    /// The script: searchIndex = [[url, page, heading, text], ...].
    std::string script() const;

  private:
    void entry(const std::string& url, const std::string& page, const std::string& heading,
               const std::string& text);
    std::string entries_;
};

}  // namespace site
