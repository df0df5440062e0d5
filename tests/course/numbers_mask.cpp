// See numbers_mask.hpp.
#include "numbers_mask.hpp"

#include <algorithm>
#include <cctype>

namespace course {

namespace {

class Masker {
  public:
    explicit Masker(const std::string& text) : text_(text) { result_.text = text; }

    Masked run() {
        if (text_.rfind("---\n", 0) == 0) {
            const std::size_t end = text_.find("\n---\n", 3);
            if (end != std::string::npos) cover(end + 4, covered_block);
        }
        while (at_ < text_.size()) {
            if (at_ == 0 || text_[at_ - 1] == '\n') {
                if (fence()) continue;
            }
            step();
        }
        return std::move(result_);
    }

  private:
    /// Covers all but line ends up to `end`, and goes on from there. What hides a comment hides its line ends, too.
    void cover(std::size_t end, char with) {
        for (; at_ < end; ++at_) {
            if (text_[at_] != '\n' || with != covered_block) result_.text[at_] = with;
        }
    }

    bool starts(const std::string& words) const { return text_.compare(at_, words.size(), words) == 0; }

    std::size_t end_of_line(std::size_t from) const { return std::min(text_.find('\n', from), text_.size()); }

    /// The end of the paragraph: no code span and no link goes beyond it.
    std::size_t end_of_paragraph() const { return std::min(text_.find("\n\n", at_), text_.size()); }

    bool fence() {
        const std::size_t mark = std::min(text_.find_first_not_of(" \t", at_), text_.size());
        std::string sign = text_.substr(mark, 3);
        if (sign != "```" && sign != "~~~") return false;
        Fence found;
        found.begin = at_;
        found.first = found.closer = std::min(end_of_line(at_) + 1, text_.size());
        while (found.closer < text_.size()) {
            const std::size_t content = text_.find_first_not_of(" \t", found.closer);
            if (content != std::string::npos && text_.compare(content, 3, sign) == 0) break;
            found.closer = std::min(end_of_line(found.closer) + 1, text_.size());
        }
        if (found.closer == text_.size()) result_.unclosed.push_back(at_);
        cover(end_of_line(found.closer), covered_block);
        result_.fences.push_back(found);
        return true;
    }

    void step() {
        if (starts("<!--")) {
            comment();
        } else if (text_[at_] == '`') {
            code_span();
        } else if (starts("![")) {
            const std::size_t target = text_.find("](", at_), end = text_.find(')', target);
            cover(target < end && end < end_of_paragraph() ? end + 1 : at_ + 1, covered_opaque);
        } else if (starts("](")) {
            const std::size_t end = text_.find(')', at_);
            cover(end < end_of_paragraph() ? end + 1 : at_ + 1, covered_hidden);
        } else if (text_[at_] == '<' && at_ + 1 < text_.size() &&
                   (text_[at_ + 1] == '/' || std::isalpha(static_cast<unsigned char>(text_[at_ + 1])))) {
            tag();
        } else {
            at_ += text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
        }
    }

    void comment() {
        const std::size_t end = text_.find("-->", at_);
        if (end == std::string::npos) {
            result_.unclosed.push_back(at_);
            cover(text_.size(), covered_hidden);
            return;
        }
        result_.comments.push_back({at_, end + 3, text_.substr(at_ + 4, std::max(end, at_ + 4) - at_ - 4)});
        cover(end + 3, covered_hidden);
    }

    void code_span() {
        const auto run_at = [&](std::size_t from) {
            return std::min(text_.find_first_not_of('`', from), text_.size()) - from;
        };
        const std::size_t length = run_at(at_), limit = end_of_paragraph();
        for (std::size_t end = at_ + length; end < limit;) {
            const std::size_t next = text_.find('`', end);
            if (next == std::string::npos || next >= limit) break;
            const std::size_t found = run_at(next);
            if (found == length) return cover(next + found, covered_opaque);
            end = next + found;
        }
        at_ += length;
    }

    void tag() {
        const std::size_t end = text_.find('>', at_);
        if (end == std::string::npos) {
            ++at_;
            return;
        }
        for (const std::string name : {"style", "script", "svg"}) {
            if (!starts("<" + name) || std::isalnum(static_cast<unsigned char>(text_[at_ + 1 + name.size()])))
                continue;
            const std::size_t closed = text_.find("</" + name + ">", at_);
            if (closed != std::string::npos) return cover(closed + name.size() + 3, covered_opaque);
        }
        cover(end + 1, covered_hidden);
    }

    const std::string& text_;
    Masked result_;
    std::size_t at_ = 0;
};

}  // namespace

Masked mask_markdown(const std::string& text) {
    return Masker(text).run();
}

}  // namespace course
