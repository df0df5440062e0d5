// Every row of lectures/misconceptions.md must name a wrong submission that exists, and quote a diagnosis from its top; one
// that only the CPU backend gives must be marked "CPU", and no topic may be without rows. Usage: evidence_test ROOT
#include <iostream>
#include <regex>

#include "course.hpp"
#include "text.hpp"

namespace fs = std::filesystem;

namespace {

/// Complaints about the page `text`, which lies in root/lectures.
std::vector<std::string> complaints_about(const std::string& text, const fs::path& root,
                                          const std::vector<site::Topic>& topics) {
    static const std::regex row(
        "\\| [^|]+ \\| "
        "\\[([a-z0-9_]+\\.[a-z0-9_]+)\\]\\(\\.\\./(tests/[a-z0-9_]+/[a-z0-9_]+\\.wrong/"
        "[a-z0-9_]+\\.patch)\\) \\| "
        "(CPU: )?(?:`([^`]+)`|`` (.+) ``) \\|");
    std::vector<std::string> complaints;
    std::string folders;
    for (const std::string& line : site::lines_of(text)) {
        if (line.find(".wrong/") == std::string::npos || line[0] != '|') continue;
        std::smatch match;
        if (!std::regex_match(line, match, row)) {
            complaints.push_back("not | belief | [name](file) | `verdict` |: " + line);
            continue;
        }
        const std::string name = match[1], file = match[2], said = match[4].matched ? match[4] : match[5];
        const std::string code = site::read_text(root / file);
        folders += file;
        const fs::path path = file;
        if (path.parent_path().stem().string() + "." + path.stem().string() != name)
            complaints.push_back(name + " is not the name of " + file);
        const bool both = code.find("// diagnosis: " + said) != std::string::npos;
        const bool on_cpu = code.find("// diagnosis.cpu: " + said) != std::string::npos;
        const bool on_gpu = code.find("// diagnosis.gpu: " + said) != std::string::npos;
        const bool only_cpu = code.find("\n// backends: cpu") != std::string::npos || (!both && !on_gpu);
        if (!both && !on_cpu) complaints.push_back(file + " has no diagnosis \"" + said + "\"");
        if (only_cpu != match[3].matched)
            complaints.push_back(file +
                                 ": \"CPU\" must stand there if only the CPU backend says it, and only then");
    }
    for (const site::Topic& topic : topics) {
        if (folders.find("tests/" + topic.name + "/") == std::string::npos)
            complaints.push_back("no row about " + topic.name);
    }
    return complaints;
}

/// The test is tested: what is broken in a good row must be told.
bool tells(const std::string& page, const std::string& from, const std::string& to,
           const site::Course& course) {
    const auto complaints = complaints_about(site::replaced(page, from, to), course.root, course.topics);
    if (complaints.empty()) std::cout << "not told: " << to << " for " << from << "\n";
    return !complaints.empty();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: evidence_test ROOT\n";
        return 2;
    }
    const site::Course course = site::read_course(argv[1]);
    const std::string page = site::read_text(course.root / "lectures/misconceptions.md");
    const auto complaints = complaints_about(page, course.root, course.topics);
    for (const std::string& complaint : complaints) std::cout << complaint << "\n";
    bool told = tells(page, "/tree.wrong/missing_barrier.patch", "/tree.wrong/gone.patch", course);
    told = tells(page, "`equal calls gave different bits`", "`equal calls gave other bits`", course) && told;
    told = tells(page, "| CPU: `workspace.partials` |", "| `workspace.partials` |", course) && told;
    told = tells(page, "/07_reduction/", "/08_scan/", course) && told;
    std::cout << complaints.size() << " complaints\n";
    return complaints.empty() && told ? 0 : 1;
}
