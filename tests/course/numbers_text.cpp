// Finds the numbers of a page, their units, and the comments that belong to them.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <regex>
#include <set>

#include "numbers.hpp"
#include "numbers_mask.hpp"
#include "numbers_units.hpp"

namespace course {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

class Reader {
  public:
    explicit Reader(const std::string& text) : masked_(mask_markdown(text)), m_(masked_.text) {
        page_.text = text;
        for (const Comment& comment : masked_.comments) comments_[comment.begin] = &comment;
    }

    Page run() {
        for (const std::size_t at : masked_.unclosed) page_.problems.push_back({at, "does not end"});
        read_blocks();
        read_comments();
        return std::move(page_);
    }

  private:
    // ---- blocks: paragraphs, headings, cells of tables ----

    void read_blocks() {
        std::size_t paragraph = std::string::npos, end = 0;
        const auto flush = [&] {
            if (paragraph != std::string::npos) scan(paragraph, end, false, "");
            paragraph = std::string::npos;
        };
        bool in_claims = false, in_table = false;
        for (std::size_t at = 0; at < m_.size(); at = end + 1) {
            end = std::min(m_.find('\n', at), m_.size());
            const std::string line = visible(at, end), words = trimmed(line);
            const bool is_row = !words.empty() && words[0] == '|';
            if (words.empty() || words[0] == '#' || is_row || line.find(covered_block) != std::string::npos ||
                begins_item(words)) {
                const std::size_t line_end = end;
                end = at;
                flush();
                end = line_end;
            }
            if (is_row) {
                read_row(at, end, !in_table, in_claims);
            } else if (!words.empty() && words[0] == '#') {
                if (words.rfind("###", 0) != 0) in_claims = words == "## Claims measured";
                scan(at, end, true, "");
            } else if (!words.empty() && line.find(covered_block) == std::string::npos) {
                if (paragraph == std::string::npos) paragraph = at;
            }
            in_table = is_row;
        }
        end = m_.size();
        flush();
    }

    static bool begins_item(const std::string& words) {
        const std::size_t digits = words.find_first_not_of("0123456789");
        return words.rfind("- ", 0) == 0 || words.rfind("* ", 0) == 0 ||
               (digits != 0 && digits != std::string::npos && words.compare(digits, 2, ". ") == 0);
    }

    /// One line of a table. The first names the columns: bare numbers below "GB/s" have that unit.
    void read_row(std::size_t begin, std::size_t end, bool is_heading, bool in_claims) {
        if (is_heading) column_units_.clear();
        std::size_t column = 0;
        for (std::size_t at = m_.find('|', begin) + 1; at < end; ++column) {
            std::size_t bar = at;
            while (bar < end && (m_[bar] != '|' || m_[bar - 1] == '\\')) ++bar;
            if (is_heading) {
                column_units_.push_back(unit_of_heading(at, bar));
                scan(at, bar, true, "");
            } else {
                const std::string unit = column < column_units_.size() ? column_units_[column] : "";
                const bool only_numbers =
                    visible(at, bar).find_first_not_of("0123456789.,*- /") == std::string::npos;
                scan(at, bar, in_claims && column < 2, only_numbers ? unit : "");
            }
            at = bar + 1;
        }
    }

    std::string unit_of_heading(std::size_t begin, std::size_t end) const {
        for (std::size_t at = begin; at < end; ++at) {
            const char before = at > begin ? m_[at - 1] : ' ';
            if (is_word(before) || before == '/') continue;
            const std::string unit = unit_at(m_, at, end, nullptr);
            std::size_t last = at;
            while (last > begin && m_[last - 1] == ' ') --last;
            if (!unit.empty() && (last == begin || !is_digit(m_[last - 1]))) return unit;
        }
        return "";
    }

    /// The text without what is hidden, and without marks of bold type.
    std::string visible(std::size_t begin, std::size_t end) const {
        std::string text;
        for (std::size_t at = begin; at < end; ++at) {
            if (m_[at] != covered_hidden) text += m_[at];
        }
        return text;
    }

    // ---- numbers ----

    struct Token {
        Number number;
        std::size_t after = 0;       ///< behind its comments
        std::size_t list_given = 0;  ///< behind its unit stands <!--given-->
    };

