// See search.hpp.
#include "search.hpp"

#include "text.hpp"

namespace site {

namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) >= ' ') out += c;
    }
    return out + "\"";
}

/// Where the next section begins: a heading with an anchor, or a documented member.
struct Start {
    std::size_t at, text_at;
    std::string anchor, heading;
};

Start next_section(const std::string& html, std::size_t from) {
    const std::string kinds[] = {"><a class=\"anchor\" id=\"",
                                 " class=\"memtitle\"><span class=\"permalink\"><a href=\"#"};
    for (std::size_t at = html.find("<h", from); at != std::string::npos; at = html.find("<h", at + 2)) {
        for (const std::string& kind : kinds) {
            if (at + 3 >= html.size() || html.compare(at + 3, kind.size(), kind) != 0) continue;
            const std::size_t end = html.find("</h", at);
            if (end == std::string::npos) continue;
            std::string heading =
                visible_text(html.substr(html.find("</a>", at) + 4, end - html.find("</a>", at) - 4));
            if (ends(heading, " #") || ends(heading, "#"))
                heading = trimmed(heading.substr(0, heading.size() - 1));
            return {at, end, between(html, kind, "\"", at), heading};
        }
    }
    return {html.size(), html.size(), "", ""};
}

}  // namespace

void SearchIndex::entry(const std::string& url, const std::string& page, const std::string& heading,
                        const std::string& text) {
    entries_ += "[" + quoted(url) + "," + quoted(page) + "," + quoted(heading) + "," + quoted(text) + "],\n";
}

void SearchIndex::add(const std::string& url, const std::string& title, const std::string& html) {
    std::size_t from = html.find("</h1>");
    from = from == std::string::npos ? 0 : from;
    std::string anchor, heading;
    while (from < html.size()) {
        const Start next = next_section(html, from);
        const std::string text = visible_text(html.substr(from, next.at - from));
        if (heading.size() + text.size() > 0)
            entry(url + (anchor.empty() ? "" : "#" + anchor), title, heading, text);
        from = next.text_at;
        anchor = next.anchor;
        heading = next.heading;
    }
}

void SearchIndex::add_name(const std::string& url, const std::string& title) {
    entry(url, title, "", "");
}

std::string SearchIndex::script() const {
    return "window.searchIndex = [\n" + entries_ + "];\n";
}

}  // namespace site
