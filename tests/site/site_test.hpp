// What the tests of the site's tools share: reports that are counted, and the question whether a text is there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace site_test {

void report(const std::string& name, bool good, const std::string& detail);

/// Some of the complaints has the text in it.
void complains(const std::string& name, const std::vector<std::string>& complaints, const std::string& text);

/// `text` has `part` in it, or, for lacks(), has not.
void has(const std::string& name, const std::string& text, const std::string& part);
void lacks(const std::string& name, const std::string& text, const std::string& part);

/// The tests of filter, source pages and search index; `folder` is emptied.
void test_text(const std::filesystem::path& folder);

}  // namespace site_test
