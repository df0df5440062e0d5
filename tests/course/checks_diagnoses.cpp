// Every kind of finding that the executor makes has a page, and every page a kind.
//
// A kind is a literal at one of the places where findings are made:
//     add_finding({"kind",    finding = {"kind",    refuse(..., "kind",    stop_kernel(..., "kind",    stop(..., {"kind",
#include <algorithm>
#include <map>
#include <regex>

#include "checks.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// The programs that compare a page's report with what the executor prints.
std::string examples(const Course& course) {
    std::string text;
    const fs::path folder = course.root / "tests/cpu/checks";
    if (!fs::is_directory(folder)) return text;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().rfind("pages", 0) == 0) text += read_text(entry.path());
    return text;
}

/// Kinds, each with a file that makes it.
std::map<std::string, std::string> kinds_of(const Course& course) {
    static const std::regex made(
        "(?:add_finding\\(|[Ff]inding(?:\\s*=)?)\\s*\\{\\s*\"([a-z_]+)\""
        "|(?:refuse|stop_kernel)\\([^\";]*\"([a-z_]+)\"\\s*,"
        "|stop\\([^\";{]*\\{[^\";]*\"([a-z_]+)\"");
    std::map<std::string, std::string> kinds;
    for (const char* folder : {"common/cpu/src", "common/cpu/include"}) {
        if (!fs::is_directory(course.root / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(course.root / folder)) {
            if (!entry.is_regular_file()) continue;
            const std::string text = read_text(entry.path());
            for (std::sregex_iterator match(text.begin(), text.end(), made), end; match != end; ++match)
                for (int group = 1; group <= 3; ++group)
                    if ((*match)[group].matched)
                        kinds.emplace((*match)[group], fs::relative(entry.path(), course.root).string());
        }
    }
    return kinds;
}

}  // namespace

std::vector<std::string> diagnosis_pages(const Course& course) {
    std::vector<std::string> pages;
    const fs::path folder = course.root / "lectures/diagnoses";
    if (!fs::is_directory(folder)) return pages;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".md" && entry.path().filename() != "README.md")
            pages.push_back("lectures/diagnoses/" + entry.path().filename().string());
    std::sort(pages.begin(), pages.end());
    return pages;
}

Complaints check_diagnoses(const Course& course) {
    Complaints complaints;
    const auto kinds = kinds_of(course);
    const std::string index = "lectures/diagnoses/README.md", links = read_text(course.root / index);
    const std::string compared = examples(course);
    if (kinds.empty())
        complaints.push_back("common/cpu/src: no finding is made, so nothing would be checked");
    for (const auto& [kind, file] : kinds) {
        const std::string page = "lectures/diagnoses/" + kind + ".md";
        if (!fs::is_regular_file(course.root / page))
            complaints.push_back(page + ": missing (" + file + " makes findings of this kind)");
    }
    for (const std::string& page : diagnosis_pages(course)) {
        const std::string kind = fs::path(page).stem().string(), text = read_text(course.root / page);
        if (!kinds.count(kind))
            complaints.push_back(page + ": nothing in common/cpu makes findings of this kind");
        if (text.find("<!-- report: " + kind + " -->") == std::string::npos)
            complaints.push_back(page + ": no line <!-- report: " + kind + " --> above a report");
        if (compared.find("\nPLANTED(\"" + kind + "\", \"" + kind + "\"") == std::string::npos &&
            compared.find("\nALONE(\"" + kind + "\")") == std::string::npos)
            complaints.push_back(page +
                                 ": no PLANTED or ALONE of this kind in tests/cpu/checks/pages*_test.cu");
        if (links.find("](" + kind + ".md)") == std::string::npos)
            complaints.push_back(index + ": no link to " + kind + ".md");
    }
    return complaints;
}

}  // namespace course
