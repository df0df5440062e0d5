// Writes JSON: verdicts of the grader and the judge, and profiles of the executor. The text can be part of a
// <script> in a page.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "utf8.hpp"

namespace kit {

/// Builds a JSON text from left to right: Json().open('{').member("seed",
/// 1).key("cases").open('[').close(']').close('}').text().
class Json {
  public:
    /// Opens an object or a list. Each object in a list begins on a new line.
    Json& open(char bracket) {
        next(bracket == '{' && in_list());
        text_ += bracket;
        open_ += bracket;
        first_ = true;
        return *this;
    }
    Json& close(char bracket) {
        text_ += bracket;
        open_.pop_back();
        first_ = false;
        return *this;
    }
    /// Writes the name of a member, whose value follows.
    Json& key(std::string_view name) {
        value(name);
        text_ += ':';
        first_ = true;
        return *this;
    }
    template <class T>
    Json& member(std::string_view name, const T& of) {
        return key(name).value(of);
    }
    template <class T>
    Json& value(const T& of) {
        if constexpr (std::is_same_v<T, bool>) {
            return raw(of ? "true" : "false");
        } else if constexpr (std::is_integral_v<T>) {
            return raw(std::to_string(of));
        } else if constexpr (std::is_floating_point_v<T>) {
            char digits[32];
            std::snprintf(digits, sizeof digits, "%.17g", of);
            return raw(digits);
        } else {
            return string(of);
        }
    }
    template <class T>
    Json& value(const std::vector<T>& list) {
        open('[');
        for (const T& one : list) value(one);
        return close(']');
    }
    Json& null() { return raw("null"); }
    /// Writes a value that is already JSON.
    Json& written(const Json& value) { return raw(value.text()); }
    Json& written(const std::string& json) { return raw(json); }
    const std::string& text() const { return text_; }

  private:
    bool in_list() const { return !open_.empty() && open_.back() == '['; }

    Json& raw(std::string_view value) {
        next(false);
        text_ += value;
        return *this;
    }
    void next(bool on_new_line) {
        if (!first_) text_ += ',';
        if (on_new_line) text_ += "\n ";
        first_ = false;
    }

    /// Writes a text. "<" and unprintable characters are written as numbers, so that no text can end the
    /// <script> that contains it. Bytes that are not UTF-8 are replaced, because the file must be valid
    /// whatever a student's code prints.
    Json& string(std::string_view value) {
        next(false);
        text_ += '"';
        while (!value.empty()) {
            const auto code = static_cast<unsigned char>(value[0]);
            const std::size_t length = length_of_character(value);
            if (length == 0) {
                text_ += "\\ufffd";
            } else if (code < 0x20 || code == '<' || code == 0x7f) {
                constexpr char digits[] = "0123456789abcdef";
                text_ += "\\u00";
                text_ += digits[code / 16];
                text_ += digits[code % 16];
            } else {
                if (code == '"' || code == '\\') text_ += '\\';
                text_ += value.substr(0, length);
            }
            value.remove_prefix(length ? length : 1);
        }
        text_ += '"';
        return *this;
    }

    std::string text_, open_;
    bool first_ = true;
};

}  // namespace kit
