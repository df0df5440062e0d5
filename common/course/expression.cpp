// Expressions by recursive descent; numbers by printf.
#include "expression.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace course {

namespace {

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c));
}
bool is_field(char c) {
    return std::islower(static_cast<unsigned char>(c)) || is_digit(c) || c == '_';
}
bool is_row(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || contains("_.@+-", {&c, 1});
}

class Parser {
  public:
    Parser(const std::string& text, const Lookup& lookup) : text_(text), lookup_(lookup) {}

    double whole() {
        const double value = sum();
        end();
        return value;
    }

    bool condition() {
        bool all = true;
        do all = comparison() && all;
        while (take("and"));
        end();
        return all;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(what + (at_ < text_.size() ? " before \"" + text_.substr(at_) + "\"" : " at the end"));
    }

    bool take(const std::string& sign) {
        skip(" ");
        if (text_.compare(at_, sign.size(), sign) != 0) return false;
        at_ += sign.size();
        return true;
    }
    void require(const std::string& sign) {
        if (!take(sign)) fail("expected " + sign);
    }
    void skip(const char* characters) {
        at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
    }
    void skip(bool (*kind)(char)) {
        while (at_ < text_.size() && kind(text_[at_])) ++at_;
    }
    bool comes(char c) const { return at_ < text_.size() && text_[at_] == c; }
    void end() {
        skip(" ");
        if (at_ < text_.size()) fail("expected an operator");
    }

    bool comparison() {
        const double left = sum();
        if (take("<=")) return left <= sum();
        if (take(">=")) return left >= sum();
        if (take("==")) return left == sum();
        if (take("<")) return left < sum();
        if (take(">")) return left > sum();
        fail("expected < <= > >= or ==");
    }

    double sum() {
        double value = product();
        while (true) {
            if (take("+")) {
                value += product();
            } else if (take("-")) {
                value -= product();
            } else {
                return value;
            }
        }
    }

    double product() {
        double value = factor();
        while (true) {
            if (take("*")) {
                value *= factor();
            } else if (take("/")) {
                const double divisor = factor();
                if (divisor == 0) fail("divides by zero");
                value /= divisor;
            } else {
                return value;
            }
        }
    }

    double factor() {
        if (take("-")) return -factor();
        if (take("(")) {
            const double value = sum();
            require(")");
            return value;
        }
        skip(" ");
        const std::size_t start = at_;
        skip(is_field);
        if (comes('.') && !is_digit(text_[start])) {  // the record of another device: cpu.ladder:v1:barriers
            ++at_;
            skip(is_field);
        }
        if (comes(':')) return reference(start);
        const std::string word = text_.substr(start, at_ - start);
        if (word == "min" || word == "max") return extreme(word == "min");
        at_ = start;
        skip("0123456789.");
        const std::string digits = text_.substr(start, at_ - start);
        if (digits.find_first_of("0123456789") == std::string::npos || digits.find('.') != digits.rfind('.'))
            fail("expected a number or table:row:field");
        return std::stod(digits);
    }

    /// Names of rows may have other characters than those of facts.
    double reference(std::size_t start) {
        const std::string table = text_.substr(start, at_ - start);
        const bool fact = ends_with("." + table, ".roofs") || ends_with("." + table, ".run");
        ++at_;
        skip(fact ? is_field : is_row);
        if (!fact && comes(':')) {
            ++at_;
            skip(is_field);
        }
        return lookup_(text_.substr(start, at_ - start));
    }

    double extreme(bool least) {
        require("(");
        double value = sum();
        if (!take(",")) fail("min and max need two values or more");
        do value = least ? std::min(value, sum()) : std::max(value, sum());
        while (take(","));
        require(")");
        return value;
    }

    const std::string& text_;
    const Lookup& lookup_;
    std::size_t at_ = 0;
};

}  // namespace

double evaluate(const std::string& expression, const Lookup& lookup) {
    const double value = Parser(expression, lookup).whole();
    if (!std::isfinite(value)) throw Error("has no finite value");
    return value;
}

bool holds(const std::string& condition, const Lookup& lookup) {
    return Parser(condition, lookup).condition();
}

NumberForm form_of(const std::string& number) {
    const std::size_t point = std::min(number.find('.'), number.size() - 1);
    return {static_cast<int>(number.size() - 1 - point), contains(number, ",")};
}

bool read_form(const std::string& word, NumberForm& form) {
    const std::string decimals = word.substr(begins_with(word, ",") ? 1 : 0);
    const bool right = decimals.empty() ? !word.empty()
                                        : decimals.size() == 2 && decimals[0] == '.' && is_digit(decimals[1]);
    if (right) form = {decimals.empty() ? 0 : decimals[1] - '0', word[0] == ','};
    return right;
}

std::string written(double value, const NumberForm& form) {
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, "%.*f", form.decimals, value);  // as the demos print
    std::string text = buffer;
    if (text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
    const std::size_t first = text[0] == '-' ? 1 : 0;
    for (std::size_t at = std::min(text.find('.'), text.size()); form.commas && at > first + 3;)
        text.insert(at -= 3, ",");
    return text;
}

}  // namespace course
