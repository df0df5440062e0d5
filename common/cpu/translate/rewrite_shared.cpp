// Rewrites __shared__ variables. Line numbers do not change. For example, the translator replaces
//
//   __shared__ float tile[32], *next;   by
//   struct kit_shared_1 { float tile[32]; }; [[maybe_unused]] auto& tile =
//       ::kit::cpu::shared<kit_shared_1>("tile").tile; struct kit_shared_2 { float *next; }; [[maybe_unused]]
//       auto& next = ...;
//
// `extern __shared__ float all[];` becomes a reference to the dynamic shared memory of the block.
//
// Declarations outside of functions are removed, and repeated at the top of each device function that uses
// the variable.
#include <algorithm>
#include <map>
#include <set>

#include "unit.hpp"

namespace kit::translate {
namespace {

bool is_cv(const Stream& stream, int i) {
    return stream.is(i, "const") || stream.is(i, "volatile") || stream.is(i, "__restrict__");
}

/// Returns whether the token can be the name of the declared variable.
bool is_name(const Stream& stream, int i) {
    static const std::set<std::string_view> specifiers = {"__shared__", "static", "extern", "__device__"};
    return stream.is_identifier(i) && !is_cv(stream, i) && !specifiers.count(stream.text(i)) &&
           !takes_attribute_parentheses(stream.text(i));
}

struct Declarator {
    int begin = 0, name_begin = -1, name = -1, end = 0;
};

struct Declaration {
    int begin = 0, end = 0;  ///< tokens of the declarator, without the semicolon
    int base_end = 0;        ///< token after the specifiers, which start at `begin`
    int body = -1;           ///< the `{` of a type that the declaration defines; -1 if there is none
    bool is_extern = false;
    std::vector<Declarator> declarators;
    std::set<int>
        dropped;  ///< tokens that are not part of the type: storage class, and alignment, which a reference
                  ///< cannot have
};

/// Returns the name in `(*name)[3]`, `(*const name)(int)` and similar declarators. `open` is the parenthesis.
int name_in_parentheses(const Stream& stream, int open) {
    for (int i = open + 1; i < stream[open].match; ++i)
        if (is_name(stream, i) && !stream.is(i + 1, "::")) return i;
    return -1;
}

Declarator read_declarator(const Stream& stream, int begin, int end) {
    Declarator declarator{begin, -1, -1, end};
    int outer = -1;  // the name, or the parenthesis that contains the name
    for (int i = begin; i < end; i = after(stream, i)) {
        const bool attribute = takes_attribute_parentheses(stream.text(i - 1));
        if (stream.is(i, "[") && stream.is(i + 1, "[")) continue;
        if (stream.is(i, "[") || stream.is(i, "=")) break;
        if (stream.is(i, "(") && !attribute) {
            // In `T f(args)`, the name comes before the parenthesis.
            const int inside = name_in_parentheses(stream, i);
            if (stream.is(i + 1, "*") || stream.is(i + 1, "&") || stream.is(i + 1, "(")) {
                declarator.name = inside;
                outer = i;
            }
            break;
        }
        if (is_name(stream, i)) declarator.name = outer = i;
    }
    if (declarator.name < 0) return declarator;
    declarator.name_begin = declarator.name;
    while (stream.is(declarator.name_begin - 1, "##")) declarator.name_begin -= 2;
    if (outer == declarator.name) outer = declarator.name_begin;
    while (outer > begin && (stream.is(outer - 1, "*") || stream.is(outer - 1, "&") ||
                             (is_cv(stream, outer - 1) && stream.is(outer - 2, "*"))))
        --outer;
    declarator.begin = outer;
    return declarator;
}

Declaration read_declaration(const Stream& stream, int shared) {
    Declaration declaration;
    declaration.begin = declaration_begin(stream, shared);
    int end = declaration.begin;
    for (; end < stream.size() && !stream.is(end, ";"); end = after(stream, end)) {
        if (stream.is(end, "{") && stream[end].match > end && declaration.body < 0) declaration.body = end;
        if (stream.is(end, ")") || stream.is(end, "}")) break;
    }
    declaration.end = std::min(end, stream.size());
    int begin = declaration.begin;
    std::vector<int> ends = top_level_commas(stream, begin, declaration.end);
    ends.push_back(declaration.end);
    for (int stop : ends) {
        declaration.declarators.push_back(read_declarator(stream, begin, stop));
        begin = stop + 1;
    }
    declaration.base_end = declaration.declarators[0].begin;
    for (std::size_t i = 1; i < declaration.declarators.size(); ++i)
        declaration.declarators[i].begin = ends[i - 1] + 1;

    for (int i = declaration.begin; i < declaration.end; ++i) {
        if (stream.is(i, "extern")) declaration.is_extern = true;
        if (stream.is(i, "__shared__") || stream.is(i, "static") || stream.is(i, "extern") ||
            stream.is(i, "__device__"))
            declaration.dropped.insert(i);
        if (i == declaration.body) i = stream[i].match;
    }
    return declaration;
}

/// Removes alignment and attributes, which a reference cannot have. Dynamic shared memory is aligned for
/// every type.
void drop_alignment(const Stream& stream, Declaration& declaration) {
    for (int i = declaration.begin; i < declaration.end; ++i) {
        const bool attribute = stream.is(i, "[") && stream.is(i + 1, "[");
        const bool alignment =
            stream.is(i, "alignas") || stream.is(i, "__align__") || stream.is(i, "__attribute__");
        if (!attribute && !alignment) continue;
        const int last = after(stream, attribute ? i : i + 1);
        for (; i < last && i < declaration.end; ++i) declaration.dropped.insert(i);
        --i;
    }
}

std::string kept_text(const Stream& stream, const Declaration& declaration, int begin, int end) {
    std::string text;
    for (int i = begin; i < end; ++i) {
        if (declaration.dropped.count(i) || stream[i].kind == Kind::directive) continue;
        if (!text.empty() && stream[i].offset > stream[i - 1].end()) text += ' ';
        text += stream[i].text;
    }
    return text;
}

/// Returns whether the declaration defines a type with a name. The type must stay visible after the
/// declaration.
bool defines_named_type(const Stream& stream, const Declaration& declaration) {
    static const std::set<std::string_view> keys = {"struct", "class", "union", "enum"};
    return declaration.body >= 0 && !keys.count(stream.text(declaration.body - 1));
}

/// Returns the text of the specifiers, for the second and later declarators.
std::string base_text(const Stream& stream, const Declaration& declaration) {
    const int end = defines_named_type(stream, declaration) ? declaration.body : declaration.base_end;
    return kept_text(stream, declaration, declaration.begin, end) + ' ';
}

/// Returns the name of the variable. In a macro, the name can consist of several tokens joined with ##.
std::string name_text(const Stream& stream, const Declarator& declarator) {
    return text_of(stream, declarator.name_begin, declarator.name + 1);
}

std::string name_literal(const Stream& stream, const Declarator& declarator) {
    std::string literal;
    for (int i = declarator.name_begin; i <= declarator.name; ++i) {
        if (stream.is(i, "##")) continue;
        if (!literal.empty()) literal += ' ';
        literal += stream.is_parameter(i) ? '#' + std::string(stream.text(i)) : in_quotes(stream.text(i));
    }
    return literal;
}

std::string holder_name(Unit& unit, const Stream& stream, const Declarator& declarator) {
    const std::string number = std::to_string(unit.program.next_number++);
    if (!stream.macro) return "kit_shared_" + number;
    // If a macro is expanded twice in one scope, the inserted types must have different names.
    const std::string glue = stream.is_parameter(declarator.name_begin) ? "##" : "";
    return "kit_shared_" + number + "_" + glue + name_text(stream, declarator);
}

void rewrite_static(Unit& unit, const Stream& stream, const Declaration& declaration) {
    for (const Declarator& declarator : declaration.declarators) {
        for (int i = declarator.name + 1; i < declarator.end; i = after(stream, i))
            if (stream.is(i, "=") || stream.is(i, "{"))
                return unit.error(stream[declarator.name],
                                  "a __shared__ variable cannot have an initializer: '" +
                                      std::string(stream.text(declarator.name)) + "'");
    }
    bool first = true;
    for (const Declarator& declarator : declaration.declarators) {
        const std::string holder = holder_name(unit, stream, declarator);
        const std::string name = name_text(stream, declarator);
        if (first && defines_named_type(stream, declaration)) {
            unit.edits.insert(stream[stream[declaration.body].match].end(),
                              "; struct " + holder + " { " + base_text(stream, declaration));
        } else if (first) {
            unit.edits.insert(stream[declaration.begin].offset, "struct " + holder + " { ");
        } else {
            unit.edits.replace(stream[declarator.begin - 1].offset, 1,
                               "; struct " + holder + " { " + base_text(stream, declaration));
        }
        first = false;
        unit.edits.insert(stream[declarator.end - 1].end(),
                          "; }; [[maybe_unused]] auto& " + name + " = ::kit::cpu::shared<" + holder + ">(" +
                              name_literal(stream, declarator) + ")." + name);
    }
    for (int i : declaration.dropped) unit.remove(stream[i]);
}

void rewrite_extern(Unit& unit, const Stream& stream, Declaration& declaration) {
    drop_alignment(stream, declaration);
    unit.edits.insert(stream[declaration.begin].offset, "[[maybe_unused]] ");
    for (const Declarator& declarator : declaration.declarators) {
        const std::string name = name_text(stream, declarator);
        unit.edits.insert(stream[declarator.name_begin].offset, "(&");
        unit.edits.insert(stream[declarator.name].end(), ")");
        unit.edits.insert(stream[declarator.end - 1].end(),
                          " = ::kit::cpu::dynamic_shared<std::remove_reference_t<decltype(" + name + ")>>(" +
                              name_literal(stream, declarator) + ")");
    }
    for (int i : declaration.dropped) unit.remove(stream[i]);
}

/// A shared variable at file scope: its namespace, and the text that declares it in a function.
struct FileScopeVariable {
    std::string path, declaration;
};
using FileScope = std::map<std::string_view, FileScopeVariable>;

/// Removes a shared variable at file scope, and declares it as a reference in each device function that uses
/// it. In C++, the address of a variable at file scope cannot depend on the block.
void rewrite_file_scope(Unit& unit, const Stream& stream, Declaration& declaration, FileScope& needed) {
    const bool dynamic = declaration.is_extern;
    if (dynamic) drop_alignment(stream, declaration);
    std::string holders;
    for (const Declarator& declarator : declaration.declarators) {
        const std::string name(stream.text(declarator.name));
        const int open = declarator.name + 1;
        if (dynamic && (!stream.is(open, "[") || stream[open].match != open + 1))
            return unit.error(stream[declarator.name], "expected 'extern __shared__ T " + name + "[]'");
        const bool first = &declarator == &declaration.declarators[0];
        const std::string before =
            first ? kept_text(stream, declaration, declaration.begin, declarator.name_begin)
                  : base_text(stream, declaration) +
                        kept_text(stream, declaration, declarator.begin, declarator.name_begin);
        const std::string after_name = kept_text(stream, declaration, declarator.name + 1, declarator.end);
        if (after_name.find_first_of("={") != std::string::npos)
            return unit.error(stream[declarator.name],
                              "a __shared__ variable cannot have an initializer: '" + name + "'");
        const std::string& path = unit.scope(stream, declarator.name).path;
        const auto [variable, is_new] = needed.insert({stream.text(declarator.name), {path, ""}});
        if (!is_new && (!dynamic || variable->second.path != path))
            return unit.error(stream[declarator.name],
                              "a second __shared__ variable '" + name + "' outside functions");
        std::string& text = variable->second.declaration;
        if (dynamic) {
            text = " [[maybe_unused]] " + before + " (&" + name + ")" + after_name +
                   " = ::kit::cpu::dynamic_shared<std::remove_reference_t<decltype(" + name + ")>>(" +
                   in_quotes(name) + ");";
            continue;
        }
        const std::string holder = "kit_shared_" + std::to_string(unit.program.next_number++);
        holders += "namespace { struct " + holder + " { " + before + " " + name + after_name + "; }; }";
        // The type is declared in the function, so the executor knows which kernel uses the variable.
        const std::string type = "::" + path + (path.empty() ? "" : "::") + holder;
        text = " struct " + holder + "_user : " + type + " {}; (void)&::kit::cpu::SharedFact<" + holder +
               "_user>::declared; [[maybe_unused]] auto& " + name + " = ::kit::cpu::shared<" + type + ">(" +
               in_quotes(name) + ")." + name + ";";
    }
    for (int i = declaration.begin; i <= declaration.end && i < stream.size(); ++i)
        if (stream[i].kind != Kind::directive) unit.remove(stream[i]);
    unit.edits.insert(stream[declaration.begin].offset, holders);
}

/// Returns whether the token means the variable, and not a member or a name in a different namespace. Removes
/// its qualifier, because the reference in the function has none.
bool take_use(Unit& unit, const Stream& file, int name, const FileScopeVariable& variable) {
    if (file.is(name - 1, ".") || file.is(name - 1, "->")) return false;
    int begin = name;
    while (file.is(begin - 1, "::")) begin -= 1 + file.is_identifier(begin - 2);
    std::string space = "::" + variable.path + "::";
    std::string named = text_of(file, begin, name);
    if (named.size() > space.size() || space.compare(space.size() - named.size(), named.size(), named) != 0)
        return false;
    for (int i = begin; i < name; ++i) unit.remove(file[i]);
    return true;
}

/// Declares shared variables of file scope in the functions that use them. An extra pair of braces lets a
/// function hide the name.
void declare_in_functions(Unit& unit, const FileScope& needed) {
    const Stream& file = unit.streams[0];
    for (const Body& body : function_bodies(unit)) {
        if (!body.device) continue;
        std::string text;
        for (const auto& [name, variable] : needed) {
            bool used = false;
            bool hidden = false;  // whether a parameter of the function has the same name
            for (int i = body.head; i < body.open; ++i) hidden |= file.is(i, name);
            const std::set<std::string_view> words = with_macros(unit.program, {name});
            for (int i = body.open; i < body.close && !hidden; ++i) {
                if (file.is_identifier(i) && words.count(file.text(i)))
                    used |= file.text(i) != name || take_use(unit, file, i, variable);
            }
            if (used) text += variable.declaration;
        }
        if (text.empty()) continue;
        unit.edits.insert(file[body.open].end(), text + " {");
        unit.edits.insert(file[body.close].offset, "}");
    }
}

/// Returns the last token of a declaration without a semicolon, if the next token starts a new statement; -1
/// if there is a semicolon.
int missing_semicolon(const Stream& stream, const Declaration& declaration) {
    if (stream.macro) return -1;
    for (const Declarator& declarator : declaration.declarators) {
        const int name = declarator.name;
        int behind = name + 1;
        while (stream.is(behind, "[") && stream[behind].match > 0) behind = stream[behind].match + 1;
        if (behind < declarator.end && stream.is_identifier(behind) &&
            !takes_attribute_parentheses(stream.text(behind)))
            return behind - 1;
        // For example, `__shared__ int x` with `x = 1;` in the next line.
        static const std::set<std::string_view> words = {"struct",   "class", "union",   "enum",
                                                         "typename", "const", "volatile"};
        const bool two_names =
            is_name(stream, name - 1) && is_name(stream, name - 2) && !words.count(stream.text(name - 2));
        if (two_names && stream.text(name - 1) == stream.text(name) &&
            stream[name].line > stream[name - 1].line)
            return name - 1;
    }
    return -1;
}

void rewrite(Unit& unit, const Stream& stream, int shared, FileScope& needed) {
    Declaration declaration = read_declaration(stream, shared);
    const int last = missing_semicolon(stream, declaration);
    if (last >= 0)
        return unit.error(stream[last],
                          "expected ';' after '" + text_of(stream, declaration.begin, last + 1) + "'");
    for (const Declarator& declarator : declaration.declarators) {
        if (declarator.name >= 0 && declarator.name < declaration.end) continue;
        if (stream.macro) return;  // the word is in a macro such as #define SHARED __shared__
        return unit.error(stream[shared], "expected the name of a variable after __shared__");
    }
    if (unit.in_function(stream, shared)) {
        declaration.is_extern ? rewrite_extern(unit, stream, declaration)
                              : rewrite_static(unit, stream, declaration);
    } else {
        rewrite_file_scope(unit, stream, declaration, needed);
    }
}

}  // namespace

void rewrite_shared(Program& program) {
    FileScope needed;
    for (Unit& unit : program.units)
        for (const Stream& stream : unit.streams)
            for (int i = 0; i < stream.size(); ++i)
                if (stream.is_identifier(i) && stream.is(i, "__shared__")) rewrite(unit, stream, i, needed);
    if (needed.empty()) return;
    for (Unit& unit : program.units) declare_in_functions(unit, needed);
}

}  // namespace kit::translate
