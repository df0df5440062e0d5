// Reads the declarations of a file in order. A declaration ends at a `;`, `{` or `}`, where the next one
// begins.
#include "names.hpp"

#include <algorithm>

namespace kit::translate {

bool mentions(const Stream& stream, int begin, int end, const Words& words) {
    for (int i = begin; i < end; ++i)
        if (stream.is_identifier(i) && words.count(stream.text(i))) return true;
    return false;
}

namespace {

/// The words that mark functions and variables for the device or the host, and the macros that stand for
/// them.
struct MarkedWords {
    explicit MarkedWords(const Program& program)
        : device(with_marks(program, {"__device__"})),
          host(with_marks(program, {"__host__"})),
          kernel(with_marks(program, {"__global__"})),
          constant(with_marks(program, {"__constant__"})),
          managed(with_marks(program, {"__managed__"})),
          shared(with_marks(program, {"__shared__"})) {}
    Words device, host, kernel, constant, managed, shared;
};

class Reader {
  public:
    Reader(Unit& unit, const MarkedWords& marks) : unit_(unit), file_(unit.streams[0]), marks_(marks) {
        for (std::size_t i = 1; i < unit.scopes.size(); ++i) {
            const int open = unit.scopes[i].open;
            if (open >= 0) opened_.emplace_back(open, static_cast<int>(i));
        }
    }

    void run() {
        int begin = 0;
        for (int i = 0; i < file_.size();) {
            const Token& token = file_[i];
            if (token.is("}") || (token.is(":") && is_access(i))) {
                begin = ++i;
            } else if (token.is(";")) {
                declaration(begin, i, i);
                begin = ++i;
            } else if (token.is("{") && token.match > i) {
                const Scope::Kind kind = scope_opened_at(i);
                const bool enters = kind == Scope::Kind::space || kind == Scope::Kind::type;
                if (kind == Scope::Kind::function) declaration(begin, i, i);
                i = enters ? i + 1 : token.match + 1;
                if (kind != Scope::Kind::other) begin = i;
            } else if (token.is("template") && file_.is(i + 1, "<")) {
                const int close = close_angle(file_, i + 1);
                i = std::max(close, i + 1) + 1;
            } else {
                i = token.match > i ? token.match + 1 : i + 1;
            }
        }
    }

  private:
    bool is_access(int i) const {
        return file_.is(i - 1, "public") || file_.is(i - 1, "private") || file_.is(i - 1, "protected");
    }

    Scope::Kind scope_opened_at(int open) const {
        const auto found = std::lower_bound(opened_.begin(), opened_.end(), std::pair(open, 0));
        return found != opened_.end() && found->first == open ? unit_.scopes[found->second].kind
                                                              : Scope::Kind::other;
    }

    /// Returns the parenthesis of a function's parameters; -1 if this declares no function. Sets `name` to
    /// the first token of the function's name.
    int parameters(int begin, int end, int& name) const {
        for (int i = begin; i < end; i = after(file_, i)) {
            if (file_.is(i, "operator")) {
                name = i;
                int open = i + 1;
                while (open < end && !file_.is(open, "(")) ++open;
                // The parentheses belong to the name operator().
                if (open == i + 1 && file_.is(open + 1, ")")) open += 2;
                return open < end && file_[open].match > 0 ? open : -1;
            }
            if (file_.is(i, "=") || file_.is(i, "[")) {
                // The brackets belong to an attribute [[...]].
                if (file_.is(i, "[") && file_.is(i + 1, "[")) continue;
                return -1;
            }
            if (!file_.is(i, "(") || file_[i].match < 0) continue;
            if (!file_.is_identifier(i - 1) && !file_.is(i - 1, ">")) return -1;
            if (is_type_word(file_.text(i - 1))) return -1;  // a pointer such as void (*pointer)()
            if (takes_attribute_parentheses(file_.text(i - 1))) continue;
            // The form MACRO(256) name(parameters).
            if (unit_.program.macros.count(file_.text(i - 1)) && file_.is_identifier(file_[i].match + 1))
                continue;
            if (file_.is(i - 1, ">")) return -1;  // the name belongs to a specialization
            const bool value = file_[i + 1].kind == Kind::number || file_[i + 1].kind == Kind::string;
            name = i - 1;
            return value ? -1 : i;
        }
        return -1;
    }

