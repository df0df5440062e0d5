// Finds the declarations that a name in a function body can mean, as far as tokens show it.
#include <algorithm>

#include "names.hpp"

namespace kit::translate {
namespace {

bool is_statement_word(std::string_view word) {
    static const Words words = {"return", "else", "case", "goto", "throw",     "new",      "delete", "sizeof",
                                "do",     "and",  "or",   "not",  "co_return", "co_await", "if",     "while"};
    return words.count(word) > 0;
}

/// Returns whether the name at `i` is being declared, as in `T name`, `T* name`, `int a, name` and `[name =
/// 3]`.
bool follows_type(const Stream& stream, const Body& body, int i) {
    if (stream.is_identifier(i - 1)) return !is_statement_word(stream.text(i - 1));
    if (stream.is(i - 1, ">")) return open_angle(stream, i - 1) > body.head;
    if (stream.is(i - 1, "...")) return true;
    if (stream.is(i - 1, "*") || stream.is(i - 1, "&")) {
        int type = i - 1;
        while (stream.is(type, "*") || stream.is(type, "&")) --type;
        if (stream.is(type, ">")) return open_angle(stream, type) > body.head;
        if (!stream.is_identifier(type) || is_statement_word(stream.text(type))) return false;
        if (i < body.open || is_type_word(stream.text(type))) return true;
        return stream.is(type - 1, ";") || stream.is(type - 1, "{") || stream.is(type - 1, "}") ||
               (stream.is_identifier(type - 1) && is_type_word(stream.text(type - 1)));
    }
    if (stream.is(i - 1, "[") || stream.is(i - 1, ",")) {
        int open = i - 1;
        while (open > body.head && !stream.is(open, "[") && !stream.is(open, ";") && !stream.is(open, "("))
            --open;
        if (stream.is(open, "[") &&
            (stream.is(open - 1, "auto") || stream.is(open - 1, "&") || stream.is(i + 1, "=")))
            return true;  // a name in auto [a, b], or a variable that a lambda declares
        const int begin = declaration_begin(stream, i);
        return stream.is(i - 1, ",") && begin < i - 1 && stream.is_identifier(begin) &&
               (is_type_word(stream.text(begin)) || stream.is_identifier(begin + 1));
    }
    return false;
}

/// Returns whether the `{` opens a block; otherwise it opens an initializer, a class or an enumeration.
bool opens_block(const Stream& stream, int open) {
    static const Words before = {")", ";", "}", ":", "else", "do"};
    return stream.is(open - 1, "{") ? opens_block(stream, open - 1) : before.count(stream.text(open - 1)) > 0;
}

/// Returns whether the token is in the body of a lambda.
bool in_a_lambda(const Stream& stream, const Body& body, int index) {
    for (int open = body.open + 1; open < index; ++open) {
        if (!stream.is(open, "{") || stream[open].match < index) continue;
        int i = open - 1;
        while (stream.is_identifier(i) || stream.is(i, "->") || stream.is(i, "::")) --i;
        if (stream.is(i, ")") && stream[i].match > 0) i = stream[i].match - 1;
        if (stream.is(i, "]")) return true;
    }
    return false;
}

/// Returns the first token of the statement that contains the token at `index`, or of its part of the head of an `if`
/// or a loop; -1 if the statement asks for a constant expression here, or if it is in a list or a class.
int expression_begin(const Stream& stream, const Body& body, int index) {
    static const Words heads = {"if", "while", "for", "switch"};
    static const Words constant = {"case",  "constexpr", "static_assert", "enum",
                                   "using", "typedef",   "alignas"};
    int first = index;
    for (int i = index - 1; i > body.open; --i) {
        const std::string_view text = stream.text(i);
        if (stream[i].kind == Kind::directive || text == ";" || (text == "{" && opens_block(stream, i)) ||
            (text == "(" && heads.count(stream.text(i - 1))))
            break;
        if (constant.count(text) || text == "{") return -1;
        if (text == "<" && stream.is_identifier(i - 1) && close_angle(stream, i) > index) return -1;
        const int open = stream[i].match;
        if (open >= 0 && open < i) {
            if (text == "}" && opens_block(stream, open)) break;
            i = open;
        }
        first = i;
    }
    return first;
}

}  // namespace

bool is_read_from_memory(const Stream& stream, const Body& body, int begin) {
    if (in_a_lambda(stream, body, begin)) return false;
    const int first = expression_begin(stream, body, begin);
    if (first < 0) return false;
    static const Words initializers = {"=", "(", "["};
    for (int i = first; i < begin; ++i)
        if (stream.is_identifier(i) && initializers.count(stream.text(i + 1)) &&
            follows_type(stream, body, i))
            return stream.is(i - 1, "&");
    return true;
}

bool declared_in(const Unit& unit, const Body& body, std::string_view name) {
    const Stream& stream = unit.streams[0];
    for (int i = body.head; i < body.close; ++i)
        if (stream.is_identifier(i) && stream.is(i, name) && follows_type(stream, body, i)) return true;
    return false;
}

bool is_parameter_of(const Stream& stream, const Body& body, std::string_view name) {
    int i = body.head;
    while (i < body.open && !(stream.is(i, "(") && !takes_attribute_parentheses(stream.text(i - 1))))
        i = after(stream, i);
    const int close = i < body.open ? stream[i].match : -1;
    for (++i; i < close; ++i)
        if (stream.is_identifier(i) && stream.is(i, name) && (stream.is(i + 1, ",") || i + 1 == close))
            return true;
    return false;
}

bool is_conditional(const Stream& stream, int index) {
    std::vector<bool> open;  // the conditionals around the token; false for the include guard of a header
    for (int i = 0; i < index; ++i) {
        if (stream[i].kind != Kind::directive) continue;
        const std::vector<std::string_view> words = words_of(stream[i].text);
        if (words.empty()) continue;
        if (words[0].substr(0, 2) == "if") {
            const std::vector<std::string_view> next =
                i + 1 < stream.size() && stream[i + 1].kind == Kind::directive
                    ? words_of(stream[i + 1].text)
                    : std::vector<std::string_view>{};
            const bool guard = words[0] == "ifndef" && words.size() > 1 && next.size() > 1 &&
                               next[0] == "define" && next[1] == words[1];
            open.push_back(!guard);
        } else if (words[0] == "endif" && !open.empty()) {
            open.pop_back();
        }
    }
    return std::find(open.begin(), open.end(), true) != open.end();
}

bool in_local_class_for(const Stream& stream, const Body& body, int index) {
    static const Words marks = {"__host__", "__device__", "__global__"};
    return mentions(stream, body.open, index, marks);
}

bool is_template(const Unit& unit, const Body& body) {
    const Stream& stream = unit.streams[0];
    if (mentions(stream, body.head, body.open, {"template"})) return true;
    for (int scope = unit.scope_of[body.head]; scope > 0; scope = unit.scopes[scope].parent)
        if (mentions(stream, unit.scopes[scope].head, unit.scopes[scope].open, {"template"})) return true;
    return false;
}

bool is_unevaluated(const Stream& stream, int index) {
    static const Words words = {"sizeof", "decltype", "noexcept", "alignof", "typeid", "__typeof__"};
    int depth = 0;
    for (int i = index - 1; i >= 0 && !stream.is(i, ";") && !stream.is(i, "{") && !stream.is(i, "}"); --i) {
        if (stream.is(i, ")")) ++depth;
        if (stream.is(i, "(") && --depth < 0) {
            depth = 0;
            if (words.count(stream.text(i - 1))) return true;
        }
        if (i == index - 1 && stream.is(i, "sizeof")) return true;
    }
    return false;
}

bool in_a_macro(const Program& program, std::string_view name) {
    for (const auto& [macro, stream] : program.macros) {
        if (macro == name) return true;
        for (const Token& token : stream->tokens)
            if (token.kind == Kind::identifier && token.text == name) return true;
    }
    return false;
}

std::string written_qualifier(const Stream& stream, int index, int& begin) {
    std::string qualifier;
    begin = index;
    while (stream.is(begin - 1, "::")) {
        --begin;
        if (!stream.is_identifier(begin - 1)) break;
        --begin;
        qualifier = std::string(stream.text(begin)) + (qualifier.empty() ? "" : "::") + qualifier;
    }
    return qualifier;
}

std::vector<const Name*> certain_functions(const Unit& unit, const Body& body, int index) {
    // CUDA's headers also overload these names, so types decide which function is meant.
    static const Words overloaded = {
        "min",   "max",    "abs",    "fabs",   "floor", "ceil",     "round",   "trunc",    "sqrt",
        "rsqrt", "cbrt",   "pow",    "exp",    "exp2",  "log",      "log2",    "log10",    "sin",
        "cos",   "tan",    "asin",   "acos",   "atan",  "sinh",     "cosh",    "tanh",     "fma",
        "fmod",  "hypot",  "erf",    "isnan",  "isinf", "isfinite", "signbit", "copysign", "malloc",
        "free",  "printf", "memcpy", "memset", "clock", "assert",   "swap"};
    const Stream& stream = unit.streams[0];
    const std::string_view name = stream.text(index);
    const auto [first, last] = unit.program.names.equal_range(name);
    if (first == last || overloaded.count(name)) return {};
    const int arguments = after(stream, index + 1) > index + 2 && stream.is(index + 1, "<")
                              ? after(stream, index + 1)
                              : index + 1;
    int begin = 0;
    const std::string qualifier = written_qualifier(stream, index, begin);
    const bool is_call = stream.is(arguments, "(") && stream[arguments].match > 0 &&
                         !stream.is(begin - 1, ".") && !stream.is(begin - 1, "->") &&
                         (!stream.is_identifier(begin - 1) || is_statement_word(stream.text(begin - 1)));
    if (!is_call || declared_in(unit, body, name) || is_conditional(stream, index) ||
        is_unevaluated(stream, index) || in_a_macro(unit.program, name))
        return {};
    std::vector<const Name*> functions;
    for (auto it = first; it != last; ++it) {
        const Name& one = *it->second;
        if (one.kind != Name::Kind::function || is_constructor(one) || one.strange) return {};
        const bool fits = qualifier.empty() || one.path == qualifier ||
                          (one.path.size() > qualifier.size() + 2 &&
                           one.path.compare(one.path.size() - qualifier.size() - 2, std::string::npos,
                                            "::" + qualifier) == 0);
        if (fits) functions.push_back(&one);
    }
    return functions;
}

std::string shown(const Stream& stream, int begin, int end) {
    std::string text = text_of(stream, begin, end);
    constexpr std::size_t longest = 60;
    if (text.size() > longest) text = text.substr(0, longest - 3) + "...";
    return text;
}

}  // namespace kit::translate
