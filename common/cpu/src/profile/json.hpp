// Writes JSON that may stand in a <script> of a page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kit::cpu {

class Json {
  public:
    Json& open(char bracket) {
        next();
        text_ += bracket;
        first_ = true;
        return *this;
    }
    Json& close(char bracket) {
        text_ += bracket;
        first_ = false;
        return *this;
    }
    /// The next value belongs to this name.
    Json& key(std::string_view name) {
        string(name);
        text_ += ':';
        first_ = true;
        return *this;
    }
    Json& number(std::int64_t value) { return raw(std::to_string(value)); }
    Json& count(std::uint64_t value) { return raw(std::to_string(value)); }
    Json& null() { return raw("null"); }
    /// "<" is written as a number, so that no text ends the script that holds it; so is what does not print.
    Json& string(std::string_view value) {
        next();
        text_ += '"';
        for (const char letter : value) {
            const auto code = static_cast<unsigned char>(letter);
            if (code < 0x20 || code == '<' || code == 0x7f) {
                constexpr char digits[] = "0123456789abcdef";
                text_ += "\\u00";
                text_ += digits[code / 16];
                text_ += digits[code % 16];
            } else {
                if (letter == '"' || letter == '\\') text_ += '\\';
                text_ += letter;
            }
        }
        text_ += '"';
        return *this;
    }
    const std::string& text() const { return text_; }

  private:
    Json& raw(const std::string& value) {
        next();
        text_ += value;
        return *this;
    }
    void next() {
        if (!first_) text_ += ',';
        first_ = false;
    }

    std::string text_;
    bool first_ = true;
};

}  // namespace kit::cpu
