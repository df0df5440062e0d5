// See finish.hpp.
#include "finish.hpp"

#include <algorithm>
#include <regex>

#include "frame.hpp"
#include "search.hpp"
#include "source.hpp"
#include "text.hpp"

namespace fs = std::filesystem;

namespace site {

namespace {

const char* const kContent = "<!-- kit:content -->";
const char* const kEnd = "<!-- kit:end -->";

class Finisher {
  public:
    Finisher(const Course& course, const fs::path& templates, const fs::path& folder)
        : course_(course), templates_(templates), folder_(folder) {}

    std::vector<std::string> run() {
        remove_leftovers();
        find_doxygen_sources();
        find_other_sources();
        for (const auto& entry : fs::directory_iterator(folder_)) {
            if (entry.path().extension() == ".html") pages_.push_back(entry.path().filename().string());
        }
        std::sort(pages_.begin(), pages_.end());
        for (const std::string& url : pages_) {
            if (url != "index.html") finish_page(url, read_text(folder_ / url));
        }
        own_page("index.html", "A course in CUDA C++ that grades itself", landing());
        own_page("reference.html", "Reference", titled("Reference", reference(course_)));
        own_page("source.html", "Source files", titled("Source files", source_index(sources_)));
        for (const std::string& file : own_sources_) {
            own_page(sources_[file], file, titled(file, source_html(file, read_text(course_.root / file))));
            index_.add_name(sources_[file], file);
        }
        write_text(folder_ / "search_index.js", index_.script());
        return complaints_;
    }

  private:
    void complain(const std::string& url, const std::string& what) {
        complaints_.push_back(url + ": " + what);
    }

    /// Doxygen's own indexes and pictures: nothing of ours leads there.
    void remove_leftovers() const {
        static const std::regex left(
            "(annotated|classes|files|functions|globals|hierarchy|inherits|namespacemembers|namespaces|pages)"
            "\\.html"
            "|(functions|globals|namespacemembers)_.*\\.html|(dir|graph)_.*\\.html|.*-members\\.html");
        std::vector<fs::path> leftovers;
        for (const auto& entry : fs::directory_iterator(folder_)) {
            const std::string name = entry.path().filename().string();
            const bool ours = ends(name, ".html") || name == "site.css" || name == "site.js";
            if (!ours || std::regex_match(name, left)) leftovers.push_back(entry.path());
        }
        for (const fs::path& path : leftovers) fs::remove_all(path);
    }

    /// Links to the pages that remove_leftovers() removes become their text; lists of links to what follows and to
    /// folders vanish.
    static std::string without_dead_ends(const std::string& html) {
        static const std::regex dead(
            "<a class=\"el\" href=\"[^\"]*(?:dir_[0-9a-f]+|-members)\\.html\">([^<]*)</a>");
        static const std::regex summary("<div class=\"summary\">[^]*?</div>");
        static const std::regex path("<div id=\"nav-path\"[^]*?</div>");
        static const std::regex empty("<h2 class=\"groupheader\"> *</h2>");
        std::string kept = html;
        for (const std::regex* what : {&summary, &path, &empty}) kept = std::regex_replace(kept, *what, "");
        return std::regex_replace(kept, dead, "$1");
    }

    void find_doxygen_sources() {
        const std::string ending = " Source File</title>";
        for (const auto& entry : fs::directory_iterator(folder_)) {
            const std::string name = entry.path().filename().string();
            if (!ends(name, "_source.html")) continue;
            const std::string title = between(read_text(entry.path()), "<title>", "</title>") + "</title>";
            if (ends(title, ending)) sources_[title.substr(0, title.size() - ending.size())] = name;
        }
    }

    void find_other_sources() {
        static const char* const kinds[] = {".cu",   ".cuh", ".hpp", ".cpp", ".h",    ".patch",
                                            ".json", ".txt", ".sh",  ".awk", ".cmake"};
        for (const char* top : {"common", "exercises", "lectures", "solutions", "tests"}) {
            if (!fs::is_directory(course_.root / top)) continue;
            for (const auto& entry : fs::recursive_directory_iterator(course_.root / top)) {
                const std::string file = relative_to(entry.path(), course_.root);
                const bool shown = std::any_of(std::begin(kinds), std::end(kinds), [&](const char* kind) {
                    return entry.path().extension() == kind;
                });
                if (!shown || !entry.is_regular_file() || sources_.count(file)) continue;
                sources_[file] = source_url(file);
                own_sources_.push_back(file);
            }
        }
        std::sort(own_sources_.begin(), own_sources_.end());
    }