    std::string find_unit(std::size_t begin, std::size_t at, std::size_t limit, const Token& token,
                          std::size_t& end) const {
        while (at < limit && (m_[at] == covered_hidden || m_[at] == '*')) ++at;
        if (at < limit && m_[at] == 'x' && (at + 1 == limit || !is_word(m_[at + 1]))) {
            end = at + 1;
            return "x";
        }
        const std::size_t adjacent = at;
        while (at < limit && (m_[at] == ' ' || m_[at] == '\n' || m_[at] == covered_hidden)) ++at;
        const std::string unit = unit_at(m_, at, limit, &end);
        if (!unit.empty() && (unit != "s" || at > adjacent)) return unit;  // the 128s are no seconds
        if (is_times(m_, at, limit, token.number.text)) {
            end = at + 5;
            return "times";
        }
        const std::string before = visible(begin, token.number.begin);
        const std::string factor = "factor of ";
        end = token.after;
        return before.size() >= factor.size() &&
                       before.compare(before.size() - factor.size(), factor.size(), factor) == 0
                   ? "factor"
                   : "";
    }

    /// Where the number that begins here ends: 12,345.67e-8
    std::size_t end_of_number(std::size_t at, std::size_t limit) const {
        const auto digits = [&](std::size_t from) {
            while (from < limit && is_digit(m_[from])) ++from;
            return from;
        };
        std::size_t end = digits(at);
        while (end < limit && m_[end] == ',' && digits(end + 1) == end + 4) end += 4;
        if (end + 1 < limit && m_[end] == '.' && is_digit(m_[end + 1])) end = digits(end + 1);
        if (end + 2 < limit && m_[end] == 'e' && (m_[end + 1] == '-' || m_[end + 1] == '+')) {
            const std::size_t exponent = digits(end + 2);
            if (exponent > end + 2 && (exponent == limit || !is_word(m_[exponent]))) end = exponent;
        }
        return end;
    }

    /// Is this digit the beginning of a number, and not part of v2, 2^28 or 580.159.04? Then its sign is included.
    bool begins_number(std::size_t begin, std::size_t& at) const {
        std::size_t before = at;
        const auto previous = [&] {
            while (before > begin && m_[before - 1] == covered_hidden) --before;
            return before > begin ? m_[--before] : ' ';
        };
        const char last = previous();
        if (is_word(last) || std::strchr("^.#$@", last) != nullptr) return false;
        if (last != '-') return true;
        const std::size_t sign = before;
        const char earlier = previous();
        if (is_word(earlier) && !is_digit(earlier)) return false;
        if (!is_word(earlier) && earlier != '-' && sign + 1 == at) at = sign;
        return true;
    }

    void read_own_comments(Token& token) {
        for (auto found = comments_.find(token.after); found != comments_.end();
             found = comments_.find(token.after)) {
            const std::string& content = found->second->content;
            if (!content.empty() && content[0] == '=') {
                token.number.expression = trimmed(content.substr(1));
                if (token.number.expression.empty() || content.find('\n') != std::string::npos)
                    page_.problems.push_back(
                        {found->first, "a reference is one line: <!--= table:row:field -->"});
            } else if (content == "given") {
                token.number.given = true;
            } else if (content.empty() || content[0] != '?') {
                return;
            }
            used_.insert(found->first);
            token.after = found->second->end;
        }
    }

    void scan(std::size_t begin, std::size_t end, bool exempt, const std::string& column_unit) {
        std::vector<Token> tokens;
        for (std::size_t at = begin; at < end;) {
            std::size_t start = at;
            if (!is_digit(m_[at]) || !begins_number(begin, start)) {
                ++at;
                continue;
            }
            Token token;
            token.number.begin = start;
            token.number.end = token.after = end_of_number(at, end);
            token.number.exempt = exempt;
            token.number.text = page_.text.substr(start, token.after - start);
            read_own_comments(token);
            std::size_t unit_end = 0;
            token.number.unit = find_unit(begin, token.after, end, token, unit_end);
            const auto behind = comments_.find(unit_end);
            if (!token.number.unit.empty() && behind != comments_.end() &&
                behind->second->content == "given") {
                used_.insert(unit_end);
                token.list_given = true;
            }
            if (token.number.unit.empty()) token.number.unit = column_unit;
            at = std::max(token.number.end, at + 1);
            tokens.push_back(std::move(token));
        }
        share_units(tokens, begin);
        for (Token& token : tokens) {
            Number& number = token.number;
            number.given = number.given || token.list_given;
            if (!number.unit.empty() || !number.expression.empty() || number.given)
                page_.numbers.push_back(std::move(number));
        }
    }

