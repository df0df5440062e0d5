#include <algorithm>
#include <charconv>
#include <cstring>
#include <json_value.hpp>

namespace kit {

const JsonValue* JsonValue::find(std::string_view name) const {
    for (std::size_t i = names.size(); i-- > 0;) {
        if (names[i] == name) return &values[i];
    }
    return nullptr;
}

namespace {

void append_utf8(std::string& text, unsigned code) {
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    text += static_cast<char>((0xff00 >> (more + 1)) | (code >> 6 * more));
    for (int i = more; i-- > 0;) text += static_cast<char>(0x80 | (code >> 6 * i & 0x3f));
}

/// A parser whose functions are named after what they read from the rest of the text. Such a function returns
/// false if something else comes next.
class Parser {
  public:
    explicit Parser(std::string_view text) : rest_(text) {}

    bool whole_text(JsonValue& value) { return any_value(value, 0) && (skip_blanks(), rest_.empty()); }

  private:
    bool any_value(JsonValue& value, int depth) {
        constexpr int deepest = 64;  // limits the depth of recursive calls
        if (depth > deepest) return false;
        skip_blanks();
        if (take('{')) return members(value, depth);
        if (take('[')) return elements(value, depth);
        if (take('"')) {
            value.kind = JsonValue::text;
            return characters(value.words);
        }
        return word("null", value, JsonValue::null, 0) || word("true", value, JsonValue::boolean, 1) ||
               word("false", value, JsonValue::boolean, 0) || any_number(value);
    }

    bool members(JsonValue& value, int depth) {
        value.kind = JsonValue::object;
        if (take_after_blanks('}')) return true;
        do {
            if (!take_after_blanks('"') || !characters(value.names.emplace_back()) ||
                !take_after_blanks(':') || !any_value(value.values.emplace_back(), depth + 1))
                return false;
        } while (take_after_blanks(','));
        return take_after_blanks('}');
    }

    bool elements(JsonValue& value, int depth) {
        value.kind = JsonValue::list;
        if (take_after_blanks(']')) return true;
        do {
            if (!any_value(value.values.emplace_back(), depth + 1)) return false;
        } while (take_after_blanks(','));
        return take_after_blanks(']');
    }

    /// Reads the rest of a text, after its first quotation mark.
    bool characters(std::string& text) {
        while (!rest_.empty()) {
            const char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '"') return true;
            if (static_cast<unsigned char>(c) < 0x20 || (c == '\\' && !escaped(text))) return false;
            if (c != '\\') text += c;
        }
        return false;
    }

    /// Reads the rest of an escape sequence, after its backslash.
    bool escaped(std::string& text) {
        if (rest_.empty()) return false;
        constexpr char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
        const char letter = rest_.front();
        rest_.remove_prefix(1);
        if (letter != 'u') {
            const char* const found = letter ? std::strchr(letters, letter) : nullptr;
            if (found) text += meanings[found - letters];
            return found != nullptr;
        }
        unsigned code = 0, low = 0;
        if (!four_digits(code)) return false;
        const bool is_high =
            code >= 0xd800 && code < 0xdc00;  // whether the code is the first half of a surrogate pair
        const std::string_view after = rest_;
        if (is_high && take('\\') && take('u') && four_digits(low) && low >= 0xdc00 && low < 0xe000) {
            append_utf8(text, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
            return true;
        }
        rest_ = after;
        append_utf8(text, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
        return true;
    }

    bool four_digits(unsigned& code) {
        if (rest_.size() < 4) return false;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + 4, code, 16);
        const bool all = error == std::errc() && end == rest_.data() + 4;
        if (all) rest_.remove_prefix(4);
        return all;
    }

    bool any_number(JsonValue& value) {
        const std::size_t digit = !rest_.empty() && rest_.front() == '-';
        // For example "inf".
        if (rest_.size() <= digit || rest_[digit] < '0' || rest_[digit] > '9') return false;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value.amount);
        value.kind = JsonValue::number;
        if (error != std::errc()) return false;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return true;
    }

    bool word(std::string_view name, JsonValue& value, JsonValue::Kind kind, double amount) {
        if (rest_.substr(0, name.size()) != name) return false;
        rest_.remove_prefix(name.size());
        value.kind = kind;
        value.amount = amount;
        return true;
    }

    void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

    bool take(char letter) {
        const bool is_there = !rest_.empty() && rest_.front() == letter;
        if (is_there) rest_.remove_prefix(1);
        return is_there;
    }
    bool take_after_blanks(char letter) {
        skip_blanks();
        return take(letter);
    }

    std::string_view rest_;
};

}  // namespace

std::optional<JsonValue> parse_json(std::string_view text) {
    JsonValue value;
    if (!Parser(text).whole_text(value)) return {};
    return value;
}

}  // namespace kit
