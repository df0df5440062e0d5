// Turns a page of lectures/diagnoses from Markdown into text for a terminal.
#include "explain.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "text_layout.hpp"

namespace kitcc {
namespace {

namespace fs = std::filesystem;

/// Replaces [text](address) by the text, and removes the marks of bold and emphasized text, except in `code`.
std::string without_marks(const std::string& line) {
    std::string result;
    bool code = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '`') code = !code;
        if (!code && line.compare(i, 2, "**") == 0) {
            ++i;
            continue;
        }
        const bool emphasis =
            line[i] == '*' && ((i + 1 < line.size() && line[i + 1] != ' ') || (i > 0 && line[i - 1] != ' '));
        if (!code && emphasis) continue;
        const std::size_t text_end = line[i] == '[' && !code ? line.find("](", i) : std::string::npos;
        const std::size_t end = text_end == std::string::npos ? text_end : line.find(')', text_end);
        if (end != std::string::npos) {
            result += without_marks(line.substr(i + 1, text_end - i - 1));
            i = end;
            continue;
        }
        result += line[i];
    }
    return result;
}

bool begins(const std::string& line, const char* text) {
    return line.compare(0, std::char_traits<char>::length(text), text) == 0;
}

class Page {
  public:
    explicit Page(int width) : width_(width) {}

    void add(const std::string& line) {
        if (begins(line, "```")) {
            end_paragraph();
            code_ = !code_;
        } else if (code_) {
            text_ += line.empty() ? "\n" : "    " + line + "\n";
        } else if (begins(line, "<!--")) {
            end_paragraph();
        } else if (line.empty()) {
            end_paragraph();
            if (!text_.empty() &&
                text_.compare(text_.size() - std::min<std::size_t>(2, text_.size()), 2, "\n\n") != 0)
                text_ += '\n';
        } else if (line[0] == '#') {
            end_paragraph();
            const std::string title =
                without_marks(line.substr(std::min(line.find_first_not_of("# "), line.size())));
            text_ +=
                title + "\n" +
                std::string(static_cast<std::size_t>(kit::columns_of(title)), line[1] == '#' ? '-' : '=') +
                "\n";
        } else if (line[0] == '|') {
            end_paragraph();
            text_ += without_marks(line) + "\n";
        } else {
            const std::size_t first = line.find_first_not_of(' ');
            const bool item =
                begins(line.substr(first), "- ") || begins(line.substr(first), "* ") ||
                (std::isdigit(static_cast<unsigned char>(line[first])) && line.find(". ", first) < first + 4);
            if (item) {
                end_paragraph();
                hang_ = static_cast<int>(line.find(' ', first) + 1);
                paragraph_ = line;
            } else {
                paragraph_ += (paragraph_.empty() ? "" : " ") + line.substr(first);
            }
        }
    }

    std::string text() {
        end_paragraph();
        return text_;
    }

  private:
    void end_paragraph() {
        if (!paragraph_.empty())
            for (const std::string& line : kit::wrapped(without_marks(paragraph_), width_, hang_))
                text_ += line + "\n";
        paragraph_.clear();
        hang_ = 0;
    }

    int width_;
    int hang_ = 0;
    bool code_ = false;
    std::string text_, paragraph_;
};

std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
        if (entry.path().extension() == ".md" && entry.path().stem() != "README")
            names.push_back(entry.path().stem());
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

std::string page_text(const std::string& markdown, int width) {
    Page page(width);
    std::istringstream lines(markdown);
    for (std::string line; std::getline(lines, line);) page.add(line);
    return page.text();
}

int explain(const std::string& name, const std::string& folder) {
    const std::vector<std::string> names = names_in(folder);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
        std::ifstream file(fs::path(folder) / (name + ".md"));
        const std::string markdown{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        std::printf("%s", page_text(markdown, kit::width_of(STDOUT_FILENO)).c_str());
        return 0;
    }
    std::string all;
    for (const std::string& one : names) all += (all.empty() ? "" : ", ") + one;
    if (name != "?") std::fprintf(stderr, "kitcc: there is no page about '%s'\n", name.c_str());
    for (const std::string& line :
         kit::wrapped("kitcc --explain NAME prints a page about: " + all, kit::width_of(STDERR_FILENO)))
        std::fprintf(stderr, "%s\n", line.c_str());
    return 1;
}

}  // namespace kitcc