    static std::string titled(const std::string& title, const std::string& html) {
        return "<h1>" + escaped(title) + "</h1>\n" + html;
    }

    std::string landing() const {
        int exercises = 0, wrong = 0;
        for (const Topic& topic : course_.topics) {
            exercises += static_cast<int>(topic.exercises.size());
            wrong += topic.wrong;
        }
        std::string html = read_text(templates_ / "landing.html");
        const std::string race = read_text(course_.root / "lectures/diagnoses/race.md");
        const std::pair<const char*, std::string> parts[] = {
            {"{cards}", cards(course_)},
            {"{topics}", std::to_string(course_.topics.size())},
            {"{exercises}", std::to_string(exercises)},
            {"{wrong}", std::to_string(wrong)},
            {"{kinds}", std::to_string(course_.diagnoses().size())},
            {"{report}", escaped(trimmed(between(race, "```text", "```")))},
            {"{slides}", course_.slides() ? " <a href=\"../slides/index.html\">All slides</a>" : ""}};
        for (const auto& [name, value] : parts) html = replaced(html, name, value);
        return html;
    }

    /// A page that Doxygen did not make.
    void own_page(const std::string& url, const std::string& title, const std::string& html) {
        std::string page =
            read_text(templates_ / "header.html") + "</div>\n" + html + read_text(templates_ / "footer.html");
        page = replaced(page, "$title", escaped(title));
        page = replaced(page, "$stylesheet", "site.css");
        finish_page(url, replaced(page, "$relpath^", std::string(up(url))));
    }

    static std::string up(const std::string& url) {
        std::string path;
        for (const char c : url) path += c == '/' ? "../" : "";
        return path;
    }

    void finish_page(const std::string& url, std::string page) {
        const std::size_t start = page.find(kContent), end = page.rfind(kEnd);
        if (start == std::string::npos || end == std::string::npos) {
            complain(url, "has no " + std::string(kContent) + " and " + kEnd);
            return;
        }
        const bool from_markdown = std::any_of(course_.pages.begin(), course_.pages.end(),
                                               [&](const Page& one) { return one.id + ".html" == url; });
        std::string body = page.substr(start, end - start);
        if (!from_markdown) body = without_dead_ends(body);
        if (from_markdown) body = without_guesses(with_levels(body));
        body = with_title(body, between(page, "<title>", "</title>"));
        body = with_tables(body);
        body = resolved(url, body);
        const std::size_t title_end = body.find("</h1>");
        if (title_end != std::string::npos) body.insert(title_end + 5, topic_parts(course_, sources_, url));
        const std::string aside = on_this_page(headings_of(body));
        body = with_permalinks(body);
        if (!begins(url, "source/") && !ends(url, "_source.html"))
            index_.add(url, visible_text(between(body, "<h1>", "</h1>")), body);
        page = page.substr(0, start) + body + previous_and_next(course_, url) + page.substr(end);
        page = replaced(page, "<!-- kit:sidebar -->", sidebar(course_, sources_, url, up(url)));
        page = replaced(page, "<!-- kit:aside -->", aside);
        page = replaced(page, "<body>", "<body class=\"" + kind_of(url, from_markdown) + "\">");
        write_text(folder_ / url, page);
    }

    static std::string kind_of(const std::string& url, bool from_markdown) {
        if (url == "index.html") return "landing";
        if (begins(url, "source/") || ends(url, "_source.html")) return "source-page";
        return from_markdown ? "text-page" : "reference-page";
    }

    /// Doxygen takes words of the text for names of the reference; only code is meant to be linked to it.
    static std::string without_guesses(const std::string& html) {
        static const std::regex guess(
            "<a class=\"el\" href=\"(?:namespace|class|struct)[^\"]*\"[^>]*>([^<]*)</a>");
        return std::regex_replace(html, guess, "$1");
    }

    /// "##" is h1 for Doxygen: all headings move down by one, under the page's title.
    static std::string with_levels(std::string html) {
        for (int level = 5; level >= 1; --level) {
            const std::string from = std::to_string(level), to = std::to_string(level + 1);
            html = replaced(html, "<h" + from + "><a class=\"anchor\"", "<h" + to + "><a class=\"anchor\"");
            html = replaced(html, "</h" + from + ">", "</h" + to + ">");
        }
        return html;
    }

    static std::string with_title(const std::string& html, const std::string& page_title) {
        const std::string open = "<div class=\"title\">";
        const std::size_t at = html.find(open);
        if (at == std::string::npos) return html;
        const std::size_t end = html.find("</div>", at);
        std::string title = trimmed(html.substr(at + open.size(), end - at - open.size()));
        if (ends(page_title, " Source File")) title = page_title;
        return html.substr(0, at) + "<h1>" + shorter(title) + "</h1>" + html.substr(end + 6);
    }

