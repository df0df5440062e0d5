#include "markdown.hpp"

#include <md4c.h>

#include <algorithm>
#include <cctype>

namespace course {

/// Receives the callbacks of md4c, which passes pieces of the text in the order of the page.
struct MarkdownReader {
    Markdown& page;
    bool open = false;  ///< whether the last block in page.blocks_ is incomplete
    std::vector<Range> code_spans;
    std::size_t bold_from = 0, last_place = 0;
    std::size_t placed = 0;  ///< number of links whose position is known; the other links wait for their text

    void begin(Block::Kind kind, int level = 0, std::string info = "") {
        page.blocks_.push_back({kind, level, std::move(info), "", {}});
        open = true;
    }

    void end() {
        if (open && page.blocks_.back().plain.empty()) page.blocks_.pop_back();
        open = false;
    }

    static std::string text_of(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

    void enter_block(MD_BLOCKTYPE type, void* detail) {
        end();
        if (type == MD_BLOCK_H)
            begin(Block::heading, static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level));
        if (type == MD_BLOCK_CODE)
            begin(Block::code, 0, text_of(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info));
        if (type == MD_BLOCK_HTML) begin(Block::html);
        if (type == MD_BLOCK_P || type == MD_BLOCK_LI || type == MD_BLOCK_TH || type == MD_BLOCK_TD)
            begin(Block::text);
    }

    void enter_span(MD_SPANTYPE type, void* detail) {
        if (type == MD_SPAN_STRONG && open) bold_from = page.blocks_.back().plain.size();
        if (type == MD_SPAN_A)
            page.links_.push_back({text_of(static_cast<MD_SPAN_A_DETAIL*>(detail)->href), 0, false});
        if (type == MD_SPAN_IMG)
            page.links_.push_back({text_of(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src), 0, true});
    }

    void leave_span(MD_SPANTYPE type) {
        if (type != MD_SPAN_STRONG || !open) return;
        const std::string& plain = page.blocks_.back().plain;
        page.bold_.push_back(
            {plain.substr(bold_from), last_place, trimmed(plain.substr(0, bold_from)).empty()});
    }

    void text(MD_TEXTTYPE type, const char* slice, std::size_t size) {
        if (!open) begin(Block::text);  // a list item continues after a nested list
        Block& leaf = page.blocks_.back();
        const char *first = page.text_.data(), *last = first + page.text_.size();
        if (slice >= first && slice < last) {
            const std::size_t at = static_cast<std::size_t>(slice - first);
            if (leaf.range.end == 0) leaf.range.begin = leaf.kind == Block::code ? first_line(at) : at;
            leaf.range.end = at + size;
            last_place = at + size - 1;
            while (placed < page.links_.size()) page.links_[placed++].at = at;
            if (leaf.kind == Block::code || type == MD_TEXT_CODE) code_spans.push_back({at, at + size});
        } else if (leaf.kind == Block::code && leaf.range.end != 0) {
            leaf.range.end += size;  // md4c does not pass the end of a line as a piece of the text
        }
        if (type == MD_TEXT_HTML && leaf.kind == Block::text) {
            links_of_tags(std::string(slice, size), leaf.range.begin);
            placed = page.links_.size();
        } else if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
            leaf.plain += ' ';
        } else {
            leaf.plain.append(slice, size);
        }
    }

    /// Returns the position of the first line of code, with its indentation and blank lines, which md4c does
    /// not pass.
    std::size_t first_line(std::size_t at) const {
        const std::size_t before = page.text_.find_last_not_of(" \t\r\n", at == 0 ? 0 : at - 1);
        return at == 0 || before == std::string::npos ? 0 : page.text_.find('\n', before) + 1;
    }

    /// Collects the links in src="..." and href="..." of HTML tags.
    void links_of_tags(const std::string& html, std::size_t at) {
        for (const std::string attribute : {"src=\"", "href=\""}) {
            for (std::size_t i = 0; (i = html.find(attribute, i)) != std::string::npos;) {
                i += attribute.size();
                page.links_.push_back({html.substr(i, html.find('"', i) - i), at, attribute[0] == 's'});
            }
        }
    }

    void find_comments() {
        const std::string& text = page.text_;
        for (std::size_t at = 0; (at = text.find("<!--", at)) != std::string::npos;) {
            const auto quoted = [&](const Range& code) { return code.begin <= at && at < code.end; };
            const std::size_t close = text.find("-->", at);
            if (close == std::string::npos) break;
            if (std::any_of(code_spans.begin(), code_spans.end(), quoted)) {
                at += 4;
                continue;
            }
            const std::string content = trimmed(std::string_view(text).substr(at + 4, close - at - 4));
            const std::size_t colon = std::min(content.find(": "), content.size());
            Comment comment{content.substr(0, colon), "", {at, close + 3}, false, {}, ""};
            if (colon < content.size()) comment.value = trimmed(content.substr(colon + 1));
            find_code(comment);
            page.comments_.push_back(std::move(comment));
            at = close + 3;
        }
    }

