// See filter.hpp.
#include "filter.hpp"

#include <map>

#include "text.hpp"

namespace fs = std::filesystem;

namespace site {

namespace {

std::string html_only(const std::string& html) {
    return "\\htmlonly[block]\n" + html + "\n\\endhtmlonly";
}

/// `code` as HTML has it, the rest escaped.
std::string inline_html(const std::string& markdown) {
    std::string html;
    bool code = false;
    for (const char c : markdown) {
        if (c == '`') {
            html += code ? "</code>" : "<code>";
            code = !code;
        } else {
            html += escaped(std::string(1, c));
        }
    }
    return html;
}

class Filter {
  public:
    Filter(const Course& course, std::string file)
        : course_(course), file_(std::move(file)), id_(page_id(file_)) {}

    std::string run() {
        for (const std::string& line : lines_of(read_text(course_.root / file_))) one_line(line);
        return out_;
    }

  private:
    void one_line(const std::string& line) {
        const std::string text = trimmed(line);
        if (!comment_ && begins(text, "```")) {
            fenced_ = !fenced_;
            out_ += line + "\n";
            if (!fenced_ && !code_.empty()) {
                out_ += html_only("<p class=\"from\"><a href=\"source:" + code_ + "\"></a></p>") + "\n";
                code_.clear();
            }
            return;
        }
        if (fenced_) {
            out_ += line + "\n";
            return;
        }
        if (!comment_ && begins(text, "<!-- code: ") && ends(text, " -->")) {
            const std::string what = between(text, "<!-- code: ", " -->");
            code_ = replaced(what, " ", "#");
            return;
        }
        const bool had_text = !text.empty();
        if (!had_text) bold_ = false;
        const std::string kept = without_comments(line);
        if (had_text && trimmed(kept).empty()) return;
        if (begins(kept, "#")) return heading(kept);
        if (begins(kept, "![")) return picture(kept);
        if (begins(kept, "<details>") || begins(kept, "</details>")) return collapsed(kept);
        // A number at the start of a line is a list only if it is the first: "... report\n61. A plus says".
        const std::size_t digits = kept.find_first_not_of("0123456789");
        const bool item = digits > 0 && digits != std::string::npos && kept.compare(digits, 2, ". ") == 0;
        if (item && in_paragraph_) out_.back() = ' ';
        if (kept.empty() || kept[0] != ' ')
            in_paragraph_ = !trimmed(kept).empty() && (!item || in_paragraph_);
        out_ += kept + "\n";
    }

    /// The line without comments, and with the links of the site. What stands in `code` is left alone.
    std::string without_comments(const std::string& line) {
        std::string kept;
        for (std::size_t at = 0; at < line.size();) {
            if (comment_) {
                const std::size_t end = line.find("-->", at);
                comment_ = end == std::string::npos;
                at = comment_ ? line.size() : end + 3;
            } else if (line[at] == '`') {
                const std::size_t end_of_ticks = line.find_first_not_of('`', at);
                const std::string ticks = line.substr(at, end_of_ticks - at);
                std::size_t end =
                    end_of_ticks == std::string::npos ? end_of_ticks : line.find(ticks, end_of_ticks);
                end = end == std::string::npos ? at + ticks.size() : end + ticks.size();
                kept += line.substr(at, end - at);
                at = end;
            } else if (line.compare(at, 4, "<!--") == 0) {
                comment_ = true;
            } else if (line.compare(at, 2, "**") == 0) {
                kept += bold_ ? "</b>" : "<b>";
                bold_ = !bold_;
                at += 2;
            } else if (line.compare(at, 2, "](") == 0 && line.find(')', at) != std::string::npos) {
                const std::size_t end = line.find(')', at);
                const bool is_picture = begins(line, "![");
                const std::string target = line.substr(at + 2, end - at - 2);
                kept += "](" + (is_picture ? target : link(target)) + ")";
                at = end + 1;
            } else {
                kept += line[at++];
            }
        }
        return kept;
    }

    std::string link(const std::string& target) const {
        if (target.find("://") != std::string::npos || begins(target, "mailto:")) return target;
        const std::size_t hash = target.find('#');
        const std::string path = target.substr(0, hash);
        const std::string anchor = hash == std::string::npos ? "" : target.substr(hash + 1);
        const fs::path folder = (course_.root / file_).parent_path();
        const std::string file = path.empty() ? file_ : relative_to(folder / path, course_.root);
        if (course_.page(file)) {
            return anchor.empty() ? "@ref " + page_id(file) : "#" + page_id(file) + "_" + anchor;
        }
        if (begins(file, "slides/") && ends(file, ".md")) return "../" + replaced(file, ".md", ".html");
        return "source:" + file;
    }

    void heading(const std::string& line) {
        const std::size_t level = line.find_first_not_of('#');
        const std::string text = trimmed(line.substr(level));
        std::string anchor = id_;
        if (level > 1) {
            const std::string name = slug(text);
            const int before = seen_[name]++;
            anchor += "_" + name + (before ? "-" + std::to_string(before) : "");
        }
        out_ += std::string(level, '#') + " " + text + " {#" + anchor + "}\n";
    }

    void picture(const std::string& line) {
        const std::string alt = between(line, "![", "]("), target = between(line, "](", ")");
        const fs::path folder = (course_.root / file_).parent_path();
        out_ += html_only("<figure><img src=\"source:" + relative_to(folder / target, course_.root) +
                          "\" alt=\"" + escaped(replaced(alt, "`", "")) + "\"></figure>") +
                "\n";
    }

    void collapsed(const std::string& line) {
        std::string html = line;
        if (begins(line, "<details>")) {
            const std::string summary = between(line, "<summary>", "</summary>");
            html = "<details><summary>" + inline_html(summary) + "</summary>";
        } else if (line.size() > 10) {
            html = "</details>";
        }
        out_ += "\n" + html_only(html) + "\n\n";
    }

    const Course& course_;
    std::string file_, id_, out_;
    std::string code_;  ///< FILE#REGION of the next block of code
    bool fenced_ = false, comment_ = false, bold_ = false, in_paragraph_ = false;
    std::map<std::string, int> seen_;
};

}  // namespace

std::string filter(const Course& course, const std::string& file) {
    return Filter(course, file).run();
}

}  // namespace site
