// Evaluates expressions by recursive descent, and formats numbers as printf does.
#include "expression.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace course {

namespace {

class Parser {
  public:
    Parser(std::string text, const Lookup& lookup) : rest_(std::move(text)), lookup_(lookup) {}

    /// These parse the whole text, as an expression or as a condition.
    double value() { return whole(sum()); }
    bool condition() {
        bool all = comparison();
        while (take("and")) all = comparison() && all;
        return whole(all);
    }

  private:
    template <class Value>
    Value whole(Value value) {
        take("");
        if (!rest_.empty()) fail("expected an operator");
        return value;
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(what + (rest_.empty() ? " at the end" : " before \"" + rest_ + "\""));
    }

    /// If `sign` is next after blanks, skips it and returns true.
    bool take(const std::string& sign) {
        rest_.erase(0, rest_.find_first_not_of(' '));
        if (!begins_with(rest_, sign)) return false;
        rest_.erase(0, sign.size());
        return true;
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
        for (bool plus; (plus = take("+")) || take("-");) value += plus ? product() : -product();
        return value;
    }

    double product() {
        double value = factor();
        for (bool times; (times = take("*")) || take("/");) {
            const double other = factor();
            if (!times && other == 0) fail("divides by zero");
            value = times ? value * other : value / other;
        }
        return value;
    }

    double factor() {
        if (take("-")) return -factor();
        if (take("(")) return closed(sum());
        // A reference to the record of another device begins with the device's name: cpu. Names of rows can
        // contain characters that names of facts cannot.
        for (const char* reference : {"^([a-z_][a-z0-9_]*[.])?(roofs|run):[a-z0-9_]*",
                                      "^([a-z_][a-z0-9_]*[.])?[a-z0-9_]+:[A-Za-z0-9_.@+-]*(:[a-z0-9_]*)?"}) {
            const Lines found = match(rest_, reference);
            if (!found.empty() && take(found[0])) return lookup_(found[0]);
        }
        if (take("min(")) return extreme([](double a, double b) { return std::min(a, b); });
        if (take("max(")) return extreme([](double a, double b) { return std::max(a, b); });
        const Lines number = match(rest_, "^([0-9]+([.][0-9]+)?)([^0-9.]|$)");
        if (number.empty()) fail("expected a number or table:row:field");
        take(number[1]);
        return std::stod(number[1]);
    }

    double closed(double value) {
        if (!take(")")) fail("expected )");
        return value;
    }

    double extreme(double (*better)(double, double)) {
        double value = sum();
        if (!take(",")) fail("min and max need two values or more");
        do value = better(value, sum());
        while (take(","));
        return closed(value);
    }

    std::string rest_;  // the text that has not been parsed yet
    const Lookup& lookup_;
};

}  // namespace

double evaluate(const std::string& expression, const Lookup& lookup) {
    const double value = Parser(expression, lookup).value();
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
    const Lines parts = match(word, "^(,?)([.]([0-9]))?$");
    if (parts.empty() || word.empty()) return false;
    form = {std::atoi(parts[3].c_str()), !parts[1].empty()};
    return true;
}

std::string written(double value, const NumberForm& form) {
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, "%.*f", form.decimals, value);  // the same format as in the demos
    std::string text = buffer;
    if (text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
    const std::size_t first = text[0] == '-' ? 1 : 0;
    for (std::size_t at = std::min(text.find('.'), text.size()); form.commas && at > first + 3;)
        text.insert(at -= 3, ",");
    return text;
}

}  // namespace course
