// Evaluates conditions of the preprocessor. The only name whose value is known is __CUDA_ARCH__.
#include "conditions.hpp"

#include <cctype>
#include <string>

#include "tokens.hpp"

namespace kit::translate {
namespace {

using Value = std::optional<long long>;

/// Returns the precedence of an operator; stronger operators have larger numbers.
int strength(std::string_view text) {
    constexpr std::string_view levels[] = {"||", "&&", "== !=", "< > <= >=", "+ -", "* / %"};
    int level = 1;
    for (const std::string_view operators : levels) {
        for (std::size_t at = operators.find(text); !text.empty() && at != std::string_view::npos;
             at = operators.find(text, at + 1)) {
            const std::size_t end = at + text.size();
            if ((at == 0 || operators[at - 1] == ' ') && (end == operators.size() || operators[end] == ' '))
                return level;
        }
        ++level;
    }
    return 0;
}

Value apply(std::string_view text, Value a, Value b) {
    if (text == "&&" && ((a && !*a) || (b && !*b))) return 0;
    if (text == "||" && ((a && *a) || (b && *b))) return 1;
    if (!a || !b) return std::nullopt;
    if (text == "||") return *a || *b;
    if (text == "&&") return *a && *b;
    if (text == "==") return *a == *b;
    if (text == "!=") return *a != *b;
    if (text == "<") return *a < *b;
    if (text == ">") return *a > *b;
    if (text == "<=") return *a <= *b;
    if (text == ">=") return *a >= *b;
    if (text == "+") return *a + *b;
    if (text == "-") return *a - *b;
    if (text == "*") return *a * *b;
    if (*b == 0) return std::nullopt;
    return text == "/" ? *a / *b : *a % *b;
}

class Expression {
  public:
    Expression(const Stream& stream, int architecture) : stream_(stream), architecture_(architecture) {}

    Value binary(int least) {
        Value value = unary();
        while (strength(stream_.text(at_)) >= least) {
            const std::string_view text = stream_.text(at_++);
            value = apply(text, value, binary(strength(text) + 1));
        }
        return value;
    }

  private:
    Value unary() {
        const std::string_view text = stream_.text(at_++);
        if (text == "!") {
            const Value value = unary();
            return value ? Value(!*value) : value;
        }
        if (text == "-") {
            const Value value = unary();
            return value ? Value(-*value) : value;
        }
        if (text == "(") {
            const Value value = binary(1);
            ++at_;
            return value;
        }
        if (text == "defined") {
            const bool parenthesis = stream_.is(at_, "(");
            const std::string_view name = stream_.text(at_ + parenthesis);
            at_ += parenthesis ? 3 : 1;
            return name == "__CUDA_ARCH__" ? Value(architecture_ != 0) : std::nullopt;
        }
        if (text == "__CUDA_ARCH__") return architecture_;
        if (stream_.is(at_, "("))
            // Skips the arguments of a macro's call.
            at_ = stream_[at_].match > at_ ? stream_[at_].match + 1 : at_ + 1;
        if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0]))) return std::nullopt;
        return std::stoll(std::string(text.substr(0, 18)), nullptr, 0);
    }

    const Stream& stream_;
    int architecture_;
    int at_ = 0;
};

}  // namespace

std::optional<long long> condition_value(std::string_view directive, int architecture) {
    std::size_t at = directive.find_first_not_of("# \t");
    if (at == std::string_view::npos) return std::nullopt;
    std::size_t end = at;
    while (end < directive.size() && std::isalpha(static_cast<unsigned char>(directive[end]))) ++end;
    const std::string_view name = directive.substr(at, end - at);
    const std::vector<Stream> streams = tokenize(directive.substr(end));
    if (name == "ifdef" || name == "ifndef") {
        if (!streams[0].is(0, "__CUDA_ARCH__")) return std::nullopt;
        return (architecture != 0) == (name == "ifdef");
    }
    return Expression(streams[0], architecture).binary(1);
}

}  // namespace kit::translate
