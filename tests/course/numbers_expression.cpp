// Expressions over records: a parser by recursive descent, and the records that the references lead to.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "numbers.hpp"
#include "results_json.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

bool is_field(char c) {
    return std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) ||
           c == '_';
}

bool is_row(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string("_.@+-").find(c) != std::string::npos;
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
        do {
            all = comparison() && all;
        } while (take("and"));
        end();
        return all;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const { throw ExpressionError(what); }

    void skip() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }

    bool take(const std::string& sign) {
        skip();
        if (text_.compare(at_, sign.size(), sign) != 0) return false;
        at_ += sign.size();
        return true;
    }

    void require(const std::string& sign) {
        if (!take(sign)) fail("expected " + sign + " " + here());
    }

    std::string here() const {
        return at_ < text_.size() ? "before \"" + text_.substr(at_) + "\"" : "at the end";
    }

    void end() {
        skip();
        if (at_ < text_.size()) fail("expected an operator " + here());
    }

    bool comparison() {
        const double left = sum();
        for (const char* sign : {"<=", ">=", "==", "<", ">"}) {
            if (!take(sign)) continue;
            const double right = sum();
            const std::string relation = sign;
            if (relation == "<=") return left <= right;
            if (relation == ">=") return left >= right;
            if (relation == "==") return left == right;
            return relation == "<" ? left < right : left > right;
        }
        fail("expected < <= > >= or == " + here());
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
        skip();
        const std::size_t start = at_;
        if (text_.compare(at_, 4, "cpu.") == 0) at_ += 4;
        while (at_ < text_.size() && is_field(text_[at_])) ++at_;
        const std::string word = text_.substr(start, at_ - start);
        if (at_ < text_.size() && text_[at_] == ':')
            return reference(start, word == "roofs" || word == "run");
        if (word == "min" || word == "max") return extreme(word == "min");
        at_ = start;
        return number();
    }

    double reference(std::size_t start, bool two_parts) {
        ++at_;
        while (at_ < text_.size() && (two_parts ? is_field(text_[at_]) : is_row(text_[at_]))) ++at_;
        if (!two_parts && at_ < text_.size() && text_[at_] == ':') {
            ++at_;
            while (at_ < text_.size() && is_field(text_[at_])) ++at_;
        }
        return lookup_(text_.substr(start, at_ - start));
    }

    double extreme(bool least) {
        require("(");
        double value = sum();
        int count = 1;
        for (; take(","); ++count) {
            const double next = sum();
            value = least ? std::min(value, next) : std::max(value, next);
        }
        require(")");
        if (count < 2) fail("min and max need two values or more");
        return value;
    }

    double number() {
        const std::size_t start = at_;
        while (at_ < text_.size() &&
               (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
            ++at_;
        const std::string digits = text_.substr(start, at_ - start);
        if (digits.empty() || digits.find('.') != digits.rfind('.') || digits == ".")
            fail("expected a number or table:row:field " + here());
        return std::stod(digits);
    }

    const std::string text_;
    const Lookup& lookup_;
    std::size_t at_ = 0;
};

/// The member of a list whose `key` is `name`.
const Json* member_named(const Json* list, const std::string& key, const std::string& name) {
    if (list == nullptr) return nullptr;
    for (const auto& [unused, member] : list->members) {
        if (member.says(key, name)) return &member;
    }
    return nullptr;
}

}  // namespace

double evaluate(const std::string& expression, const Lookup& lookup) {
    const double value = Parser(expression, lookup).whole();
    if (!std::isfinite(value)) throw ExpressionError("has no finite value");
    return value;
}

bool holds(const std::string& condition, const Lookup& lookup) {
    return Parser(condition, lookup).condition();
}

struct Records::Loaded {
    std::string name, complaint;
    Json record;
};

Records::Records(fs::path results) : folder_(std::move(results)) {}

const Records::Loaded& Records::load(const std::string& name) {
    for (const auto& one : loaded_) {
        if (one->name == name) return *one;
    }
    auto one = std::make_shared<Loaded>();
    one->name = name;
    const std::string shown = "results/" + name, text = read_text(folder_ / name);
    try {
        if (!text.empty()) one->record = parse_json(text);
        if (text.empty())
            one->complaint = shown + " does not exist";
        else if (const Json* schema = one->record.find("schema"); schema == nullptr || schema->text != "1")
            one->complaint = shown + " is no record of schema 1";
    } catch (const JsonError& error) {
        one->complaint = shown + " is not JSON: " + error.what();
    }
    loaded_.push_back(one);
    return *one;
}

double Records::value(const std::string& reference) {
    const bool on_cpu = reference.rfind("cpu.", 0) == 0;
    const std::string path = on_cpu ? reference.substr(4) : reference;
    const Loaded& file = load(on_cpu ? "cpu_executor.json" : "h200.json");
    if (!file.complaint.empty()) throw ExpressionError(file.complaint);
    const auto fail = [&](const std::string& what) -> const Json* {
        throw ExpressionError(reference + ": results/" + file.name + " has no " + what);
    };
    const std::size_t colon = path.find(':'), second = path.find(':', colon + 1);
    const std::string table = path.substr(0, colon);
    const Json* value = nullptr;
    if (second == std::string::npos) {
        if (table != "roofs" && table != "run")
            throw ExpressionError(reference + ": a reference is table:row:field, roofs:field or run:field");
        const Json* facts = file.record.find(table);
        value = facts != nullptr ? facts->find(path.substr(colon + 1)) : nullptr;
        if (value == nullptr) fail(path.substr(colon + 1) + " in " + table);
    } else {
        const std::string row = path.substr(colon + 1, second - colon - 1), field = path.substr(second + 1);
        const Json* found = member_named(file.record.find("tables"), "table", table);
        if (found == nullptr) found = fail("table " + table);
        found = member_named(found->find("rows"), "row", row);
        if (found == nullptr) found = fail("row " + row + " in " + table);
        if (const Json* valid = found->find("valid"); valid != nullptr && valid->text == "false")
            throw ExpressionError(reference + ": the row is not valid, so nothing may be quoted from it");
        value = found->find(field);
        if (value == nullptr) fail("field " + field + " in " + table + ":" + row);
    }
    if (!value->is_number()) throw ExpressionError(reference + ": is not a number");
    return value->number();
}

}  // namespace course
