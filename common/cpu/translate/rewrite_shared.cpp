// __shared__ variables.
//
//   __shared__ float tile[32], *next;   becomes, on the same lines,
//   struct kit_shared_1 { float tile[32]; }; [[maybe_unused]] auto& tile =
//   ::kit::cpu::shared<kit_shared_1>("tile").tile; struct kit_shared_2 { float *next; }; [[maybe_unused]]
//   auto& next = ...;
//
//   extern __shared__ float all[];      becomes a reference to the block's dynamic shared memory;
//                                       outside functions, an object that converts to a pointer to it.
#include <algorithm>
#include <set>

#include "unit.hpp"

namespace kit::translate {
namespace {

bool is_cv(const Stream& stream, int i) {
    return stream.is(i, "const") || stream.is(i, "volatile") || stream.is(i, "__restrict__");
}

/// A word that can be the name of the variable.
bool is_name(const Stream& stream, int i) {
    static const std::set<std::string_view> specifiers = {"__shared__", "static", "extern", "__device__"};
    return stream.is_identifier(i) && !is_cv(stream, i) && !specifiers.count(stream.text(i)) &&
           !takes_attribute_parentheses(stream.text(i));
}

struct Declarator {
    int begin = 0, name_begin = -1, name = -1, end = 0;
};

struct Declaration {
    int begin = 0, end = 0;  ///< without the semicolon
    int base_end = 0;        ///< the specifiers are [begin, base_end)
    int body = -1;           ///< `{` of a type defined in the declaration
    bool is_extern = false;
    std::vector<Declarator> declarators;
    std::set<int>
        dropped;  ///< tokens that do not belong to the type: storage class, alignment of a reference
};

/// The name in `(*name)[3]`, `(*const name)(int)` and the like, from the parenthesis at `open`.
int name_in_parentheses(const Stream& stream, int open) {
    for (int i = open + 1; i < stream[open].match; ++i)
        if (is_name(stream, i) && !stream.is(i + 1, "::")) return i;
    return -1;
}

Declarator read_declarator(const Stream& stream, int begin, int end) {
    Declarator declarator{begin, -1, -1, end};
    int outer = -1;  // the name, or the parenthesis that holds it
    for (int i = begin; i < end; i = after(stream, i)) {
        const bool attribute = takes_attribute_parentheses(stream.text(i - 1));
        if (stream.is(i, "[") && stream.is(i + 1, "[")) continue;
        if (stream.is(i, "[") || stream.is(i, "=")) break;
        if (stream.is(i, "(") && !attribute) {
            // In `T f(args)` the name stands before.
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

/// Alignment and attributes are ill-formed on a reference, and the dynamic memory is aligned for every type.
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

/// A type with a name, defined in the declaration, must be visible after it.
bool defines_named_type(const Stream& stream, const Declaration& declaration) {
    static const std::set<std::string_view> keys = {"struct", "class", "union", "enum"};
    return declaration.body >= 0 && !keys.count(stream.text(declaration.body - 1));
}

/// The specifiers once more, for the second and later declarators.
std::string base_text(const Stream& stream, const Declaration& declaration) {
    const int end = defines_named_type(stream, declaration) ? declaration.body : declaration.base_end;
    return kept_text(stream, declaration, declaration.begin, end) + ' ';
}

/// The name, which ## may make of several tokens in a macro.
std::string name_text(const Stream& stream, const Declarator& declarator) {
    return text_of(stream, declarator.name_begin, declarator.name + 1);
}

std::string name_literal(const Stream& stream, const Declarator& declarator) {
    std::string literal;
    for (int i = declarator.name_begin; i <= declarator.name; ++i) {
        if (stream.is(i, "##")) continue;
        if (!literal.empty()) literal += ' ';
        literal += stream.is_parameter(i) ? '#' + std::string(stream.text(i)) : quoted(stream.text(i));
    }
    return literal;
}

std::string holder_name(Unit& unit, const Stream& stream, const Declarator& declarator) {
    const std::string number = std::to_string(unit.next_number++);
    if (!stream.macro) return "kit_shared_" + number;
    // A macro may be expanded twice in one scope, with different names.
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
                          " = *static_cast<std::remove_reference_t<decltype(" + name +
                              ")>*>(::kit::cpu::dynamic_shared())");
    }
    for (int i : declaration.dropped) unit.remove(stream[i]);
}

/// At file scope: no type of C++ is an array whose place depends on the block, so a pointer-like object
/// stands in.
void rewrite_file_scope(Unit& unit, const Stream& stream, Declaration& declaration,
                        std::set<std::string>& names) {
    drop_alignment(stream, declaration);
    std::string text;
    for (const Declarator& declarator : declaration.declarators) {
        const int open = declarator.name + 1;
        if (!stream.is(open, "[") || stream[open].match != open + 1)
            return unit.error(stream[declarator.name], "expected 'extern __shared__ T " +
                                                           std::string(stream.text(declarator.name)) + "[]'");
        std::string type = kept_text(stream, declaration, declaration.begin, declaration.base_end);
        type += kept_text(stream, declaration, declarator.begin, declarator.name);
        type += kept_text(stream, declaration, open + 2, declarator.end);
        names.insert(std::string(stream.text(declarator.name)));
        if (!text.empty()) text += "; ";
        text += "[[maybe_unused]] static const ::kit::cpu::DynamicShared<" + type + "> " +
                std::string(stream.text(declarator.name)) + "{}";
    }
    for (int i = declaration.begin; i < declaration.end; ++i)
        if (stream[i].kind != Kind::directive) unit.remove(stream[i]);
    unit.edits.insert(stream[declaration.begin].offset, text);
}

/// A cast of such an object needs a pointer: unary plus makes one, and changes nothing for an array or a
/// pointer that happens to have the same name.
void decay_in_casts(Unit& unit, const std::set<std::string>& names) {
    for (const Stream& stream : unit.streams) {
        for (int i = 2; i < stream.size(); ++i) {
            if (!stream.is_identifier(i) || !names.count(std::string(stream.text(i)))) continue;
            const bool cast = stream.is(i - 1, ")") && stream.is(i - 2, "*");
            const int angle = stream.is(i - 1, "(") && stream.is(i - 2, ">") ? open_angle(stream, i - 2) : -1;
            if (cast || stream.is(angle - 1, "reinterpret_cast")) unit.edits.insert(stream[i].offset, "+");
        }
    }
}

void rewrite(Unit& unit, const Stream& stream, int shared, std::set<std::string>& file_scope_names) {
    Declaration declaration = read_declaration(stream, shared);
    for (const Declarator& declarator : declaration.declarators) {
        if (declarator.name >= 0 && declarator.name < declaration.end) continue;
        if (stream.macro) return;  // #define SHARED __shared__
        return unit.error(stream[shared], "expected the name of a variable after __shared__");
    }
    if (unit.in_function(stream, shared)) {
        declaration.is_extern ? rewrite_extern(unit, stream, declaration)
                              : rewrite_static(unit, stream, declaration);
    } else if (declaration.is_extern) {
        rewrite_file_scope(unit, stream, declaration, file_scope_names);
    } else {
        unit.error(stream[shared], "__shared__ variable '" +
                                       std::string(stream.text(declaration.declarators[0].name)) +
                                       "' outside a function: declare it inside the kernel");
    }
}

}  // namespace

void rewrite_shared(Unit& unit) {
    std::set<std::string> file_scope_names;
    for (const Stream& stream : unit.streams)
        for (int i = 0; i < stream.size(); ++i)
            if (stream.is_identifier(i) && stream.is(i, "__shared__"))
                rewrite(unit, stream, i, file_scope_names);
    decay_in_casts(unit, file_scope_names);
}

}  // namespace kit::translate
