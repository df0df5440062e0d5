// Splits source text into tokens. The tokenizer handles comments, literals, raw strings, digit separators,
// continued lines and preprocessor lines.
#include "tokens.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace kit::translate {
namespace {

bool is_letter(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalpha(byte) || c == '_' || c == '$' || byte >= 0x80;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Returns the word after `#`, such as "define". Sets `rest` to the offset in the directive at which the text
/// after the word begins.
std::string_view directive_word(std::string_view directive, std::size_t& rest) {
    std::size_t begin = 1;
    while (begin < directive.size() && std::isspace(static_cast<unsigned char>(directive[begin]))) ++begin;
    rest = begin;
    while (rest < directive.size() && is_letter(directive[rest])) ++rest;
    return directive.substr(begin, rest - begin);
}

class Tokenizer {
  public:
    explicit Tokenizer(std::string_view source) : source_(source) { streams_.emplace_back(); }

    std::vector<Stream> run() {
        scan(source_.size());
        for (Stream& stream : streams_) pair_brackets(stream);
        return std::move(streams_);
    }

  private:
    char at(std::size_t position) const { return position < end_ ? source_[position] : '\0'; }
    bool starts(std::string_view text) const { return source_.substr(at_, text.size()) == text; }

    /// Returns the length of a backslash with the line end after it; 0 if there is none at this position.
    std::size_t continuation(std::size_t position) const {
        if (at(position) != '\\') return 0;
        if (at(position + 1) == '\n') return 2;
        return at(position + 1) == '\r' && at(position + 2) == '\n' ? 3 : 0;
    }

    void advance(std::size_t to) {
        for (; at_ < to && at_ < source_.size(); ++at_) line_ += source_[at_] == '\n';
    }

    void push(Kind kind, std::size_t begin, std::size_t end) {
        if (disabled_ == 0 || kind == Kind::directive)
            streams_[stream_].tokens.push_back({kind, source_.substr(begin, end - begin), begin, line_});
        advance(end);
    }

    void scan(std::size_t end) {
        const std::size_t outer_end = end_;
        end_ = end;
        bool line_start = stream_ == 0;
        while (at_ < end_) {
            const char c = source_[at_];
            if (c == '\n') {
                line_start = stream_ == 0;
                advance(at_ + 1);
            } else if (const std::size_t length = continuation(at_)) {
                advance(at_ + length);
            } else if (std::isspace(static_cast<unsigned char>(c))) {
                advance(at_ + 1);
            } else if (starts("//")) {
                advance(line_end());
            } else if (starts("/*")) {
                const std::size_t close = source_.substr(0, end_).find("*/", at_ + 2);
                advance(close == std::string_view::npos ? end_ : close + 2);
            } else if (c == '#' && line_start) {
                directive();
                line_start = false;
            } else {
                token(c);
                line_start = false;
            }
        }
        end_ = outer_end;
    }

    /// Returns the end of the logical line. A backslash at the end of a line continues it, even in a comment.
    std::size_t line_end() const {
        std::size_t position = at_;
        while (position < end_ && source_[position] != '\n') {
            const std::size_t length = continuation(position);
            position += length ? length : 1;
        }
        return position;
    }

    void token(char c) {
        if (is_letter(c)) {
            word();
        } else if (is_digit(c) || (c == '.' && is_digit(at(at_ + 1)))) {
            push(Kind::number, at_, number_end());
        } else if (c == '"') {
            push(Kind::string, at_, literal_end(at_, '"'));
        } else if (c == '\'') {
            push(Kind::character, at_, literal_end(at_, '\''));
        } else {
            punctuation();
        }
    }

    void word() {
        std::size_t end = at_;
        while (is_letter(at(end)) || is_digit(at(end))) ++end;
        const std::string_view text = source_.substr(at_, end - at_);
        const bool encoding = text == "u8" || text == "u" || text == "U" || text == "L";
        const bool raw = text == "R" || text == "u8R" || text == "uR" || text == "UR" || text == "LR";
        if (at(end) == '"' && raw) {
            push(Kind::string, at_, raw_string_end(end));
        } else if (at(end) == '"' && encoding) {
            push(Kind::string, at_, literal_end(end, '"'));
        } else if (at(end) == '\'' && encoding) {
            push(Kind::character, at_, literal_end(end, '\''));
        } else {
            push(Kind::identifier, at_, end);
        }
    }

    std::size_t number_end() const {
        std::size_t end = at_ + 1;
        for (;; ++end) {
            const char c = at(end);
            const bool exponent_sign = (c == '+' || c == '-') &&
                                       std::string_view("eEpP").find(at(end - 1)) != std::string_view::npos;
            const bool separator = c == '\'' && (is_letter(at(end + 1)) || is_digit(at(end + 1)));
            if (!is_letter(c) && !is_digit(c) && c != '.' && !exponent_sign && !separator) return end;
        }
    }

    /// Returns the end of a literal. A literal without an end, such as an apostrophe in a text under #if,
    /// ends with its line.
    std::size_t literal_end(std::size_t open, char quote) const {
        for (std::size_t end = open + 1; end < end_; ++end) {
            if (const std::size_t length = continuation(end)) {
                end += length - 1;
            } else if (source_[end] == '\\') {
                ++end;
            } else if (source_[end] == quote) {
                return end + 1;
            } else if (source_[end] == '\n') {
                return end;
            }
        }
        return end_;
    }

    std::size_t raw_string_end(std::size_t quote) const {
        const std::size_t open = source_.find('(', quote);
        if (open == std::string_view::npos) return end_;
        const std::string close = ")" + std::string(source_.substr(quote + 1, open - quote - 1)) + "\"";
        const std::size_t found = source_.find(close, open);
        return found == std::string_view::npos ? end_ : found + close.size();
    }

    void punctuation() {
        static constexpr std::string_view longer[] = {
            "<<<", "<<=", "->*", "...", "<<", "<=", ">=", "->", "::", "##", "==", "!=", "&&",
            "||",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", ".*"};
        for (std::string_view text : longer)
            if (starts(text) && at_ + text.size() <= end_)
                return push(Kind::punctuation, at_, at_ + text.size());
        push(Kind::punctuation, at_, at_ + 1);
    }

    void directive() {
        const std::size_t begin = at_;
        const std::size_t end = directive_end();
        const std::string_view text = source_.substr(begin, end - begin);
        std::size_t rest = 0;
        const std::string_view word = directive_word(text, rest);
        if (word == "if" || word == "ifdef" || word == "ifndef") {
            const std::size_t value = text.find_first_not_of(" \t", rest);
            const bool zero =
                word == "if" && value != std::string_view::npos && text[value] == '0' &&
                (value + 1 == text.size() || std::isspace(static_cast<unsigned char>(text[value + 1])));
            if (disabled_ > 0 || zero) ++disabled_;
        } else if (word == "endif") {
            disabled_ -= disabled_ > 0;
        } else if (word == "else" || word == "elif") {
            if (disabled_ == 1)
                disabled_ = 0;  // prevents disabling again at a later branch of `#if 0 ...
                                // #elif ... #else`
        }
        if (word != "define" || disabled_ > 0) push(Kind::directive, begin, end);
        if (word == "line" && disabled_ == 0) {  // later lines are counted from the number in #line
            const std::string number(
                text.substr(std::min(text.find_first_of("0123456789", rest), text.size())));
            if (!number.empty()) line_ = std::atoi(number.c_str()) - 1;
        }
        if (word != "define" || disabled_ > 0) return;
        const int line = line_;
        streams_[0].tokens.push_back({Kind::directive, text, begin, line});
        define(begin + rest, end);
    }

    /// Returns the end of a directive. Unlike line_end(), it includes a comment that covers several lines.
    std::size_t directive_end() const {
        std::size_t position = at_;
        while (position < end_ && source_[position] != '\n') {
            const std::string_view here = source_.substr(position, 2);
            if (const std::size_t length = continuation(position)) {
                position += length;
            } else if (here == "/*") {
                const std::size_t close = source_.find("*/", position + 2);
                position = close == std::string_view::npos ? end_ : close + 2;
            } else if (here == "//") {
                while (position < end_ && source_[position] != '\n') {
                    const std::size_t length = continuation(position);
                    position += length ? length : 1;
                }
            } else if (source_[position] == '"' || source_[position] == '\'') {
                position = literal_end(position, source_[position]);
            } else {
                ++position;
            }
        }
        return position;
    }

    void define(std::size_t begin, std::size_t end) {
        advance(begin);
        stream_ = static_cast<int>(streams_.size());
        Stream& body = streams_.emplace_back();
        body.macro = true;
        scan(end);
        stream_ = 0;
        if (body.tokens.empty()) return;
        body.name = body.tokens[0].text;
        std::size_t used = 1;
        const bool function_like =
            body.tokens.size() > 1 && body.is(1, "(") && body[1].offset == body.tokens[0].end();
        if (function_like) {
            for (used = 2; used < body.tokens.size() && !body.tokens[used].is(")"); ++used)
                if (!body.tokens[used].is(",")) body.parameters.push_back(body.tokens[used].text);
            ++used;
        }
        body.tokens.erase(body.tokens.begin(), body.tokens.begin() + std::min(used, body.tokens.size()));
    }

    /// Finds the matching brackets. Each branch of an #if starts with the brackets that were open before the
    /// #if.
    static void pair_brackets(Stream& stream) {
        std::vector<int> open;
        std::vector<std::vector<int>> conditionals;
        for (int i = 0; i < stream.size(); ++i) {
            Token& token = stream.tokens[i];
            if (token.kind == Kind::directive) {
                std::size_t rest = 0;
                const std::string_view word = directive_word(token.text, rest);
                if (word.substr(0, 2) == "if") {
                    conditionals.push_back(open);
                } else if (!conditionals.empty() && word.substr(0, 2) == "el") {
                    open = conditionals.back();
                } else if (!conditionals.empty() && word == "endif") {
                    conditionals.pop_back();
                }
            } else if (token.is("(") || token.is("[") || token.is("{")) {
                open.push_back(i);
            } else if (token.is(")") || token.is("]") || token.is("}")) {
                const std::string_view partner = token.is(")") ? "(" : token.is("]") ? "[" : "{";
                if (token.is("}"))
                    while (!open.empty() && !stream[open.back()].is(partner)) open.pop_back();
                if (open.empty() || !stream[open.back()].is(partner)) continue;
                token.match = open.back();
                stream.tokens[open.back()].match = i;
                open.pop_back();
            }
        }
    }

    std::string_view source_;
    std::vector<Stream> streams_;
    std::size_t at_ = 0;
    std::size_t end_ = 0;
    int line_ = 1;
    int stream_ = 0;
    int disabled_ = 0;  ///< nesting depth of conditionals inside `#if 0`; 0 outside
};

}  // namespace

bool Stream::is_parameter(int index) const {
    if (!is_identifier(index)) return false;
    for (std::string_view parameter : parameters) {
        if (parameter == tokens[index].text) return true;
        if (parameter == "..." && tokens[index].is("__VA_ARGS__")) return true;
    }
    return false;
}

std::vector<Stream> tokenize(std::string_view source) {
    return Tokenizer(source).run();
}

namespace {

/// Returns whether two `<` or `>` and a third one follow each other on a line, with only blanks between them.
bool is_apart(const std::string& source, const Token& two, const Token& third) {
    if (third.offset <= two.end()) return false;
    return source.find_first_not_of(" \t", two.end()) == third.offset;
}

void join(std::string& source, const Token& two, const Token& third) {
    source[two.end()] = third.text[0];
    source[third.offset] = ' ';
}

/// Returns the third `>` of the launch that begins before `from`, if blanks separate it from the first two;
/// otherwise -1.
int apart_close(const std::string& source, const Stream& stream, int from) {
    for (int i = from; i + 2 < stream.size() && !stream.is(i, ";") && !stream.is(i, "}"); ++i) {
        if (stream[i].match > i) {
            i = stream[i].match;
        } else if (stream.is(i, ">") && stream.is(i + 1, ">") && stream.is(i + 2, ">") &&
                   stream[i + 1].offset == stream[i].end() && stream.is(i + 3, "(")) {
            if (stream[i + 2].offset == stream[i + 1].end()) return -1;
            if (is_apart(source, stream[i + 1], stream[i + 2])) return i + 2;
        }
    }
    return -1;
}

}  // namespace

std::string with_whole_chevrons(std::string source) {
    if (source.find("<<") == std::string::npos) return source;
    const std::string original = source;  // a copy, because the tokens refer to its text
    for (const Stream& stream : tokenize(original)) {
        for (int i = 0; i + 1 < stream.size(); ++i) {
            const bool apart = stream.is(i, "<<") && stream.is(i + 1, "<") && !stream.is(i - 1, "operator") &&
                               is_apart(original, stream[i], stream[i + 1]);
            if (apart) join(source, stream[i], stream[i + 1]);
            if (!apart && !stream.is(i, "<<<")) continue;
            const int close = apart_close(original, stream, i + 1 + apart);
            if (close > 0) join(source, stream[close - 1], stream[close]);
        }
    }
    return source;
}

}  // namespace kit::translate
