#include "markdown.hpp"

#include <md4c.h>

#include <algorithm>

namespace course {

/// Listens to md4c, which gives slices of the text in the order of the page.
struct MarkdownReader {
    Markdown& page;
    bool open = false;  ///< a leaf is open: the last of page.blocks_
    std::vector<Range> code_spans;
    std::size_t placed = 0;  ///< so many links know where they stand; the others wait for their text

    Block& block() { return page.blocks_.back(); }

    void begin(Block::Kind kind, int level = 0, std::string info = "") {
        page.blocks_.push_back({kind, level, std::move(info), "", {}});
        open = true;
    }
    void end() {
        if (open && block().plain.empty()) page.blocks_.pop_back();
        open = false;
    }

    static std::string text_of(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

    int enter_block(MD_BLOCKTYPE type, void* detail) {
        end();
        switch (type) {
            case MD_BLOCK_H:
                begin(Block::heading, static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level));
                break;
            case MD_BLOCK_CODE:
                begin(Block::code, 0, text_of(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info));
                break;
            case MD_BLOCK_HTML:
                begin(Block::html);
                break;
            case MD_BLOCK_P:
            case MD_BLOCK_LI:
            case MD_BLOCK_TH:
            case MD_BLOCK_TD:
                begin(Block::text);
                break;
            default:
                break;
        }
        return 0;
    }

    int enter_span(MD_SPANTYPE type, void* detail) {
        if (type == MD_SPAN_A)
            page.links_.push_back({text_of(static_cast<MD_SPAN_A_DETAIL*>(detail)->href), 0, false});
        if (type == MD_SPAN_IMG)
            page.links_.push_back({text_of(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src), 0, true});
        return 0;
    }

    int text(MD_TEXTTYPE type, const char* slice, std::size_t size) {
        if (!open) begin(Block::text);  // an item of a list goes on behind a list inside it
        Block& leaf = block();
        const char *first = page.text_.data(), *last = first + page.text_.size();
        if (slice >= first && slice < last) {
            const std::size_t at = static_cast<std::size_t>(slice - first);
            if (leaf.range.end == 0) leaf.range.begin = leaf.kind == Block::code ? first_line(at) : at;
            leaf.range.end = at + size;
            while (placed < page.links_.size()) page.links_[placed++].at = at;
            if (leaf.kind == Block::code || type == MD_TEXT_CODE) code_spans.push_back({at, at + size});
        } else if (leaf.kind == Block::code && leaf.range.end != 0) {
            leaf.range.end += size;  // the end of a line, which md4c does not take from the text
        }
        if (type == MD_TEXT_HTML && leaf.kind == Block::text) {
            links_of_tags(std::string(slice, size), leaf.range.begin);
            placed = page.links_.size();
        } else if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
            leaf.plain += ' ';
        } else {
            leaf.plain.append(slice, size);
        }
        return 0;
    }

    /// Where the first line of code begins, with indentation and empty lines, which md4c does not take from the text.
    std::size_t first_line(std::size_t at) const {
        const std::size_t before = page.text_.find_last_not_of(" \t\r\n", at == 0 ? 0 : at - 1);
        return at == 0 || before == std::string::npos ? 0 : page.text_.find('\n', before) + 1;
    }

    /// src="..." and href="..." of raw tags.
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
            const std::size_t colon = content.find(": ");
            Comment comment{content.substr(0, colon),
                            colon == std::string::npos ? "" : trimmed(content.substr(colon + 1)),
                            {at, close + 3},
                            false,
                            {},
                            ""};
            find_code(comment);
            page.comments_.push_back(std::move(comment));
            at = close + 3;
        }
    }

    /// The block of code below a comment: nothing stands between the two but the fence.
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
    MarkdownReader reader{*this, false, {}, 0};
    const auto self = [](void* data) -> MarkdownReader& { return *static_cast<MarkdownReader*>(data); };
    static const auto of = self;
    MD_PARSER parser{};
    parser.flags = MD_DIALECT_GITHUB;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
        return of(data).enter_block(type, detail);
    };
    parser.leave_block = [](MD_BLOCKTYPE, void*, void* data) { return of(data).end(), 0; };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* data) {
        return of(data).enter_span(type, detail);
    };
    parser.leave_span = [](MD_SPANTYPE, void*, void*) { return 0; };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* slice, MD_SIZE size, void* data) {
        return of(data).text(type, slice, size);
    };
    if (md_parse(text_.data(), static_cast<MD_SIZE>(text_.size()), &parser, &reader) != 0)
        throw Error("md4c cannot read a page");
    for (const Block& block : blocks_) {
        if (block.kind == Block::html) reader.links_of_tags(block.plain, block.range.begin);
    }
    reader.find_comments();
}

std::vector<Section> sections_of(const Markdown& page) {
    std::vector<Section> sections;
    bool in_task = false, in_hint = false;
    for (const Block& block : page.blocks()) {
        if (block.kind == Block::heading && block.level <= 2) {
            const std::vector<std::string> words =
                words_of(replaced(replaced(block.plain, ",", " "), ":", " "));
            if (block.level == 2) sections.push_back({words.empty() ? "" : words[0], {}});
            in_task = in_hint = false;
        } else if (block.kind == Block::heading && block.level == 3 && !sections.empty()) {
            const std::size_t colon = block.plain.find(':');
            const int number =
                begins_with(block.plain, "Task ") ? number_of(trimmed(block.plain.substr(5, colon - 5))) : -1;
            in_task = number >= 0;
            in_hint = false;
            if (in_task) {
                sections.back().tasks.push_back(
                    {number, colon == std::string::npos ? "" : trimmed(block.plain.substr(colon + 1)), {}});
            }
        } else if (in_task) {
            std::vector<Task::Hint>& hints = sections.back().tasks.back().hints;
            std::string rest = block.plain;
            const auto take = [&](std::size_t size) {
                if (!in_hint) return;
                hints.back().plain = on_one_line(hints.back().plain + " " + rest.substr(0, size));
            };
            while (block.kind == Block::html) {  // it may end one hint and begin the next
                const std::size_t close = rest.find("</details>"), open = rest.find("<summary>"),
                                  end = rest.find("</summary>", open);
                if (close < open) {
                    take(close);
                    in_hint = false;
                    rest.erase(0, close + 10);
                } else if (end != std::string::npos) {
                    const std::string heading = rest.substr(open + 9, end - open - 9);
                    in_hint = begins_with(heading, "Hint");
                    if (in_hint) hints.push_back({heading, ""});
                    rest.erase(0, end + 10);
                } else {
                    break;
                }
            }
            take(rest.size());
        }
    }
    return sections;
}

}  // namespace course
