// See frame.hpp.
#include "frame.hpp"

#include "text.hpp"

namespace site {

namespace {

std::string entry(const std::string& href, const std::string& html, const std::string& url,
                  const std::string& up) {
    const bool here = href == url;
    return "<li><a href=\"" + up + href + "\"" + (here ? " aria-current=\"page\"" : "") + ">" + html +
           "</a></li>\n";
}

/// "07 Reduction" with its number set apart.
std::string numbered(const std::string& title) {
    const std::size_t space = title.find(' ');
    return "<span class=\"number\">" + title.substr(0, space) + "</span> " + escaped(title.substr(space + 1));
}

/// What a contract is on the site: the page of its namespace.
std::string contract_url(const Topic& topic) {
    return "namespace" + replaced(topic.space, "_", "__") + ".html";
}

struct Part {
    std::string url, name;
};

/// What a topic has, in the order in which one needs it.
std::vector<Part> parts_of(const Topic& topic, const SourcePages& sources) {
    std::vector<Part> parts = {{"lecture_" + topic.name + ".html", "Lecture"}};
    if (topic.slides) parts.push_back({"../slides/" + topic.name + ".html", "Slides"});
    parts.push_back({"exercises_" + topic.name + ".html", "Exercises"});
    parts.push_back({contract_url(topic), "Contract"});
    const auto demo = sources.find("lectures/" + topic.name + "/demo.cu");
    if (demo != sources.end()) parts.push_back({demo->second, "Demo"});
    return parts;
}

std::string topic_entry(const Topic& topic, const SourcePages& sources, const std::string& url,
                        const std::string& up) {
    std::string list;
    for (const Part& part : parts_of(topic, sources)) list += entry(part.url, part.name, url, up);
    const bool open =
        list.find("aria-current") != std::string::npos || url.find(topic.name + "/") != std::string::npos;
    return "<li><details" + std::string(open ? " open" : "") + "><summary>" + numbered(topic.title) +
           "</summary><ul>\n" + list + "</ul></details></li>\n";
}

std::string pages_entry(const std::vector<Page>& pages, const std::string& summary, const std::string& url,
                        const std::string& up) {
    std::string list;
    for (const Page& page : pages) list += entry(page.id + ".html", escaped(page.title), url, up);
    const bool open = list.find("aria-current") != std::string::npos;
    return "<li><details" + std::string(open ? " open" : "") + "><summary>" + summary + "</summary><ul>\n" +
           list + "</ul></details></li>\n";
}

}  // namespace

std::string sidebar(const Course& course, const SourcePages& sources, const std::string& url,
                    const std::string& up) {
    std::string html = "<h2>Start</h2>\n<ul>\n" + entry("index.html", "The course", url, up) +
                       entry("commands.html", "Commands and options", url, up);
    if (course.slides()) html += entry("../slides/index.html", "All slides", url, up);
    html += "</ul>\n<h2>Topics</h2>\n<ul class=\"topics\">\n";
    for (const Topic& topic : course.topics) html += topic_entry(topic, sources, url, up);
    html += "</ul>\n<h2>Mistakes</h2>\n<ul>\n" + entry("diagnoses.html", "What the executor finds", url, up) +
            pages_entry(course.diagnoses(), "Each kind", url, up);
    html += "</ul>\n<h2>Behind it</h2>\n<ul>\n" + entry("executor.html", "The CPU executor", url, up) +
            entry("tests_of_the_grader.html", "How the grader is tested", url, up) +
            entry("reference.html", "Reference", url, up) + entry("source.html", "Source files", url, up);
    html += "</ul>\n<h2>Teaching</h2>\n<ul>\n";
    for (const Page& page : course.pages) {
        const bool for_teachers = page.file.rfind('/') == 8 || page.id == "slides";  // lectures/NAME.md
        if (for_teachers) html += entry(page.id + ".html", escaped(page.title), url, up);
    }
    return html + "</ul>\n";
}

std::string previous_and_next(const Course& course, const std::string& url) {
    for (std::size_t i = 0; i < course.pages.size(); ++i) {
        if (course.pages[i].id + ".html" != url) continue;
        std::string html = "<nav class=\"ways\" aria-label=\"Previous and next page\">\n";
        const auto way = [&](const Page& page, const char* rel, const char* word) {
            html += "<a rel=\"" + std::string(rel) + "\" href=\"" + page.id + ".html\"><span>" + word +
                    "</span> " + escaped(page.title) + "</a>\n";
        };
        if (i > 0) way(course.pages[i - 1], "prev", "Previous");
        if (i + 1 < course.pages.size()) way(course.pages[i + 1], "next", "Next");
        return html + "</nav>\n";
    }
    return "";
}

std::string topic_parts(const Course& course, const SourcePages& sources, const std::string& url) {
    std::string links;
    for (const Topic& topic : course.topics) {
        if (url != "lecture_" + topic.name + ".html" && url != "exercises_" + topic.name + ".html") continue;
        for (const Part& part : parts_of(topic, sources)) {
            if (part.url != url) links += "<a href=\"" + part.url + "\">" + part.name + "</a> ";
        }
    }
    return links.empty() ? "" : "<p class=\"parts\">" + links + "</p>\n";
}

std::vector<Heading> headings_of(const std::string& html) {
    std::vector<Heading> headings;
    const std::string anchor = "<a class=\"anchor\" id=\"";
    for (std::size_t at = html.find("<h"); at != std::string::npos; at = html.find("<h", at + 2)) {
        if (at + 4 >= html.size() || html[at + 2] < '1' || html[at + 2] > '6' || html[at + 3] != '>')
            continue;
        if (html.compare(at + 4, anchor.size(), anchor) != 0) continue;
        const std::string inside = html.substr(at + 4, html.find("</h", at) - at - 4);
        headings.push_back({html[at + 2] - '0', between(inside, anchor, "\""),
                            trimmed(inside.substr(inside.find("</a>") + 4))});
    }
    return headings;
}

std::string on_this_page(const std::vector<Heading>& headings) {
    std::string list;
    int count = 0;
    for (const Heading& heading : headings) {
        if (heading.level != 2) continue;
        ++count;
        list += "<li><a href=\"#" + heading.anchor + "\">" + heading.html + "</a></li>\n";
    }
    return count < 3 ? "" : "<h2>On this page</h2>\n<ul>\n" + list + "</ul>\n";
}

std::string cards(const Course& course) {
    std::string html = "<ul class=\"cards\">\n";
    for (const Topic& topic : course.topics) {
        const std::string lecture = "lecture_" + topic.name + ".html";
        html += "<li class=\"card\"><a class=\"thumb\" href=\"" + lecture +
                "\" tabindex=\"-1\"><img loading=\"lazy\" "
                "src=\"source:lectures/" +
                topic.name + "/figures/" + topic.figure + "\" alt=\"" + escaped(topic.figure_text) +
                "\"></a>\n<h3><a href=\"" + lecture + "\">" + numbered(topic.title) + "</a></h3>\n<p>" +
                escaped(topic.learn) + "</p>\n<p class=\"links\"><a href=\"" + lecture +
                "\">Lecture</a> <a href=\"exercises_" + topic.name + ".html\">" +
                std::to_string(topic.exercises.size()) + " exercises</a>";
        if (topic.slides) html += " <a href=\"../slides/" + topic.name + ".html\">Slides</a>";
        html += "</p></li>\n";
    }
    return html + "</ul>\n";
}

std::string reference(const Course& course) {
    std::string html =
        "<p>What an exercise includes, what a test includes, and what each exercise must provide.</p>\n"
        "<h2><a class=\"anchor\" id=\"headers\"></a>Headers</h2>\n<div "
        "class=\"scroll\"><table><thead><tr><th>header"
        "</th><th>for</th><th>declares</th></tr></thead><tbody>\n"
        "<tr><td><a href=\"source:common/kit.cuh\">kit.cuh</a></td><td>exercises: errors, device memory, "
        "timing</td>"
        "<td><a href=\"namespacekit.html\">namespace kit</a></td></tr>\n"
        "<tr><td><a href=\"source:common/grader.cuh\">grader.cuh</a></td><td>tests: cases, inputs, "
        "comparison, "
        "diagnosis, report</td><td><a href=\"namespacekit.html\">namespace "
        "kit</a></td></tr>\n</tbody></table></div>\n"
        "<h2><a class=\"anchor\" id=\"contracts\"></a>Contracts</h2>\n<p>The functions that the tests call. "
        "An "
        "exercise defines them.</p>\n<div class=\"scroll\"><table><thead><tr><th>topic</th><th>contract</th>"
        "<th>header</th><th>exercises</th></tr></thead><tbody>\n";
    for (const Topic& topic : course.topics) {
        const std::string header = "tests/" + topic.name + "/" + topic.name + ".hpp";
        std::string names;
        for (const std::string& name : topic.exercises) {
            names += (names.empty() ? "" : ", ") + ("<a href=\"source:exercises/" + topic.name + "/" + name) +
                     ".cu\">" + name + "</a>";
        }
        html += "<tr><td>" + escaped(topic.title) + "</td><td><a href=\"" + contract_url(topic) +
                "\">namespace " + topic.space + "</a></td><td><a href=\"source:" + header + "\">" +
                topic.name + ".hpp</a></td><td>" + names + "</td></tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

std::string source_index(const SourcePages& sources) {
    std::map<std::string, std::string> folders;
    for (const auto& [file, url] : sources) {
        const std::size_t slash = file.rfind('/');
        folders[file.substr(0, slash)] +=
            "<li><a href=\"" + url + "\">" + escaped(file.substr(slash + 1)) + "</a></li>\n";
    }
    std::string html = "<p>Everything that the pages speak of, with a link for every line.</p>\n", top;
    for (const auto& [folder, list] : folders) {
        const std::string first = folder.substr(0, folder.find('/'));
        if (first != top) html += "<h2><a class=\"anchor\" id=\"in-" + first + "\"></a>" + first + "</h2>\n";
        top = first;
        html += "<details class=\"folder\" id=\"" + slug(replaced(folder, "/", "-")) + "\"><summary>" +
                escaped(folder) + "</summary><ul class=\"files\">\n" + list + "</ul></details>\n";
    }
    return html;
}

}  // namespace site
