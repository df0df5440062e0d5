// Reads the declarations of a file, one after the other, from the `;`, `{` or `}` that ends one to that which ends the next.
#include "names.hpp"

#include <algorithm>

namespace kit::translate {
namespace {

using Words = std::set<std::string_view>;

bool mentions(const Stream& stream, int begin, int end, const Words& words) {
    for (int i = begin; i < end; ++i)
        if (stream.is_identifier(i) && words.count(stream.text(i))) return true;
    return false;
}

/// The words that make a declaration one for the device and so on, with the macros that stand for them.
struct Marks {
    explicit Marks(const Program& program)
        : device(with_marks(program, {"__device__"})),
          host(with_marks(program, {"__host__"})),
          kernel(with_marks(program, {"__global__"})),
          constant(with_marks(program, {"__constant__"})),
          managed(with_marks(program, {"__managed__"})),
          shared(with_marks(program, {"__shared__"})) {}
    Words device, host, kernel, constant, managed, shared;
};

bool is_type_word(std::string_view word) {
    static const Words words = {"int",      "unsigned", "signed", "long",   "short",    "char",
                                "void",     "auto",     "float",  "double", "bool",     "const",
                                "volatile", "wchar_t",  "size_t", "class",  "typename", "struct"};
    return words.count(word) > 0;
}

class Reader {
  public:
    Reader(Unit& unit, const Marks& marks) : unit_(unit), file_(unit.streams[0]), marks_(marks) {
        for (std::size_t i = 1; i < unit.scopes.size(); ++i) {
            const int open = unit.scopes[i].open;
            if (open >= 0) opened_.emplace_back(open, static_cast<int>(i));
        }
    }