    /// Finds the block of code after a comment. Only the fence may be between the comment and the code.
    void find_code(Comment& comment) {
        for (const Block& block : page.blocks_) {
            if (block.kind != Block::code || block.range.begin < comment.range.end) continue;
            const std::string between =
                page.text_.substr(comment.range.end, block.range.begin - comment.range.end);
            comment.has_code = begins_with(between, "\n```") && between.find('\n', 1) == between.size() - 1;
            if (comment.has_code) comment.code = block.range, comment.info = block.info;
            return;
        }
    }
};

Markdown::Markdown(std::string text) : text_(std::move(text)) {
    using Reader = MarkdownReader;
    Reader reader{*this, false, {}};
    MD_PARSER parser{};
    parser.flags = MD_DIALECT_GITHUB;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
        return static_cast<Reader*>(self)->enter_block(type, detail), 0;
    };
    parser.leave_block = [](MD_BLOCKTYPE, void*, void* self) { return static_cast<Reader*>(self)->end(), 0; };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
        return static_cast<Reader*>(self)->enter_span(type, detail), 0;
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
        return static_cast<Reader*>(self)->leave_span(type), 0;
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* slice, MD_SIZE size, void* self) {
        return static_cast<Reader*>(self)->text(type, slice, size), 0;
    };
    if (md_parse(text_.data(), static_cast<MD_SIZE>(text_.size()), &parser, &reader) != 0)
        throw Error("md4c cannot read a page");
    for (const Block& block : blocks_) {
        if (block.kind == Block::html) reader.links_of_tags(block.plain, block.range.begin);
    }
    reader.find_comments();
}

std::string anchor_of(const std::string& heading) {
    std::string anchor;
    for (const char c : trimmed(heading)) {
        if (c == ' ') anchor += '-';
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c < 0)
            anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return anchor;
}

bool leads_elsewhere(const std::string& target) {
    return target.empty() || target[0] == '#' ||
           target.find(':') < target.find_first_not_of("abcdefghijklmnopqrstuvwxyz:");
}

namespace {

/// Reads hints, which have the form "<details><summary>Hint 1 (a question)</summary> ... </details>".
std::vector<Task::Hint> hints_of(const std::string& text) {
    static const std::string open = "<summary>Hint", close = "</summary>";
    std::vector<Task::Hint> hints;
    for (std::size_t at = 0; (at = text.find(open, at)) != std::string::npos; at += open.size()) {
        const std::size_t heading = at + open.size() - 4, end = text.find(close, at);
        if (end == std::string::npos || end > text.find('\n', at)) continue;  // the heading must be one line
        const std::size_t content = end + close.size();
        const std::size_t length =
            std::min(text.find("</details>", content), text.find("<summary>", content)) - content;
        hints.push_back({text.substr(heading, end - heading), {}});
        for (const std::string& line : lines_of(text.substr(content, length))) {
            if (!trimmed(line).empty()) hints.back().lines.push_back(line);
        }
    }
    return hints;
}

/// Returns a block as the lines of a hint. Tags that the text shows as code do not count as tags.
std::string lines_of_hint(const Block& block) {
    if (block.kind == Block::html) return block.plain + "\n";
    const std::string text = replaced(block.plain, "<summary>", "");
    if (block.kind != Block::code) return text + "\n";
    std::string code;
    for (const std::string& line : lines_of(text)) code += "    " + line + "\n";
    return code;
}

}  // namespace

std::vector<Section> sections_of(const Markdown& page) {
    std::vector<Section> sections;
    std::string text;  // text of the task that is being read
    bool in_task = false, in_explain = false;
    const auto end_task = [&] {
        if (in_task) sections.back().tasks.back().hints = hints_of(text);
        in_task = in_explain = false;
        text.clear();
    };
    for (const Block& block : page.blocks()) {
        if (block.kind != Block::heading || block.level > 3) {
            if (in_explain && block.kind == Block::text) sections.back().explain.push_back(block.plain);
            text += lines_of_hint(block);
            continue;
        }
        end_task();
        const Lines task = match(block.plain, "^Task +([0-9]+) *(: *(.*))?$");
        if (block.level == 2) {
            sections.push_back({match(block.plain, "[^ ,:]*")[0], {}, {}});
        } else if (block.level == 3 && !sections.empty() && !task.empty()) {
            sections.back().tasks.push_back({number_of(task[1]), task[3], {}});
            in_task = true;
        } else {
            in_explain = block.level == 3 && !sections.empty() && block.plain == "Explain";
        }
    }
    end_task();
    return sections;
}

}  // namespace course