    /// "reduction Namespace Reference" is the namespace reduction.
    static std::string shorter(const std::string& title) {
        static const std::pair<const char*, const char*> kinds[] = {
            {" Namespace Reference", "namespace "},  {" Struct Template Reference", "struct "},
            {" Class Template Reference", "class "}, {" Struct Reference", "struct "},
            {" Class Reference", "class "},          {" Source File", ""}};
        for (const auto& [ending, word] : kinds) {
            const std::size_t at = title.find(ending);
            if (at != std::string::npos) return word + title.substr(0, at);
        }
        return title;
    }

    /// A table wider than the screen scrolls, also by keyboard. That of the claims has columns of its own widths.
    static std::string with_tables(std::string html) {
        const std::string open = "<table class=\"markdownTable\">", close = "</table>";
        for (std::size_t at = html.find(open); at != std::string::npos; at = html.find(open, at)) {
            const std::string head =
                trimmed(between(html, "<th class=\"markdownTableHeadNone\">", "</th>", at));
            const std::string kind = head == "claim" ? "scroll claims" : "scroll";
            const std::string box = "<div class=\"" + kind + "\" tabindex=\"0\">";
            const std::size_t end = html.find(close, at) + close.size();
            html.insert(end, "</div>");
            html.insert(at, box);
            at += box.size() + open.size();
        }
        return html;
    }

    static std::string with_permalinks(std::string html) {
        for (const Heading& heading : headings_of(html)) {
            const std::string open = "<a class=\"anchor\" id=\"" + heading.anchor + "\"></a>";
            const std::size_t end = html.find("</h", html.find(open));
            html.insert(end, " <a class=\"permalink\" href=\"#" + heading.anchor +
                                 "\" aria-label=\"Link to here\">#</a>");
        }
        return html;
    }

    /// Links "source:..." become links of the site.
    std::string resolved(const std::string& url, std::string html) {
        const std::string mark = "=\"source:";
        for (std::size_t at = html.find(mark); at != std::string::npos; at = html.find(mark, at + 2)) {
            const std::size_t from = at + mark.size(), quote = html.find('"', from);
            const std::string target = html.substr(from, quote - from),
                              file = target.substr(0, target.find('#'));
            std::string link, text;
            if (ends(file, ".svg") || ends(file, ".png")) {
                link = up(url) + figure(url, file);
            } else {
                link = up(url) + source(url, target, text);
            }
            html.replace(at + 2, quote - at - 2, link);
            if (!text.empty()) html.replace(html.find("></a>", at), 1, ">" + text);
        }
        // Doxygen writes code in headings as text.
        return replaced(replaced(html, "&lt;tt&gt;", "<code>"), "&lt;/tt&gt;", "</code>");
    }

    std::string figure(const std::string& url, const std::string& file) {
        const fs::path from = course_.root / file;
        if (!fs::exists(from)) complain(url, "the figure " + file + " does not exist");
        const std::string topic = from.parent_path().parent_path().filename().string();
        const std::string to = "figures/" + topic + "/" + from.filename().string();
        if (fs::exists(from)) write_text(folder_ / to, read_text(from));
        return to;
    }

    std::string source(const std::string& url, const std::string& target, std::string& text) {
        const std::size_t hash = target.find('#');
        const std::string file = target.substr(0, hash);
        const auto found = sources_.find(file);
        if (found == sources_.end()) {
            if (fs::is_directory(course_.root / file)) return "source.html#" + slug(replaced(file, "/", "-"));
            complain(url, "links to " + file + ", which is no page and no source file of the site");
            return "source.html";
        }
        if (hash == std::string::npos) return found->second;
        const std::string region = target.substr(hash + 1);
        const Lines lines = find_region(course_.root / file, region);
        if (!lines.first) complain(url, file + " has no region [" + region + "]");
        text = escaped(file) + ", lines " + std::to_string(lines.first) + " to " + std::to_string(lines.last);
        return found->second + "#" + line_anchor(lines.first);
    }

    const Course& course_;
    fs::path templates_, folder_;
    std::vector<std::string> pages_, own_sources_, complaints_;
    SourcePages sources_;
    SearchIndex index_;
};

}  // namespace

std::vector<std::string> finish(const Course& course, const fs::path& templates, const fs::path& folder) {
    return Finisher(course, templates, folder).run();
}

}  // namespace site