    bool holds_directive(int begin, int end) const {
        for (int i = begin; i < end; ++i)
            if (file_[i].kind == Kind::directive) return true;
        return false;
    }

    void declaration(int begin, int end, int stop) {
        while (begin < end && file_[begin].kind == Kind::directive) ++begin;
        while (begin < end && file_.is(begin, "template") && file_.is(begin + 1, "<")) {
            const int close = close_angle(file_, begin + 1);
            if (close < 0) return;
            begin = close + 1;
        }
        if (file_.is(begin, "extern") && begin + 1 < end && file_[begin + 1].kind == Kind::string) begin += 2;
        static const Words others = {"using",    "typedef", "static_assert", "namespace",
                                     "template", "enum",    "friend"};
        if (begin >= end || others.count(file_.text(begin))) return;
        // Either this follows a macro's call, or the braces of an #if were miscounted and it is a statement
        // in a function.
        if (mentions(file_, begin, end, {"namespace", "using", "typedef"})) return;
        static const Words statements = {"if", "for", "while", "switch", "return", "do", "else"};
        for (int i = begin; i < end; ++i)
            if (statements.count(file_.text(i)) && unit_.scope(file_, i).kind != Scope::Kind::function)
                unit_.program.miscounted = true;
        int name = -1;
        const int open = parameters(begin, end, name);
        if (open >= 0) {
            function(begin, end, open, name);
        } else if (file_.is(stop, ";")) {
            variables(begin, end);
        }
    }

    /// Returns whether the function has an unknown word before it, as in `MY_INLINE float f()` or `__devcie__
    /// int f()`.
    bool is_strange(int i) const {
        static const Words known = {"__device__",       "__host__",   "__global__",       "__forceinline__",
                                    "__noinline__",     "__inline__", "__restrict__",     "__launch_bounds__",
                                    "__attribute__",    "__align__",  "__cluster_dims__", "__maxnreg__",
                                    "__grid_constant__"};
        const std::string_view word = file_.text(i);
        if (!file_.is_identifier(i) || known.count(word) || unit_.program.macros.count(word)) return false;
        const bool capitals = word.size() > 2 && std::none_of(word.begin(), word.end(),
                                                              [](char c) { return c >= 'a' && c <= 'z'; });
        return word.substr(0, 2) == "__" || (capitals && file_.is_identifier(i + 1));
    }

    Name named(Name::Kind kind, int begin, int end, int token) const {
        Name name;
        name.kind = kind;
        name.unit = &unit_;
        name.token = token;
        name.attribute = begin;
        const Scope& scope = unit_.scope(file_, token);
        name.path = scope.path;
        name.member = scope.kind == Scope::Kind::type;
        name.device = mentions(file_, begin, end, marks_.device);
        name.host = mentions(file_, begin, end, marks_.host);
        name.kernel = mentions(file_, begin, end, marks_.kernel);
        name.is_constexpr = mentions(file_, begin, end, {"constexpr"});
        name.is_static = mentions(file_, begin, end, {"static"});
        return name;
    }

    void function(int begin, int end, int open, int token) {
        Name name = named(Name::Kind::function, begin, end, token);
        if (file_.is(token, "operator")) {
            for (int i = token; i < open; ++i) name.name += file_.text(i);
        } else {
            name.name = (file_.is(token - 1, "~") ? "~" : "") + std::string(file_.text(token));
        }
        if (!name.device && !name.kernel) name.host = true;
        int first = token - file_.is(token - 1, "~");
        std::string qualifier;
        for (; file_.is(first - 1, "::") && file_.is_identifier(first - 2); first -= 2)
            qualifier = std::string(file_.text(first - 2)) + (qualifier.empty() ? "" : "::") + qualifier;
        if (!qualifier.empty()) name.path += (name.path.empty() ? "" : "::") + qualifier;
        name.signature = signature_of(file_, open);
        for (int i = file_[open].match; i < end; ++i)
            name.implicit |= file_.is(i, "default") || file_.is(i, "delete");
        for (int i = begin; i < token; ++i) name.strange |= is_strange(i);
        name.strange |= holds_directive(begin, open) || is_conditional(file_, begin);
        unit_.program.names.emplace(name.name, std::make_shared<const Name>(name));
    }

