// Tests of what happens to the course's text on its way to the site: the filter before Doxygen, the frame after it, source
// pages, the search index. A small course stands for the real one.
#include "course.hpp"
#include "filter.hpp"
#include "finish.hpp"
#include "frame.hpp"
#include "search.hpp"
#include "site_test.hpp"
#include "source.hpp"
#include "text.hpp"

namespace fs = std::filesystem;

namespace site_test {

namespace {

const char lecture[] = R"(# 07 Sums

The **first "kernel"** is in [tree](../../exercises/07_sums/README.md#tree), see [below](#2-the-tree), [slides](../../slides/07_sums.md), [its
source](../../solutions/07_sums/tree.cu) and `[no](link.md) <!-- kept -->`. It takes 1.87<!--= ladder:v2:us / ladder:v3:us -->x.

![A `tree` of "sums"](figures/tree.svg)

## 2. The `tree`

<!-- code: solutions/07_sums/tree.cu kernel -->
```cpp
__global__ void tree();  // <!-- stays -->
```

| a | b |
|---|---|
| 3%<!--given--> | 4 |

All of them together are
61. That is many.

1. one
   line
2. two

## 2. The tree

<details><summary>Hint 1 (`a` question)</summary>

Which?
</details>
)";

void write_course(const fs::path& root) {
    fs::remove_all(root);
    const std::string readme =
        "# Course\n\n| topic | you learn | exercises |\n|---|---|---|\n| 07_sums: x | trees | `tree` |\n";
    site::write_text(root / "README.md", readme);
    site::write_text(root / "lectures/07_sums/README.md", lecture);
    site::write_text(root / "lectures/07_sums/figures/tree.svg", "<svg/>");
    site::write_text(root / "lectures/diagnoses/README.md", "# Found\n\n[warp](warp.md), [race](race.md)\n");
    site::write_text(root / "lectures/diagnoses/race.md", "# race\n");
    site::write_text(root / "lectures/diagnoses/warp.md", "# warp\n");
    site::write_text(root / "exercises/07_sums/README.md", "# 07 Sums: the exercises\n\n## tree\n");
    site::write_text(root / "exercises/07_sums/tree.cu", "int x;\n");
    site::write_text(root / "solutions/07_sums/tree.cu",
                     "// top\n// [kernel]\nint a;\nint b;\n// [/kernel]\n");
    site::write_text(root / "tests/07_sums/07_sums.hpp", "// contract\nnamespace sums {\n");
    site::write_text(root / "tests/07_sums/tree.wrong/no_barrier.patch", "// wrong: x\n");
    for (const char* header : {"common/kit.cuh", "common/grader.cuh"})
        site::write_text(root / header, "// x\n");
    site::write_text(root / "slides/07_sums.md", "# Slides\n");
}

void test_course(const site::Course& course) {
    std::string order;
    for (const site::Page& page : course.pages) order += page.id + " ";
    report("order of pages",
           order == "commands lecture_07_sums exercises_07_sums diagnoses diagnosis_warp diagnosis_race ",
           order);
    const site::Topic& topic = course.topics.at(0);
    report("topic", topic.learn == "trees" && topic.space == "sums" && topic.wrong == 1 && topic.slides,
           topic.space);
    report("figure", topic.figure == "tree.svg", topic.figure);
    const std::string ways = site::previous_and_next(course, "exercises_07_sums.html");
    has("previous", ways, "rel=\"prev\" href=\"lecture_07_sums.html\"");
    has("next", ways, "rel=\"next\" href=\"diagnoses.html\"");
    lacks("the first page has none before it", site::previous_and_next(course, "commands.html"),
          "rel=\"prev\"");
    has("slides", site::sidebar(course, {}, "x.html", "../"), "href=\"../../slides/07_sums.html\"");
}

void test_filter(const site::Course& course) {
    const std::string text = site::filter(course, "lectures/07_sums/README.md");
    has("title", text, "# 07 Sums {#lecture_07_sums}");
    has("anchor", text, "## 2. The `tree` {#lecture_07_sums_2-the-tree}");
    has("second anchor of the same name", text, "{#lecture_07_sums_2-the-tree-1}");
    has("link to a heading of a page", text, "[tree](#exercises_07_sums_tree)");
    has("link to a heading", text, "[below](#lecture_07_sums_2-the-tree)");
    has("link to a deck", text, "[slides](../slides/07_sums.html)");
    has("link to a file, over two lines", text, "source](source:solutions/07_sums/tree.cu)");
    has("code is left alone", text, "`[no](link.md) <!-- kept -->`");
    has("a number's source vanishes", text, "It takes 1.87x.");
    has("in a table, too", text, "| 3% | 4 |");
    has("a block of code is left alone", text, "__global__ void tree();  // <!-- stays -->");
    has("bold", text, "The <b>first \"kernel\"</b> is");
    has("picture", text,
        "<img src=\"source:lectures/07_sums/figures/tree.svg\" alt=\"A tree of &quot;sums&quot;\">");
    has("link to the lines", text, "<a href=\"source:solutions/07_sums/tree.cu#kernel\"></a>");
    has("hint", text, "<details><summary>Hint 1 (<code>a</code> question)</summary>\n\\endhtmlonly");
    has("a number is no list", text, "together are 61. That is many.");
    has("a list is a list", text, "1. one\n   line\n2. two\n");
    lacks("no comment is left", site::replaced(text, "<!-- kept -->", ""), "<!-- code");
}

std::string doxygen_page(const std::string& title, const std::string& html) {
    return "<html><head><title>" + title +
           "</title></head><body>\n<!-- kit:sidebar -->\n<!-- kit:content -->\n"
           "<div class=\"title\">" +
           title + "</div>\n" + html + "\n<!-- kit:end -->\n<!-- kit:aside --></body></html>";
}

void test_finish(const site::Course& course, const fs::path& folder) {
    const fs::path pages = folder / "site", templates = folder / "templates";
    const std::string parts = "<!-- kit:content -->", link = "<p><a href=\"source:";
    site::write_text(templates / "header.html", "<title>$title</title><body>" + parts);
    site::write_text(templates / "footer.html", "<!-- kit:end -->");
    site::write_text(templates / "landing.html", "<h1>{exercises} exercises, {wrong} wrong</h1>{cards}");
    const std::string lecture_page = doxygen_page(
        "07 Sums",
        "<h1><a class=\"anchor\" id=\"lecture_07_sums_one\"></a>\nThe &lt;tt&gt;tree&lt;/tt&gt;</h1>\n" +
            link + "solutions/07_sums/tree.cu#kernel\"></a></p><table class=\"markdownTable\"></table>");
    site::write_text(pages / "lecture_07_sums.html", lecture_page);
    site::write_text(pages / "annotated.html", "left");
    const auto complaints = site::finish(course, templates, pages);
    report("finish", complaints.empty(), complaints.empty() ? "" : complaints[0]);
    const std::string page = site::read_text(pages / "lecture_07_sums.html");
    has("lines of a region", page,
        "href=\"source/solutions/07_sums/tree.cu.html#l00003\">solutions/07_sums/tree.cu, lines 3 to 4<");
    has("title is the first heading", page, "<h1>07 Sums</h1>");
    has("other headings are below it", page, "<h2><a class=\"anchor\" id=\"lecture_07_sums_one\">");
    has("code in a heading", page, "The <code>tree</code>");
    has("parts of the topic", page, "<p class=\"parts\"><a href=\"../slides/07_sums.html\">Slides</a> ");
    has("tables scroll", page,
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"markdownTable\"></table></div>");
    has("this page is marked", page, "<a href=\"lecture_07_sums.html\" aria-current=\"page\">");
    report("leftovers are removed", !fs::exists(pages / "annotated.html"), "annotated.html is still there");
    has("counts", site::read_text(pages / "index.html"), "1 exercises, 1 wrong");
    has("the figure is there", site::read_text(pages / "index.html"), "src=\"figures/07_sums/tree.svg\"");

    site::write_text(pages / "lecture_07_sums.html",
                     doxygen_page("07", link + "solutions/07_sums/tree.cu#gone\"></a>"));
    complains("missing region", site::finish(course, templates, pages),
              "solutions/07_sums/tree.cu has no region [gone]");
    site::write_text(pages / "lecture_07_sums.html", doxygen_page("07", link + "solutions/gone.cu\">x</a>"));
    complains("missing source", site::finish(course, templates, pages), "links to solutions/gone.cu");
    site::write_text(pages / "lecture_07_sums.html",
                     doxygen_page("07", "<img src=\"source:lectures/07_sums/figures/x.svg\">"));
    complains("missing figure", site::finish(course, templates, pages),
              "the figure lectures/07_sums/figures/x.svg does not exist");
}

/// No character of a source may be lost or added, whatever the colours.
void test_source() {
    const std::string code =
        "#include <a>\nauto s = \"// no comment \\\" here\"; /* one\n two */ int x = 'a' + 1'000; // <b> & "
        "c\n\n";
    const std::string html = site::source_html("a.cu", code);
    std::string text;
    bool tag = false;
    for (const char c : site::replaced(html, "class=\"lineno\" href=\"#l0000", "class=\"lineno\" \x01")) {
        if (c == '<') tag = true;
        if (!tag) text += c;
        if (c == '>') tag = false;
    }
    std::string want =
        "1#include <a>\n2auto s = \"// no comment \\\" here\"; /* one\n3 two */ int x = 'a' + 1'000; // <b> "
        "& c\n4\n\n";
    report("text of a source page", site::unescaped(text) == want, site::unescaped(text));
    has("comment over two lines", html, "<span class=\"comment\"> two */</span>");
    has("comment", html, "<span class=\"comment\">// &lt;b&gt; &amp; c</span>");
    has("string", html, "<span class=\"stringliteral\">&quot;// no comment \\&quot; here&quot;</span>");
    has("anchor", html, "id=\"l00003\"");
    lacks("no colours in text", site::source_html("a.txt", "int x;\n"), "keyword");
}

void test_search() {
    site::SearchIndex index;
    index.add("p.html", "Page",
              "<h1>Page</h1><p>Intro \"text\"</p><h2><a class=\"anchor\" id=\"s\"></a>\nSection "
              "<a class=\"permalink\" href=\"#s\">#</a></h2><p>A <code>tree</code> is &lt; b</p>");
    has("first part", index.script(), "[\"p.html\",\"Page\",\"\",\"Intro \\\"text\\\"\"]");
    has("section", index.script(), "[\"p.html#s\",\"Page\",\"Section\",\"A tree is < b\"]");
}

}  // namespace

void test_text(const fs::path& folder) {
    write_course(folder / "course");
    const site::Course course = site::read_course(folder / "course");
    test_course(course);
    test_filter(course);
    test_finish(course, folder);
    test_source();
    test_search();
}

}  // namespace site_test