    void run() {
        int begin = 0;
        for (int i = 0; i < file_.size();) {
            const Token& token = file_[i];
            if (token.kind == Kind::directive || token.is("}") || (token.is(":") && is_access(i))) {
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

    /// The parenthesis of the parameters, or -1: this declares no function. `name` is set to the first token of its name.
    int parameters(int begin, int end, int& name) const {
        for (int i = begin; i < end; i = after(file_, i)) {
            if (file_.is(i, "operator")) {
                name = i;
                int open = i + 1;
                while (open < end && !file_.is(open, "(")) ++open;
                if (open == i + 1 && file_.is(open + 1, ")")) open += 2;  // operator()
                return open < end && file_[open].match > 0 ? open : -1;
            }
            if (file_.is(i, "=") || file_.is(i, "[")) {
                if (file_.is(i, "[") && file_.is(i + 1, "[")) continue;  // an attribute
                return -1;
            }
            if (!file_.is(i, "(") || file_[i].match < 0) continue;
            if (!file_.is_identifier(i - 1) && !file_.is(i - 1, ">")) return -1;
            if (is_type_word(file_.text(i - 1))) return -1;  // void (*pointer)()
            if (takes_attribute_parentheses(file_.text(i - 1))) continue;
            // MACRO(256) name(parameters)
            if (unit_.program.macros.count(file_.text(i - 1)) && file_.is_identifier(file_[i].match + 1))
                continue;
            if (file_.is(i - 1, ">")) return -1;  // of a specialization
            const bool value = file_[i + 1].kind == Kind::number || file_[i + 1].kind == Kind::string;
            name = i - 1;
            return value ? -1 : i;
        }
        return -1;
    }

    void declaration(int begin, int end, int stop) {
        while (begin < end && file_.is(begin, "template") && file_.is(begin + 1, "<")) {
            const int close = close_angle(file_, begin + 1);
            if (close < 0) return;
            begin = close + 1;
        }
        if (file_.is(begin, "extern") && begin + 1 < end && file_[begin + 1].kind == Kind::string) begin += 2;
        static const Words others = {"using",    "typedef", "static_assert", "namespace",
                                     "template", "enum",    "friend"};
        if (begin >= end || others.count(file_.text(begin))) return;
        int name = -1;
        const int open = parameters(begin, end, name);
        if (open >= 0) {
            function(begin, end, open, name);
        } else if (file_.is(stop, ";")) {
            variables(begin, end);
        }
    }

    /// `MY_INLINE float f()`, `__devcie__ int f()`
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
        // A directive inside, or a name that a macro's call gives: not what it seems.
        for (int i = begin; i < open; ++i)
            if (file_[i].kind == Kind::directive) return;
        unit_.program.names.emplace(name.name, std::make_shared<const Name>(name));
    }

    void variables(int begin, int end) {
        bool is_constant = false;
        for (int i = begin; i < end && !file_.is(i, "="); ++i) {
            if (file_.is(i, "const") || file_.is(i, "constexpr")) is_constant = true;
            if (file_.is(i, "*") || file_.is(i, "&"))  // a pointer to constants changes
                is_constant = file_.is(i + 1, "const") || file_.is(begin, "constexpr");
        }
        std::vector<int> ends = top_level_commas(file_, begin, end);
        ends.push_back(end);
        int first = begin;
        for (const int stop : ends) {
            int token = -1;
            bool array = false;
            for (int i = first; i < stop && !file_.is(i, "=") && !file_.is(i, "{"); i = after(file_, i)) {
                array |= file_.is(i, "[") && token >= 0 && !file_.is(i + 1, "[");
                if (array || file_.is(i, ":")) break;
                if (file_.is_identifier(i)) token = i;
            }
            first = stop + 1;
            static const Words behind = {"=", "{", "[", "(", ":", ",", ";"};
            static const Words keys = {"class", "struct", "union"};
            if (token < 0 || (token == begin && ends.size() == 1) || !behind.count(file_.text(token + 1)) ||
                is_type_word(file_.text(token)))
                continue;
            if (token == begin + 1 && keys.count(file_.text(begin))) continue;  // class T;
            Name name = named(Name::Kind::variable, begin, stop, token);
            name.name = file_.text(token);
            name.constant = is_constant;
            name.array = array;
            name.member |= file_.is(token - 1, "::");
            name.in_constant_memory = mentions(file_, begin, stop, marks_.constant);
            name.managed = mentions(file_, begin, stop, marks_.managed);
            name.shared = mentions(file_, begin, stop, marks_.shared);
            name.device |= name.in_constant_memory || name.managed || name.shared;
            unit_.program.names.emplace(name.name, std::make_shared<const Name>(name));
        }
    }

    Unit& unit_;
    const Stream& file_;
    const Marks& marks_;
    std::vector<std::pair<int, int>> opened_;
};

bool is_statement_word(std::string_view word) {
    static const Words words = {"return", "else", "case", "goto", "throw",     "new",      "delete", "sizeof",
                                "do",     "and",  "or",   "not",  "co_return", "co_await", "if",     "while"};
    return words.count(word) > 0;
}

/// True when the name at `i` follows a type, as in `T name`, `T* name`, `int a, name` and `[name = 3]`.
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
            return true;  // auto [a, b], or a lambda's own variable
        const int begin = declaration_begin(stream, i);
        return stream.is(i - 1, ",") && begin < i - 1 && stream.is_identifier(begin) &&
               (is_type_word(stream.text(begin)) || stream.is_identifier(begin + 1));
    }
    return false;
}

}  // namespace

bool is_constructor(const Name& name) {
    const std::size_t colons = name.path.rfind("::");
    return name.member && name.name == name.path.substr(colons == std::string::npos ? 0 : colons + 2);
}

void collect_names(Program& program) {
    const Marks marks(program);
    for (Unit& unit : program.units) Reader(unit, marks).run();
}

bool declared_in(const Unit& unit, const Body& body, std::string_view name) {
    const Stream& stream = unit.streams[0];
    for (int i = body.head; i < body.close; ++i)
        if (stream.is_identifier(i) && stream.is(i, name) && follows_type(stream, body, i)) return true;
    return false;
}

bool is_parameter_of(const Stream& stream, const Body& body, std::string_view name) {
    int i = body.head;
    while (i < body.open && !stream.is(i, "(")) i = stream.is(i, "<") ? after(stream, i) : i + 1;
    const int close = i < body.open ? stream[i].match : -1;
    for (++i; i < close; ++i)
        if (stream.is_identifier(i) && stream.is(i, name) && (stream.is(i + 1, ",") || i + 1 == close))
            return true;
    return false;
}

bool is_conditional(const Stream& stream, const Body& body, int index) {
    int depth = 0;
    for (int i = body.open; i < index; ++i) {
        if (stream[i].kind != Kind::directive) continue;
        const std::string_view name = directive_name(stream[i]);
        depth += name.substr(0, 2) == "if";
        depth -= name == "endif";
    }
    return depth > 0;
}

bool in_local_class_for(const Stream& stream, const Body& body, int index) {
    static const Words marks = {"__host__", "__device__", "__global__"};
    return mentions(stream, body.open, index, marks);
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
    // Names that CUDA's headers overload, too: which one is meant depends on the types.
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
    if (!is_call || declared_in(unit, body, name) || is_conditional(stream, body, index) ||
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
