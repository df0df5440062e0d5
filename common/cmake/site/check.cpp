// See check.hpp.
#include "check.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "text.hpp"

namespace fs = std::filesystem;

namespace site {

namespace {

struct Tag {
    std::string name;  ///< "a", "/a"
    std::map<std::string, std::string> attributes;
};

/// Reads `name="value"` and bare names from the inside of a tag.
Tag read_tag(const std::string& inside) {
    Tag tag;
    std::size_t at = inside.find_first_of(" \n\t");
    tag.name = inside.substr(0, at);
    while (at < inside.size()) {
        at = inside.find_first_not_of(" \n\t/", at);
        if (at == std::string::npos) break;
        const std::size_t end = std::min(inside.find_first_of("= \n\t", at), inside.size());
        const std::string name = inside.substr(at, end - at);
        at = end;
        std::string value;
        if (at < inside.size() && inside[at] == '=' && at + 1 < inside.size()) {
            const char quote = inside[at + 1];
            const bool quoted = quote == '"' || quote == '\'';
            const std::size_t from = at + (quoted ? 2 : 1);
            const std::size_t to = quoted ? inside.find(quote, from) : inside.find_first_of(" \n\t", from);
            value = inside.substr(from, std::min(to, inside.size()) - from);
            at = std::min(to, inside.size() - 1) + 1;
        }
        tag.attributes[name] = unescaped(value);
    }
    return tag;
}

struct PageFacts {
    std::set<std::string> anchors;
    std::vector<std::string> links;  ///< href of a, link; src of script
    std::vector<Tag> pictures;
    std::vector<std::string> complaints;
    int titles = 0;
};

class Reader {
  public:
    explicit Reader(const std::string& html) : html_(html) {}

    PageFacts read() {
        for (std::size_t at = 0; at < html_.size();) {
            if (html_.compare(at, 4, "<!--") == 0) {
                at = std::min(html_.find("-->", at), html_.size() - 3) + 3;
            } else if (html_[at] == '<') {
                at = std::min(one_tag(at), html_.size());
            } else {
                const std::size_t end = std::min(html_.find('<', at), html_.size());
                text(html_.substr(at, end - at));
                at = end;
            }
        }
        if (facts_.titles != 1)
            facts_.complaints.push_back(std::to_string(facts_.titles) + " headings <h1>, one is needed");
        if (trimmed(between(html_, "<title>", "</title>")).empty()) facts_.complaints.push_back("no title");
        return facts_;
    }

  private:
    std::size_t one_tag(std::size_t at) {
        std::size_t end = at + 1;
        for (char quote = 0; end < html_.size() && (quote || html_[end] != '>'); ++end) {
            if (quote && html_[end] == quote)
                quote = 0;
            else if (!quote && (html_[end] == '"' || html_[end] == '\'') && html_[end - 1] == '=')
                quote = html_[end];
        }
        const Tag tag = read_tag(html_.substr(at + 1, end - at - 1));
        const auto attribute = [&](const char* name) {
            const auto found = tag.attributes.find(name);
            return found == tag.attributes.end() ? std::string() : found->second;
        };
        const bool named =
            tag.attributes.count("name") && tag.name == "a" && attribute("name") != attribute("id");
        for (const std::string& anchor : {attribute("id"), named ? attribute("name") : std::string()}) {
            if (!anchor.empty() && !facts_.anchors.insert(anchor).second)
                facts_.complaints.push_back("two anchors are called " + anchor);
        }
        if ((tag.name == "a" || tag.name == "link") && tag.attributes.count("href"))
            facts_.links.push_back(attribute("href"));
        if (tag.name == "script" && tag.attributes.count("src")) facts_.links.push_back(attribute("src"));
        if (tag.name == "img" || tag.name == "object") facts_.pictures.push_back(tag);
        if (tag.name == "h1") ++facts_.titles;
        if (tag.name == "body") prose_ = attribute("class") == "text-page";
        if (tag.name == "code" || tag.name == "pre") ++code_;
        if (tag.name == "/code" || tag.name == "/pre") --code_;
        if (tag.name == "div" && (fragment_ || attribute("class").find("fragment") == 0)) ++fragment_;
        if (tag.name == "/div" && fragment_) --fragment_;
        if (expect_summary_ && tag.name != "summary")
            facts_.complaints.push_back("a collapsed part has no summary");
        expect_summary_ = tag.name == "details";
        if (tag.name == "script" || tag.name == "style") return html_.find("</" + tag.name, end);
        return end + 1;
    }

