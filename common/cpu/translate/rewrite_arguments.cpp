// Wraps arguments such as `f(points[i])` in device code, if `f` takes a struct by value. The compiler would
// copy the struct directly into the argument, so the checks would not see the load. kit::cpu::passed() makes
// the argument a separate value, whose loads are visible.
//
// An argument is wrapped only if no function with that name takes it by reference. Known functions are those
// that the program declares (names.hpp), and pointers to functions that the body declares. Operators count as
// functions.
// (names.hpp), and pointers to functions declared in the body. Operators count as functions.
#include <algorithm>
#include <optional>

#include "names.hpp"

namespace kit::translate {
namespace {

/// How functions with the same name take one of their arguments.
struct Taken {
    bool as_struct = false;  ///< whether a function takes the argument by value, with a type that has a name
    bool by_reference = false;  ///< whether a function takes the argument by reference

    void add(const Stream& stream, int begin, int end) {
        bool is_pointer = false, has_name = false;
        for (int i = begin; i < end && !stream.is(i, "="); i = after(stream, i)) {
            by_reference |= stream.is(i, "&") || stream.is(i, "&&") || stream.is(i, "...") ||
                            stream[i].kind == Kind::directive ||
                            (stream.is(i, "(") && (stream.is(i + 1, "&") || stream.is(i + 1, "&&")));
            is_pointer |= stream.is(i, "*") || stream.is(i, "(") || stream.is(i, "[");
            has_name |= i == begin || stream.is(i - 1, "const") || stream.is(i - 1, "struct") ||
                                stream.is(i - 1, "typename")
                            ? is_type_name(stream, i)
                            : false;
        }
        as_struct |= has_name && !is_pointer;
    }

    static bool is_type_name(const Stream& stream, int i) {
        const std::string_view word = stream.text(i);
        // A type such as uint32_t.
        const bool number = word.size() > 2 && word.substr(word.size() - 2) == "_t";
        return stream.is_identifier(i) && !is_type_word(word) && !number;
    }
};

/// Returns the parameters in the parentheses that open at `open`, as ranges [begin, end) of tokens.
std::vector<std::pair<int, int>> parts(const Stream& stream, int open) {
    std::vector<std::pair<int, int>> all;
    int begin = open + 1;
    const int close = stream[open].match;
    std::vector<int> ends = top_level_commas(stream, begin, close);
    ends.push_back(close);
    for (const int end : ends) {
        if (begin < end) all.emplace_back(begin, end);
        begin = end + 1;
    }
    return all;
}

int parameters_of(const Name& name) {
    const Stream& stream = name.unit->streams[0];
    int open = name.token + 1;
    while (open < stream.size() && !stream.is(open, "(")) ++open;
    if (name.name == "operator()") open += 2;
    return open < stream.size() && stream[open].match > open ? open : -1;
}

class Rewriter {
  public:
    Rewriter(Unit& unit, const Body& body) : unit_(unit), stream_(unit.streams[0]), body_(body) {}

    void run() {
        for (int i = body_.open + 1; i < body_.close; ++i) {
            if (stream_.is(i, "(") && stream_[i].match > i) call(i);
            if (is_binary_operator(i)) {
                operand_before(i);
                operand_behind(i);
            }
        }
    }

  private:
    std::string_view text(int i) const { return stream_.text(i); }

    /// Returns how functions with this name and this number of arguments take the argument; nothing if the
    /// program declares none.
    std::optional<Taken> taken(std::string_view name, int argument, int arguments, bool is_operator) const {
        const auto [first, last] = unit_.program.names.equal_range(name);
        if (first == last) return {};
        Taken result;
        for (auto it = first; it != last; ++it) {
            const Name& one = *it->second;
            if (one.kind != Name::Kind::function) return {};
            const int open = parameters_of(one);
            if (open < 0) return {};
            const Stream& stream = one.unit->streams[0];
            const auto parameters = parts(stream, open);
            // The first operand of a member operator is its object and not an argument.
            const int operand = argument - (is_operator && one.member);
            const auto count = static_cast<int>(parameters.size()) + (is_operator && one.member);
            if (is_operator && count != arguments) continue;
            if (operand < 0) {
                result.by_reference = true;
            } else if (operand < static_cast<int>(parameters.size())) {
                const auto [begin, end] = parameters[static_cast<std::size_t>(operand)];
                result.add(stream, begin, end);
            }
        }
        return result;
    }

