// Rewrites kernel<<<grid, block, ...>>>(args) to ::kit::cpu::launch("kernel", kernel, grid, block,
// ...)(args).
//
// The inserted text is on the line of the kernel's first token. A default argument of launch() is
// __builtin_LINE(), for which GCC returns the line of that token, even if the launch covers several lines.
#include <algorithm>
#include <set>

#include "names.hpp"
#include "unit.hpp"

namespace kit::translate {
namespace {

bool is_keyword(std::string_view word) {
    static const std::set<std::string_view> keywords = {
        "return", "else",   "do",  "case", "goto", "if",        "while",    "for",    "switch",  "throw",
        "new",    "delete", "and", "or",   "not",  "co_return", "template", "sizeof", "typename"};
    return keywords.count(word) > 0;
}

/// Returns the first token of the postfix expression that ends before `end`; `end` if there is none.
int expression_begin(const Stream& stream, int end) {
    int i = end - 1;
    for (;;) {
        // Read a suffix or a primary expression backwards, starting at its last token.
        const Token* token = i >= 0 ? &stream[i] : nullptr;
        if (token == nullptr) return end;
        if (token->is("]")) {
            if (token->match < 0) return end;
            i = token->match - 1;
            continue;
        }
        if (token->is(")")) {
            if (token->match < 0) return end;
            const int before = token->match - 1;
            const bool call = (stream.is_identifier(before) && !is_keyword(stream.text(before))) ||
                              stream.is(before, "]") || stream.is(before, ">");
            if (call) {
                i = before;
                continue;
            }
            i = token->match;
        } else if (token->is(">")) {
            i = open_angle(stream, i) - 1;
            if (!stream.is_identifier(i)) return end;
            continue;
        } else if (token->kind != Kind::identifier || is_keyword(token->text)) {
            return end;
        }
        // `i` is the first token of a name or of a parenthesis. A name continues to the left of :: . -> and
        // ##.
        if (!stream.is_identifier(i)) return i;
        int before = i - 1;
        if (stream.is(before, "template")) --before;
        if (stream.is(before, "::")) {
            const int scope = before - 1;
            const bool qualified = (stream.is_identifier(scope) && !is_keyword(stream.text(scope))) ||
                                   (stream.is(scope, ">") && open_angle(stream, scope) > 0) ||
                                   (stream.is(scope, ")") && stream.is(stream[scope].match - 1, "decltype"));
            if (!qualified) return before;
            i = scope;
        } else if (stream.is(before, ".") || stream.is(before, "->") || stream.is(before, "##")) {
            i = before - 1;
        } else {
            return i;
        }
    }
}

/// Returns the first of the three `>` that close the `<<<` at `open`; -1 if there are none. Template lists
/// such as `A<B<C<int>>>` can be inside, so the last possible position in the statement counts.
int launch_end(const Stream& stream, int open) {
    int found = -1;
    for (int i = open + 1; i < stream.size(); ++i) {
        const Token& token = stream[i];
        if (token.match > i) {
            i = token.match;
        } else if (token.is(";") || token.is("<<<") || token.is(")") || token.is("]") || token.is("}")) {
            break;
        } else if (token.is(">") && stream.is(i + 1, ">") && stream.is(i + 2, ">") &&
                   token.offset + 2 == stream[i + 2].offset) {
            while (stream.is(i + 3, ">") && stream[i + 3].offset == stream[i + 2].end()) ++i;
            if (found < 0 || stream.is(i + 3, "(") || stream.macro) found = i;
            i += 2;
        }
    }
    return found;
}

/// Returns the name of the kernel as a string literal. In a macro, parameters of the macro are stringified
/// with #.
std::string name_literal(const Stream& stream, int begin, int end) {
    while (stream.is(begin, "(") && stream[begin].match == end - 1) ++begin, --end;
    std::string result;
    std::string text;
    for (int i = begin; i < end; ++i) {
        const bool glue = i == begin || stream.is(i, "##") || stream.is(i - 1, "##") ||
                          stream[i].offset == stream[i - 1].end();
        const bool tight = stream.is(i, "<") || stream.is(i, ">") || stream.is(i, ",") ||
                           stream.is(i, "::") || stream.is(i - 1, "<") || stream.is(i - 1, "::") ||
                           stream.is(i, "(") || stream.is(i, ")") || stream.is(i - 1, "(");
        if (i > begin && (stream.is(i - 1, ",") || (!glue && !tight))) text += ' ';
        if (stream.is(i, "##")) continue;
        if (!stream.is_parameter(i)) {
            text += stream[i].text;
            continue;
        }
        if (!text.empty()) result += in_quotes(text) + ' ';
        result += '#' + std::string(stream[i].text) + ' ';
        text.clear();
    }
    if (!text.empty() || result.empty()) result += in_quotes(text);
    if (result.back() == ' ') result.pop_back();
    return result;
}

bool ends_with_path(const std::string& path, const std::string& suffix) {
    if (path.size() < suffix.size() || path.compare(path.size() - suffix.size(), suffix.size(), suffix) != 0)
        return false;
    return path.size() == suffix.size() || path[path.size() - suffix.size() - 1] == ':';
}

bool encloses(const std::string& outer, const std::string& inner) {
    return outer.empty() || inner == outer || inner.compare(0, outer.size() + 2, outer + "::") == 0;
}

/// Returns whether `using space::name;` is in a scope around the launch.
bool has_using_declaration(const Unit& unit, const Stream& stream, int launch, std::string_view name) {
    const Stream& file = unit.streams[0];
    for (int i = 2; i < file.size(); ++i) {
        const bool declares = file.is(i, name) && file.is(i - 1, "::") && file.is(i + 1, ";") &&
                              file.is(declaration_begin(file, i), "using");
        if (!declares) continue;
        if (stream.macro) return true;
        for (int scope = unit.scope_of[launch]; scope >= 0; scope = unit.scopes[scope].parent)
            if (scope == unit.scope_of[i]) return true;
    }
    return false;
}

/// Returns whether [begin, end) is only a name with its qualification.
bool is_qualified_name(const Stream& stream, int begin, int end) {
    for (int i = begin; i < end; i = after(stream, i)) {
        const bool list = stream.is(i, "<") && after(stream, i) > i + 1;
        if (!stream.is(i, "::") && !list && (!stream.is_identifier(i) || is_keyword(stream.text(i))))
            return false;
    }
    return end > begin;
}

/// Returns the declarations of kernels that the name in tokens [begin, name] can mean in the scope `path`.
std::vector<Kernel*> visible_kernels(Unit& unit, const Stream& stream, int begin, int name,
                                     const std::string& path) {
    std::string qualifier;
    for (int i = begin; i < name - 1; ++i)
        if (!(i == begin && stream.is(i, "::"))) qualifier += stream.text(i);
    std::vector<Kernel*> all;
    const auto [first, last] = unit.program.kernels.equal_range(stream.text(name));
    for (auto it = first; it != last; ++it)
        if (qualifier.empty() || ends_with_path(it->second.path, qualifier)) all.push_back(&it->second);
    if (!qualifier.empty() && !all.empty()) return all;
    if (has_using_declaration(unit, stream, begin, stream.text(name))) return all;
    if (!qualifier.empty()) {  // the qualifier can be an alias of the namespace
        for (auto it = first; it != last; ++it) all.push_back(&it->second);
        return all;
    }
    const std::string* innermost = nullptr;
    for (Kernel* kernel : all)
        if (encloses(kernel->path, path) && (innermost == nullptr || kernel->path.size() > innermost->size()))
            innermost = &kernel->path;
    if (innermost == nullptr) return all;
    std::vector<Kernel*> nearest;
    for (Kernel* kernel : all)
        if (kernel->path == *innermost) nearest.push_back(kernel);
    return nearest;
}

/// The forms in which a kernel is passed to launch().
enum class Form {
    plain,     ///< its name, if only one function has this name
    resolved,  ///< a declaration whose return type is the function that the arguments select
    only,      ///< a variable with the address of the only function with this name that is a kernel
    called,    ///< a lambda that calls the kernel, if its address is ambiguous
    bound      ///< a function that adds the default arguments
};

/// Returns the number of arguments of the launch whose `>>>` ends at `close`; -1 if it is unknown.
int count_arguments(const Stream& stream, int close) {
    const int open = close + 3;
    if (stream.macro || !stream.is(open, "(") || stream[open].match < 0) return -1;
    for (int i = open + 1; i < stream[open].match; ++i)
        if (stream.is(i, "...")) return -1;
    const int commas = static_cast<int>(top_level_commas(stream, open + 1, stream[open].match).size());
    return commas + (stream[open].match > open + 1);
}

/// Returns whether the launch omits default arguments, so that these kernels are called through their
/// binders.
bool wants_defaults(const std::vector<Kernel*>& kernels, int count) {
    bool wanted = false;
    std::set<std::string>
        bound;  // a declaration and its definition share the binder of the one that has the default arguments
    for (const Kernel* kernel : kernels)
        wanted |= kernel->has_defaults && !kernel->binder.empty() && (count < 0 || count < kernel->arguments);
    for (const bool with_defaults : {true, false})
        for (Kernel* kernel : kernels)
            if (wanted && !kernel->binder.empty() && kernel->has_defaults == with_defaults)
                kernel->binder_wanted |= bound.insert(kernel->signature).second;
    return wanted;
}

/// Returns whether functions that are not kernels can also have this name: functions of the program, which
/// are known, those of <algorithm> after `using namespace std`, and those of the C library.
bool shares_name(const Program& program, std::string_view name) {
    static const std::set<std::string_view> of_libraries = {
        "abs",  "access", "clock",  "div",    "exp",   "gamma",  "index",  "j0",   "j1",
        "jn",   "link",   "log",    "max",    "min",   "norm",   "pause",  "pipe", "pow",
        "read", "remove", "rename", "rindex", "round", "select", "signal", "sin",  "cos",
        "sqrt", "sync",   "time",   "write",  "y0",    "y1",     "yn"};
    if (of_libraries.count(name)) return true;
    const auto [first, last] = program.names.equal_range(name);
    for (auto it = first; it != last; ++it)
        if (it->second->kind == Name::Kind::function && !it->second->kernel && !it->second->member)
            return true;
    for (const Unit& unit : program.units) {
        const Stream& file = unit.streams[0];
        for (int i = 0; i + 2 < file.size(); ++i)
            if (file.is(i, "using") && file.is(i + 1, "namespace") && file.is(i + 2, "std")) return true;
    }
    return false;
}

/// Returns the declaration that the compiler reads first.
Kernel* first_of(const std::vector<Kernel*>& kernels) {
    return *std::min_element(kernels.begin(), kernels.end(), [](const Kernel* a, const Kernel* b) {
        return a->unit->place(a->resolver_offset) < b->unit->place(b->resolver_offset);
    });
}

/// Chooses the form in which the kernel is passed, and sets `name` to the token with its name. Arguments
/// resolve templates and overloads.
Form choose_form(Unit& unit, const Stream& stream, int begin, int end, int count, int& name) {
    while (stream.is(begin, "(") && stream[begin].match == end - 1) ++begin, --end;
    int arguments = 0;
    name = end - 1;
    if (stream.is(name, ">")) {
        const int open = open_angle(stream, name);
        arguments = static_cast<int>(top_level_commas(stream, open + 1, name).size()) + (open + 1 < name);
        for (int i = open + 1; i < name; ++i)
            if (stream.is(i, "...")) return Form::plain;
        name = open - 1;
    }
    if (!stream.is_identifier(name) || stream.is_parameter(name)) return Form::plain;
    if (!is_qualified_name(stream, begin, name + 1)) return Form::plain;
    const bool bare = name == end - 1;
    const bool used = begin == name && has_using_declaration(unit, stream, begin, stream.text(name));
    std::set<std::string> signatures, resolved, paths;
    bool deduce = false;
    bool incomplete = false;
    std::vector<Kernel*> usable;
    const std::vector<std::size_t> place = unit.place(stream[begin].offset);
    for (Kernel* kernel : visible_kernels(unit, stream, begin, name, unit.scope(stream, begin).path)) {
        if (!kernel->is_template && !bare) continue;
        signatures.insert(kernel->signature);
        paths.insert(kernel->path);
        deduce |= kernel->is_template && (bare || arguments < kernel->parameters);
        incomplete |=
            kernel->is_template && (bare || arguments < kernel->required || kernel->parameters >= many);
        if (kernel->resolver.empty() ||
            (!stream.macro && kernel->unit->place(kernel->resolver_offset) > place))
            continue;
        usable.push_back(kernel);
        resolved.insert(kernel->signature);
    }
    if (wants_defaults(usable, count)) return Form::bound;
    const bool shared = !signatures.empty() && shares_name(unit.program, stream.text(name));
    if (shared && signatures.size() == 1 && !deduce && !used && usable.size() > 0 && paths.size() == 1 &&
        !usable[0]->is_template) {
        first_of(usable)->pointer_wanted = true;
        return Form::only;
    }
    deduce |= shared;
    if (!deduce && signatures.size() < 2) return Form::plain;
    if (resolved.size() < signatures.size() || paths.size() > 1 || used)
        return incomplete || signatures.size() > 1 ? Form::called : Form::plain;
    for (Kernel* kernel : usable) kernel->resolver_wanted = true;
    return Form::resolved;
}

/// Returns whether the launched expression is a parameter, a variable or another value, which can point to a
/// host function.
bool is_pointer_launch(const Unit& unit, const Stream& stream, int begin, int open) {
    if (stream.macro) return false;
    int name = open - 1;
    for (; stream.is(name, ")") && begin < name; --name) ++begin;  // the form (kernel)<<<...>>>
    if (stream.is(name, "]") || stream.is(name, ")")) return true;
    if (!stream.is_identifier(name)) return false;
    if (begin != name) return !is_qualified_name(stream, begin, name + 1);
    if (unit.program.kernels.count(stream.text(name))) return false;
    for (const Body& body : function_bodies(unit)) {
        if (open < body.open || body.close < open) continue;
        if (declared_in(unit, body, stream.text(name))) return true;
        for (int i = body.head + 1; i < open; ++i)  // a parameter or variable of the form void (*name)(int*)
            if (stream.is(i, stream.text(name)) && stream.is(i - 1, "*") && stream.is(i + 1, ")"))
                return true;
    }
    const auto [first, last] = unit.program.names.equal_range(stream.text(name));
    return std::any_of(first, last,
                       [](const auto& entry) { return entry.second->kind == Name::Kind::variable; });
}

void rewrite_launch(Unit& unit, const Stream& stream, int open) {
    const int begin = expression_begin(stream, open);
    const int close = launch_end(stream, open);
    if (close < 0) return unit.error(stream[open], "'<<<' without its '>>>'");
    if (begin == open) {
        return unit.error(stream[open], stream.macro
                                            ? "a macro that contains <<<...>>> must also name the kernel"
                                            : "no kernel before '<<<'");
    }
    if (close == open + 1) return unit.error(stream[open], "a launch needs <<<grid, block>>>");
    // A single name can be a macro that contains both values. If the second value is missing, blocks have one
    // thread.
    const std::size_t commas = top_level_commas(stream, open + 1, close).size();
    if (!stream.macro && commas > 3)
        return unit.error(stream[open],
                          "a launch takes two to four values, <<<grid, block, bytes, stream>>>, not " +
                              std::to_string(commas + 1));
    if (!stream.macro && !stream.is(close + 3, "("))
        return unit.error(stream[close], "expected '(' and the kernel's arguments after '>>>'");
    if (!stream.macro && !refuse_launch(unit, {begin, open, close})) return;

    const bool pointer = is_pointer_launch(unit, stream, begin, open);
    unit.program.launches_pointers |= pointer;
    std::string prefix = (pointer ? "::kit::cpu::launch_pointer(" : "::kit::cpu::launch(") +
                         name_literal(stream, begin, open) + ", ";
    int name = 0;
    std::string suffix;
    const Form form = choose_form(unit, stream, begin, open, count_arguments(stream, close), name);
    if (form == Form::resolved) {
        prefix += "[&](auto&&... kit_argument) -> decltype(";
        suffix = "(kit_argument...)) { return {}; }";
    } else if (form == Form::called) {
        prefix += "[&](auto&&... kit_argument) { ";
        suffix = "(kit_argument...); }";
    } else if (form == Form::bound) {
        prefix += "[&](auto&&... kit_argument) { return ";
        suffix = "(kit_argument...); }";
    }
    unit.edits.insert(stream[begin].offset, prefix);
    if (form == Form::resolved) unit.edits.insert(stream[name].offset, "kit_kernel_");
    if (form == Form::bound) unit.edits.insert(stream[name].offset, "kit_bind_");
    if (form == Form::only) unit.edits.insert(stream[name].offset, "kit_only_");
    if (!suffix.empty()) unit.edits.insert(stream[open - 1].end(), suffix);
    unit.edits.replace(stream[open].offset, 3, ", ");
    unit.edits.replace(stream[close].offset, 3, ")");
}

}  // namespace

void rewrite_launches(Unit& unit) {
    for (const Stream& stream : unit.streams)
        for (int i = 0; i < stream.size(); ++i)
            if (stream.is(i, "<<<") && !stream.is(i - 1, "operator")) rewrite_launch(unit, stream, i);
}

}  // namespace kit::translate