    void variables(int begin, int end) {
        bool is_constant = false;
        for (int i = begin; i < end && !file_.is(i, "="); ++i) {
            if (file_.is(i, "const") || file_.is(i, "constexpr")) is_constant = true;
            if (file_.is(i, "*") || file_.is(i, "&"))  // a pointer to constants is not constant itself
                is_constant = file_.is(i + 1, "const") || file_.is(begin, "constexpr");
        }
        std::vector<int> ends = top_level_commas(file_, begin, end);
        ends.push_back(end);
        int first = begin;
        for (const int stop : ends) {
            int token = -1;
            int dimensions = 0;
            for (int i = first; i < stop && !file_.is(i, "=") && !file_.is(i, "{"); i = after(file_, i)) {
                const bool bound = file_.is(i, "[") && token >= 0 && !file_.is(i + 1, "[");
                dimensions += bound;
                if (file_.is(i, ":")) break;
                if (file_.is_identifier(i)) token = i;
            }
            first = stop + 1;
            static const Words behind = {"=", "{", "[", "(", ":", ",", ";"};
            static const Words keys = {"class", "struct", "union"};
            if (token < 0 || (token == begin && ends.size() == 1) || !behind.count(file_.text(token + 1)) ||
                is_type_word(file_.text(token)))
                continue;
            // A forward declaration such as `class T;`.
            if (token == begin + 1 && keys.count(file_.text(begin))) continue;
            Name name = named(Name::Kind::variable, begin, stop, token);
            name.name = file_.text(token);
            name.constant = is_constant;
            name.dimensions = dimensions;
            name.member |= file_.is(token - 1, "::");
            name.in_constant_memory = mentions(file_, begin, stop, marks_.constant);
            // The kind of a function under an #if is uncertain, and so are kinds that only old versions of
            // CUDA have.
            name.strange = holds_directive(begin, stop) || is_conditional(file_, begin) ||
                           mentions(file_, begin, stop, {"texture", "surface"});
            name.managed = mentions(file_, begin, stop, marks_.managed);
            name.shared = mentions(file_, begin, stop, marks_.shared);
            name.device |= name.in_constant_memory || name.managed || name.shared;
            unit_.program.names.emplace(name.name, std::make_shared<const Name>(name));
        }
    }

    Unit& unit_;
    const Stream& file_;
    const MarkedWords& marks_;
    std::vector<std::pair<int, int>> opened_;
};

}  // namespace

bool is_type_word(std::string_view word) {
    static const Words words = {"int",      "unsigned", "signed", "long",   "short",    "char",
                                "void",     "auto",     "float",  "double", "bool",     "const",
                                "volatile", "wchar_t",  "size_t", "class",  "typename", "struct"};
    return words.count(word) > 0;
}

bool is_constructor(const Name& name) {
    const std::size_t colons = name.path.rfind("::");
    return name.member && name.name == name.path.substr(colons == std::string::npos ? 0 : colons + 2);
}

namespace {

/// Returns the name of a file without its folders: "b.h" for "a/b.h" and for `#include "a/b.h"`.
std::string file_name(std::string_view text) {
    while (!text.empty() && (text.back() == '"' || text.back() == '>' || text.back() == ' '))
        text.remove_suffix(1);
    return std::string(text.substr(text.find_last_of("/\"<") + 1));
}

}  // namespace

void collect_names(Program& program) {
    const MarkedWords marks(program);
    // If a file is included inside a function, its declarations are local to that function.
    std::set<std::string> local;
    for (const Unit& unit : program.units)
        for (int i = 0; i < unit.streams[0].size(); ++i)
            if (directive_name(unit.streams[0][i]) == "include" && unit.in_function(unit.streams[0], i))
                local.insert(file_name(unit.streams[0].text(i)));
    for (Unit& unit : program.units)
        if (!local.count(file_name(unit.path))) Reader(unit, marks).run();
}

}  // namespace kit::translate
