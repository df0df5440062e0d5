// See text.hpp.
#include "text.hpp"

#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace fs = std::filesystem;

namespace site {

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_text(const fs::path& path, const std::string& text) {
    if (path.has_parent_path()) fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

bool begins(const std::string& text, const std::string& prefix) {
    return text.rfind(prefix, 0) == 0;
}

bool ends(const std::string& text, const std::string& suffix) {
    return text.size() >= suffix.size() &&
           text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

std::string between(const std::string& text, const std::string& open, const std::string& close,
                    std::size_t start) {
    const std::size_t from = text.find(open, start);
    if (from == std::string::npos) return "";
    const std::size_t to = text.find(close, from + open.size());
    return to == std::string::npos ? "" : text.substr(from + open.size(), to - from - open.size());
}

std::string escaped(const std::string& text) {
    std::string html;
    for (const char c : text) {
        switch (c) {
            case '&':
                html += "&amp;";
                break;
            case '<':
                html += "&lt;";
                break;
            case '>':
                html += "&gt;";
                break;
            case '"':
                html += "&quot;";
                break;
            default:
                html += c;
        }
    }
    return html;
}

std::string unescaped(const std::string& html) {
    static const std::pair<const char*, const char*> names[] = {
        {"&lt;", "<"},   {"&gt;", ">"},    {"&quot;", "\""}, {"&#39;", "'"},    {"&#160;", " "},
        {"&nbsp;", " "}, {"&ndash;", "-"}, {"&mdash;", "-"}, {"&thinsp;", " "}, {"&amp;", "&"}};
    std::string text = html;
    if (text.find('&') == std::string::npos) return text;
    for (const auto& [name, character] : names) text = replaced(text, name, character);
    return text;
}

std::string visible_text(const std::string& html) {
    std::string text;
    for (std::size_t at = 0; at < html.size();) {
        if (html.compare(at, 4, "<!--") == 0) {
            at = html.find("-->", at);
            at = at == std::string::npos ? html.size() : at + 3;
        } else if (html[at] == '<') {
            const std::size_t close = html.find('>', at);
            const std::string tag = html.substr(at, 3);
            // What stands inside of a word does not end it.
            if (tag != "<co" && tag != "</c" && tag != "<em" && tag != "<b>" && tag != "<a " &&
                tag != "</a" && tag != "<sp" && tag != "</s")
                text += ' ';
            at = close == std::string::npos ? html.size() : close + 1;
        } else {
            text += html[at++];
        }
    }
    std::string one_line;
    for (const char c : unescaped(text)) {
        const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!space) one_line += c;
        if (space && !one_line.empty() && one_line.back() != ' ') one_line += ' ';
    }
    return trimmed(one_line);
}

std::string slug(const std::string& heading) {
    std::string name;
    for (const char c : heading) {
        const unsigned char u = static_cast<unsigned char>(c);
        if (std::isalnum(u) || c == '_' || c == '-') name += static_cast<char>(std::tolower(u));
        if (c == ' ') name += '-';
    }
    return name;
}

std::string relative_to(const fs::path& path, const fs::path& folder) {
    return path.lexically_normal().lexically_relative(folder.lexically_normal()).generic_string();
}

}  // namespace site