    /// Returns the same for a pointer to a function that the body declares, such as `float
    /// (*function)(Point)`.
    std::optional<Taken> taken_behind_pointer(std::string_view name, int argument) const {
        for (int i = body_.head; i < body_.close; ++i) {
            if (!stream_.is(i, "(") || !stream_.is(i + 1, "*") || !stream_.is(i + 2, name)) continue;
            if (!stream_.is(i + 3, ")") || !stream_.is(i + 4, "(") || stream_[i + 4].match < 0) continue;
            const auto parameters = parts(stream_, i + 4);
            if (argument >= static_cast<int>(parameters.size())) continue;
            Taken result;
            const auto [begin, end] = parameters[static_cast<std::size_t>(argument)];
            result.add(stream_, begin, end);
            return result;
        }
        return {};
    }

    /// Returns whether the name is a variable. A name can also be that of a constant, or of functions, which
    /// only its use shows.
    bool names_variable(int i) const {
        const auto [first, last] = unit_.program.names.equal_range(text(i));
        const auto is_function = [](const auto& it) { return it.second->kind == Name::Kind::function; };
        if (std::any_of(first, last, is_function)) return false;
        return first != last || declared_in(unit_, body_, text(i));
    }

    /// Returns whether [begin, end) can be an object in memory, which a copy would load.
    bool may_lie_in_memory(int begin, int end) const {
        static const Words built_in = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
        for (int i = begin; i < end; ++i)
            if (stream_.is(i, "{") || stream_[i].kind == Kind::directive) return false;
        // The brackets begin a lambda.
        if (stream_.is(begin, "[") || built_in.count(text(begin))) return false;
        bool only_a_name = true;
        for (int i = begin; i < end; ++i) only_a_name &= stream_.is_identifier(i) || stream_.is(i, "::");
        if (only_a_name) return names_variable(end - 1);
        return stream_.is(end - 1, "]") || stream_.is(end - 1, ")") || stream_.is_identifier(end - 1);
    }

    void wrap(int begin, int end) {
        unit_.edits.insert(stream_[begin].offset, "::kit::cpu::passed(");
        unit_.edits.insert(stream_[end - 1].end(), ")");
    }

    void call(int open) {
        int name = open - 1;
        if (stream_.is(name, ">")) {  // the end of a list of template arguments
            const int angle = open_angle(stream_, name);
            if (angle < 1) return;
            for (int i = angle; i < open; ++i)
                if (stream_.is(i, "&") || stream_.is(i, "&&")) return;
            name = angle - 1;
        }
        if (!stream_.is_identifier(name) || is_unevaluated(stream_, open + 1)) return;
        if (!unit_.program.names.count(text(name)) && stream_.is_identifier(name - 1))
            --name;  // a declaration such as Pair pair(a, b)
        const bool local = declared_in(unit_, body_, text(name));
        const auto arguments = parts(stream_, open);
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            const auto [begin, end] = arguments[k];
            if (!may_lie_in_memory(begin, end)) continue;
            const auto argument = static_cast<int>(k);
            std::optional<Taken> how = taken_behind_pointer(text(name), argument);
            if (!how && !local) how = taken(text(name), argument, 0, false);
            if (how && how->as_struct && !how->by_reference) wrap(begin, end);
        }
    }