    void text(const std::string& text) {
        if (expect_summary_ && !trimmed(text).empty()) {
            facts_.complaints.push_back("a collapsed part has no summary");
            expect_summary_ = false;
        }
        if (!prose_ || code_ || fragment_) return;
        for (const char* mark : {"&lt;!--", "\\htmlonly", "](", "&lt;details", "**", "``", "](@ref"}) {
            if (text.find(mark) != std::string::npos)
                facts_.complaints.push_back("shows \"" + unescaped(trimmed(text).substr(0, 60)) +
                                            "\", which was not meant to be read");
        }
    }

    const std::string& html_;
    PageFacts facts_;
    int code_ = 0, fragment_ = 0;
    bool expect_summary_ = false, prose_ = false;
};

class Checker {
  public:
    Checker(const fs::path& folder, const fs::path& decks)
        : folder_(folder), decks_(decks), slides_built_(fs::exists(folder / "../slides/index.html")) {}

    Checked run() {
        for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
            if (entry.path().extension() != ".html") continue;
            const std::string html = read_text(entry.path());
            pages_[relative_to(entry.path(), folder_)] = Reader(html).read();
        }
        result_.pages = static_cast<int>(pages_.size());
        for (const auto& [url, page] : pages_) {
            for (const std::string& complaint : page.complaints) complain(url, complaint);
            for (const std::string& link : page.links) follow(url, link);
            for (const Tag& picture : page.pictures) look_at(url, picture);
        }
        if (!pages_.count("index.html")) complain("index.html", "does not exist");
        reach("index.html");
        for (const auto& [url, page] : pages_) {
            if (!reached_.count(url)) complain(url, "no way leads here from index.html");
        }
        return result_;
    }

  private:
    void complain(const std::string& url, const std::string& what) {
        result_.complaints.push_back(url + ": " + what);
    }

    void follow(const std::string& url, const std::string& link) {
        if (link.find("://") != std::string::npos || begins(link, "mailto:")) {
            ++result_.outside;
            return;
        }
        ++result_.links;
        const std::size_t hash = link.find('#');
        const std::string path = link.substr(0, hash);
        const std::string anchor = hash == std::string::npos ? "" : link.substr(hash + 1);
        if (link.find(':') != std::string::npos)
            return complain(url, "link " + link + " is of no known kind");
        const fs::path target = path.empty() ? folder_ / url : (folder_ / url).parent_path() / path;
        const std::string to = relative_to(target, folder_);
        if (begins(to, "../slides/")) return follow_slides(url, link, to);
        if (begins(to, "..")) return complain(url, "link " + link + " leaves the site");
        if (!fs::is_regular_file(target)) return complain(url, "link " + link + ": there is no " + to);
        const auto page = pages_.find(to);
        if (page == pages_.end()) return;
        ways_[url].insert(to);
        if (!anchor.empty() && !page->second.anchors.count(anchor))
            complain(url, "link " + link + ": " + to + " has no anchor " + anchor);
    }

    void follow_slides(const std::string& url, const std::string& link, const std::string& to) {
        if (fs::exists(folder_ / to)) return;
        const std::string deck = fs::path(to).stem().string();
        if (slides_built_) return complain(url, "link " + link + ": the slides are built, but not these");
        if (deck != "index" && !fs::exists(decks_ / (deck + ".md")))
            return complain(url, "link " + link + ": there is no deck " + deck + ".md");
        ++result_.slides_not_built;
    }

    void look_at(const std::string& url, const Tag& picture) {
        ++result_.pictures;
        const auto attribute = [&](const char* name) {
            const auto found = picture.attributes.find(name);
            return found == picture.attributes.end() ? std::string() : found->second;
        };
        const std::string source = attribute(picture.name == "img" ? "src" : "data");
        if (picture.name == "object")
            return complain(url, "picture " + source + " is an <object>: no text for it");
        if (trimmed(attribute("alt")).empty())
            complain(url, "picture " + source + " has no alternative text");
        if (source.find(':') != std::string::npos ||
            !fs::is_regular_file((folder_ / url).parent_path() / source))
            complain(url, "picture " + source + " does not exist");
    }

    void reach(const std::string& start) {
        std::vector<std::string> to_do = {start};
        while (!to_do.empty()) {
            const std::string url = to_do.back();
            to_do.pop_back();
            if (!reached_.insert(url).second) continue;
            for (const std::string& to : ways_[url]) to_do.push_back(to);
        }
    }

    fs::path folder_, decks_;
    bool slides_built_;
    std::map<std::string, PageFacts> pages_;
    std::map<std::string, std::set<std::string>> ways_;
    std::set<std::string> reached_;
    Checked result_;
};

}  // namespace

Checked check_site(const fs::path& folder, const fs::path& decks) {
    return Checker(folder, decks).run();
}

}  // namespace site