    /// In "0.94, 0.89 and 0.95 ms" all three have the unit. But in "2 ms for 5, 3 ms for 9" the 5 is no time, and commas
    /// between a number and a percentage or a factor separate different things: "reach 47.7, 75%".
    void share_units(std::vector<Token>& tokens, std::size_t begin) const {
        static const std::regex words(" *(-|,? *(and|or|to)|against|instead of|of) *"), signs(" *(,|/|;) *"),
            parameter("(^|.*[^a-z])(for|at|of|with|x) *$");
        for (std::size_t i = tokens.size(); i-- > 1;) {
            Token &token = tokens[i - 1], &next = tokens[i];
            const std::string& unit = next.number.unit;
            if (!token.number.unit.empty() || unit.empty()) continue;
            std::string gap = visible(token.after, next.number.begin);
            gap.erase(std::remove(gap.begin(), gap.end(), '*'), gap.end());
            std::replace(gap.begin(), gap.end(), '\n', ' ');
            const bool is_ratio = unit == "%" || unit == "percent" || unit == "x" ||
                                  (unit == "times" && token.number.text.find('.') == std::string::npos);
            const std::size_t line = std::max(m_.rfind('\n', token.number.begin) + 1, begin);
            if (!std::regex_match(gap, words)) {
                if (is_ratio || !std::regex_match(gap, signs)) continue;
                if (std::regex_match(visible(line, token.number.begin), parameter)) continue;
            }
            token.number.unit = unit;
            token.list_given = next.list_given;
        }
    }

    // ---- comments ----

    void read_comments() {
        for (const Comment& comment : masked_.comments) {
            const std::string words = trimmed(comment.content);
            const auto problem = [&](const std::string& what) {
                page_.problems.push_back({comment.begin, what});
            };
            if (words.empty()) continue;
            if (words == "output" || words.rfind("output:", 0) == 0) {
                read_output(comment, words);
            } else if (words[0] == '?') {
                page_.conditions.push_back({comment.begin, trimmed(words.substr(1))});
                if (comment.content[0] != '?')
                    problem("a condition is written <!--? ... -->, without a space before the ?");
            } else if (words[0] == '=' && comment.content[0] != '=') {
                problem("a reference is written <!--= ... -->, without a space before the =");
            } else if (words == "given" && comment.content != "given") {
                problem("it is written <!--given-->, without spaces");
            } else if ((words[0] == '=' || words == "given") && !used_.count(comment.begin)) {
                problem("no number stands directly before <!--" + comment.content + "-->");
            }
        }
    }

    void read_output(const Comment& comment, const std::string& words) {
        static const std::regex form("output: +([^ ]+)( +([0-9]+)-([0-9]+)| +\"([^\"]+)\")?");
        Output output;
        output.at = comment.begin;
        std::smatch match;
        if (!std::regex_match(words, match, form)) {
            page_.problems.push_back(
                {comment.begin, "which lines are these? <!-- output: results/h200.txt 3-20 -->"});
            return;
        }
        output.file = match[1];
        output.words = match[5];
        if (match[3].matched) {
            output.first = std::stoi(match[3]);
            output.last = std::stoi(match[4]);
        }
        for (const Fence& fence : masked_.fences) {
            if (fence.begin < comment.end) continue;
            bool adjoins = true;
            for (const std::string& line :
                 lines_of(page_.text.substr(comment.end, fence.begin - comment.end))) {
                const std::string between = trimmed(line);
                adjoins = adjoins && (between.empty() || between[0] == '<');
            }
            output.has_block = adjoins;
            output.begin = fence.first;
            output.end = fence.closer;
            break;
        }
        page_.outputs.push_back(output);
    }

    Masked masked_;
    const std::string& m_;
    Page page_;
    std::map<std::size_t, const Comment*> comments_;
    std::set<std::size_t> used_;
    std::vector<std::string> column_units_;
};

}  // namespace

int Page::line(std::size_t at) const {
    return 1 +
           static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

Page read_page(const std::string& text) {
    return Reader(text).run();
}

}  // namespace course