    /// Returns the precedence of a binary operator; 0 for every other word.
    static int rank(std::string_view word) {
        static const std::vector<std::pair<int, Words>> ranks = {
            {10, {"*", "/", "%"}},
            {9, {"+", "-"}},
            {8, {"<<"}},
            {7, {"<", ">", "<=", ">="}},
            {6, {"==", "!="}},
            {5, {"&"}},
            {4, {"^"}},
            {3, {"|"}},
            {2, {"&&"}},
            {2, {"||"}},
            {1, {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="}}};
        for (const auto& [binds, words] : ranks)
            if (words.count(word)) return binds;
        return 0;
    }

    bool is_value_end(int i) const {
        static const Words no_values = {"return", "case", "else", "throw", "do", "goto", "co_return"};
        return (stream_.is_identifier(i) && !no_values.count(text(i))) || stream_.is(i, "]") ||
               stream_.is(i, ")") || (i >= 0 && stream_[i].kind == Kind::number);
    }

    bool is_binary_operator(int i) const {
        if (stream_[i].kind != Kind::punctuation || !rank(text(i)) || stream_.is(i, "=")) return false;
        if (!unit_.program.names.count("operator" + std::string(text(i))) || !is_value_end(i - 1))
            return false;
        return !stream_.is(i - 1, "operator") && !is_unevaluated(stream_, i);
    }

    void wrap_operand(int op, int argument, int begin, int end) {
        if (!may_lie_in_memory(begin, end)) return;
        const auto how = taken("operator" + std::string(text(op)), argument, 2, true);
        if (how && how->as_struct && !how->by_reference) wrap(begin, end);
    }

    /// Wraps the operand before the operator at `op` if it is `a[i]`, `a.b` or `a->b`. A single name is left
    /// alone, because it can be a type.
    void operand_before(int op) {
        int begin = op - 1;
        bool has_path = false;
        for (;;) {
            while (stream_.is(begin, "]") && stream_[begin].match >= 0) {
                begin = stream_[begin].match - 1;
                has_path = true;
            }
            if (!stream_.is_identifier(begin)) return;
            if (!stream_.is(begin - 1, ".") && !stream_.is(begin - 1, "->")) break;
            has_path = true;
            begin -= 2;
        }
        if (!has_path || begin <= body_.open) return;
        // The operand is the name in a declaration.
        if (stream_.is_identifier(begin - 1) && !stream_.is(begin - 1, "return")) return;
        const bool unary =
            !stream_.is(begin - 1, "(") && !stream_.is(begin - 1, ",") && !stream_.is(begin - 1, "=") &&
            !stream_.is(begin - 1, "?") && !stream_.is(begin - 1, ":") && !stream_.is(begin - 1, ";") &&
            !stream_.is(begin - 1, "{") && !stream_.is(begin - 1, "}") && !stream_.is(begin - 1, "[") &&
            !stream_.is(begin - 1, "return") && !(rank(text(begin - 1)) && is_value_end(begin - 2));
        // The previous operator can bind the operand more strongly, as in a * b[i] + c. The operand is then
        // wrapped for that operator.
        if (unary || rank(text(begin - 1)) >= rank(text(op))) return;
        wrap_operand(op, 0, begin, op);
    }

    void operand_behind(int op) {
        const int begin = op + 1;
        if (!stream_.is_identifier(begin)) return;
        int end = begin + 1;
        for (;;) {
            if (stream_.is(end, "[") && stream_[end].match > end)
                end = stream_[end].match + 1;
            else if ((stream_.is(end, ".") || stream_.is(end, "->")) && stream_.is_identifier(end + 1))
                end += 2;
            else
                break;
        }
        if (end == begin + 1) return;
        if (stream_.is(end, "(") || stream_.is(end, "++") || stream_.is(end, "--") || stream_.is(end, "::"))
            return;
        const int next = rank(text(end));
        if (next > rank(text(op)) || (next == 1 && rank(text(op)) == 1)) return;
        if (is_declaration(op)) return;
        wrap_operand(op, 1, begin, end);
    }

    /// Returns whether the operator at `op` is part of a declaration, such as `Vector * list[4];`.
    bool is_declaration(int op) const {
        if (!stream_.is(op, "*") && !stream_.is(op, "&")) return false;
        int begin = op - 1;
        if (stream_.is(begin, ">")) return true;
        while (stream_.is(begin - 1, "::")) begin -= 2;
        return stream_.is_identifier(begin) &&
               (stream_.is(begin - 1, ";") || stream_.is(begin - 1, "{") || stream_.is(begin - 1, "}") ||
                stream_.is(begin - 1, "(") || stream_.is(begin - 1, ",") || stream_.is_identifier(begin - 1));
    }

    Unit& unit_;
    const Stream& stream_;
    const Body& body_;
};

}  // namespace

void rewrite_arguments(Unit& unit) {
    int done = -1;  // end of the last body that was processed, because a body can contain the body of a
                    // lambda
    for (const Body& body : function_bodies(unit)) {
        if (!body.device || body.open < done) continue;
        Rewriter(unit, body).run();
        done = body.close;
    }
}

}  // namespace kit::translate
