// The checks of the site are checked: a good site gives no complaint, and each way of breaking it gives the right one.
// Contrast likewise. Usage: site_test FOLDER CSS (the folder is emptied).
#include "site_test.hpp"

#include <cmath>
#include <iostream>

#include "check.hpp"
#include "contrast.hpp"
#include "text.hpp"

namespace fs = std::filesystem;

namespace site_test {

namespace {

int cases = 0, failures = 0;

const char page_start[] =
    "<!DOCTYPE html><html><head><title>T</title></head><body class=\"text-page\"><h1>T</h1>\n";
const char page_end[] = "</body></html>\n";

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += text + "\n";
    return all;
}

/// A site of two pages that is good.
void write_site(const fs::path& folder) {
    fs::remove_all(folder);
    const std::string a =
        "<p id=\"here\"><a href=\"b.html#there\">b</a> <a href=\"#here\">up</a> <a "
        "href=\"https://example.org/x\">o</a></p>"
        "<img src=\"figures/a.svg\" alt=\"A tree\"><code>](x) &lt;!-- said, not meant --&gt;</code>"
        "<!-- a comment with <a href=\"nowhere.html\"> -->"
        "<details><summary>Hint</summary><p>Text</p></details>";
    site::write_text(folder / "index.html", page_start + a + page_end);
    site::write_text(folder / "b.html", page_start + std::string("<h2 id=\"there\">B</h2>") + page_end);
    site::write_text(folder / "figures/a.svg", "<svg/>");
}

void refuse(const fs::path& folder, const std::string& from, const std::string& to, const std::string& text) {
    write_site(folder);
    const std::string page = site::read_text(folder / "index.html");
    if (page.find(from) == std::string::npos) throw std::runtime_error("the page has no " + from);
    site::write_text(folder / "index.html", site::replaced(page, from, to));
    complains("site with " + to, site::check_site(folder, folder / "decks").complaints, text);
}

void test_links(const fs::path& folder) {
    write_site(folder);
    const site::Checked good = site::check_site(folder, folder / "decks");
    report("good site", good.complaints.empty(), joined(good.complaints));
    report("good site, counts",
           good.pages == 2 && good.links == 2 && good.pictures == 1 && good.outside == 1 &&
               good.slides_not_built == 0,
           "other counts");

    refuse(folder, "b.html#there", "c.html", "index.html: link c.html: there is no c.html");
    refuse(folder, "b.html#there", "b.html#where", "link b.html#where: b.html has no anchor where");
    refuse(folder, "\"#here\"", "\"#gone\"", "link #gone: index.html has no anchor gone");
    refuse(folder, "b.html#there", "../b.html", "link ../b.html leaves the site");
    refuse(folder, "b.html#there", "source:a.cu", "link source:a.cu is of no known kind");
    refuse(folder, "b.html#there", "#here", "b.html: no way leads here from index.html");
    refuse(folder, "alt=\"A tree\"", "alt=\" \"", "picture figures/a.svg has no alternative text");
    refuse(folder, " alt=\"A tree\"", "", "picture figures/a.svg has no alternative text");
    refuse(folder, "figures/a.svg", "figures/b.svg", "picture figures/b.svg does not exist");
    refuse(folder, "figures/a.svg", "https://example.org/b.svg",
           "picture https://example.org/b.svg does not exist");
    refuse(folder, "<img src", "<object data=\"figures/a.svg\"></object><img src", "is an <object>");
    refuse(folder, "<h1>T</h1>", "<h1>T</h1><h1>U</h1>", "2 headings <h1>");
    refuse(folder, "<h1>T</h1>", "", "0 headings <h1>");
    refuse(folder, "<title>T</title>", "<title> </title>", "no title");
    refuse(folder, "<code>", "<b id=\"here\"></b><code>", "two anchors are called here");
    refuse(folder, "<p>Text</p>", "<p>1.87&lt;!--= a:b --&gt;x</p>", "which was not meant to be read");
    refuse(folder, "<p>Text</p>", "<p>**\"bold\"**: no</p>", "which was not meant to be read");
    refuse(folder, "<p>Text</p>", "<p>[text](page.md)</p>", "which was not meant to be read");
    refuse(folder, "<summary>Hint</summary>", "", "a collapsed part has no summary");
    refuse(folder, "<summary>Hint</summary>", "Hint", "a collapsed part has no summary");
    fs::remove(folder / "index.html");
    complains("no index", site::check_site(folder, folder / "decks").complaints,
              "index.html: does not exist");
}

/// Slides are built by another target, perhaps later: until then a deck is enough.
void test_slides(const fs::path& folder) {
    const fs::path pages = folder / "site", decks = folder / "decks", slides = folder / "slides";
    fs::remove_all(folder);
    refuse(pages, "b.html#there\">b", "../slides/07.html\"></a><a href=\"b.html\">b",
           "link ../slides/07.html: there is no deck 07.md");
    site::write_text(decks / "07.md", "# Deck\n");
    const site::Checked not_built = site::check_site(pages, decks);
    report("slides that are not built", not_built.complaints.empty() && not_built.slides_not_built == 1,
           joined(not_built.complaints));
    site::write_text(slides / "index.html", "<p>Decks</p>");
    complains("slides without this deck", site::check_site(pages, decks).complaints,
              "the slides are built, but not these");
    site::write_text(slides / "07.html", "<p>Deck</p>");
    report("slides that are built", site::check_site(pages, decks).complaints.empty(), "complaints");
}

const char colours[] =
    "/* contrast: --ink on --page */\n:root {\n --page: #ffffff;\n --ink: #26323d;\n}\n"
    "@media (prefers-color-scheme: dark) {\n :root {\n --page: #14181d;\n --ink: #dde3e8;\n }\n}\np { color: "
    "var(--ink); }\n";

void refuse_colours(const std::string& from, const std::string& to, const std::string& text) {
    complains("colours with " + to, site::check_contrast(site::replaced(colours, from, to)).complaints, text);
}

void test_contrast(const fs::path& css) {
    const auto near = [](double a, double b) { return std::fabs(a - b) < 0.005; };
    report("black on white", near(site::contrast("#000000", "#ffffff"), 21), "not 21");
    report("grey on white", near(site::contrast("#ffffff", "#777777"), 4.48), "not 4.48");
    report("a colour on itself", near(site::contrast("#3d6b99", "#3D6B99"), 1), "not 1");

    const site::Contrasts good = site::check_contrast(colours);
    report("good colours", good.complaints.empty() && good.pairs == 2, joined(good.complaints));
    refuse_colours("--ink: #26323d", "--ink: #777777", "--ink on --page, light: 4.48, 4.5 is needed");
    refuse_colours("--ink: #dde3e8", "--ink: #55626e", "--ink on --page, dark: ");
    refuse_colours("color: var(--ink)", "color: var(--soft)", "color: var(--soft) is in no pair");
    refuse_colours("color: var(--ink)", "color: #26323d", "color: #26323d is no property");
    refuse_colours("on --page", "on --paper", "--ink on --paper: not both have a colour");
    refuse_colours("contrast:", "", "no pair is named");
    refuse_colours("@media (prefers-color-scheme: dark)", "@media print", "no colours for the dark");

    const site::Contrasts ours = site::check_contrast(site::read_text(css));
    report("the site's own colours", ours.complaints.empty() && ours.pairs > 20, joined(ours.complaints));
}

}  // namespace

void report(const std::string& name, bool good, const std::string& detail) {
    ++cases;
    if (good) return;
    ++failures;
    std::cout << "FAIL " << name << ": " << detail << "\n";
}

void complains(const std::string& name, const std::vector<std::string>& complaints, const std::string& text) {
    has(name, joined(complaints), text);
}

void has(const std::string& name, const std::string& text, const std::string& part) {
    report(name, text.find(part) != std::string::npos, "no \"" + part + "\" in \"" + text + "\"");
}

void lacks(const std::string& name, const std::string& text, const std::string& part) {
    report(name, text.find(part) == std::string::npos, "\"" + part + "\" in \"" + text + "\"");
}

}  // namespace site_test

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: site_test FOLDER CSS\n";
        return 2;
    }
    using namespace site_test;
    try {
        const fs::path folder = argv[1];
        test_links(folder / "links");
        test_slides(folder / "with_slides");
        test_contrast(argv[2]);
        test_text(folder / "text");
    } catch (const std::exception& error) {
        std::cout << "stopped: " << error.what() << "\n";
        return 1;
    }
    std::cout << cases - failures << " of " << cases << " cases\n";
    return failures == 0 && cases > 0 ? 0 : 1;
}
