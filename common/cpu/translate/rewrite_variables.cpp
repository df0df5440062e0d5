// Describes device variables at file scope, and structs, to the executor: their names and members, for
// reports. For __constant__ variables, the executor also gets the size, so that it can refuse writes by
// kernels and more than 64 KB. For example, the translator
//
//   keeps      __constant__ float mask[32];
//   and adds   [[maybe_unused]] static const bool kit_declared_1 = ::kit::cpu::declare_constant(mask);
//
//   replaces   struct Pair { int x, y; };
//   by         struct Pair { int x, y; public: static std::vector<::kit::cpu::StructMember> kit_members() {
//                  return {::kit::cpu::member("x", &Pair::x), ...}; } };
//
// Variables in classes, templates, and types in functions are left alone.
//
// In programs with mma.sync, local variables without an initializer get a pattern, by which mma.sync recognizes registers that nothing has
// set: the translator adds ::kit::cpu::ptx::unset(sums); after float sums[4][4];
#include <algorithm>
#include <map>

#include "names.hpp"
#include "unit.hpp"

namespace kit::translate {
namespace {

/// Returns the name that [begin, end) declares, which is the last identifier before an initializer or a
/// bound; -1 if there is none.
int declared_name(const Stream& stream, int begin, int end) {
    int name = -1;
    bool defines_type = false;
    for (int i = begin; i < end; i = after(stream, i)) {
        if (stream.is(i, "struct") || stream.is(i, "union") || stream.is(i, "class") || stream.is(i, "enum"))
            defines_type = true;
        if (stream.is(i, "=")) break;
        if (stream.is(i, "{")) {
            if (!defines_type) break;
            defines_type = false;
        }
        if (stream.is(i, "[") && !stream.is(i + 1, "[")) break;
        if (stream.is(i, "(")) {
            if (!takes_attribute_parentheses(stream.text(i - 1))) break;
        } else if (stream.is_identifier(i)) {
            name = i;
        }
    }
    return name;
}

bool contains(const Stream& stream, int begin, int end, std::string_view word) {
    for (int i = begin; i < end; ++i)
        if (stream.is(i, word)) return true;
    return false;
}

/// Returns the `;` of the declaration that contains `index`.
int declaration_end(const Stream& stream, int index) {
    while (index < stream.size() && !stream.is(index, ";")) index = after(stream, index);
    return index;
}

std::string declared(Unit& unit, const char* function, std::string_view variable) {
    return " [[maybe_unused]] static const bool kit_declared_" + std::to_string(unit.program.next_number++) +
           " = ::kit::cpu::" + function + "(" + std::string(variable) + ");";
}

void declare_constants(Unit& unit, const Stream& stream, int constant) {
    const int begin = declaration_begin(stream, constant);
    const int end = declaration_end(stream, constant);
    if (end >= stream.size() || contains(stream, begin, constant, "extern") ||
        contains(stream, constant, end, "extern") || contains(stream, begin, constant, "template"))
        return;
    std::string calls;
    int first = begin;
    std::vector<int> stops = top_level_commas(stream, begin, end);
    stops.push_back(end);
    for (int stop : stops) {
        const int name = declared_name(stream, first, stop);
        first = stop + 1;
        if (name >= 0) calls += declared(unit, "declare_constant", stream.text(name));
    }
    unit.edits.insert(stream[end].end(), calls);
}

/// Describes a variable to the executor if its name is certain. If a variable is not described, reports count
/// its bytes.
void declare_variable(Unit& unit, const Name& name) {
    const Stream& stream = unit.streams[0];
    if (!name.device || name.in_constant_memory || name.shared || name.strange || name.member ||
        name.is_constexpr || unit.scope(stream, name.token).kind != Scope::Kind::space)
        return;
    const int begin = declaration_begin(stream, name.token), end = declaration_end(stream, name.token);
    if (end >= stream.size() || contains(stream, begin, end, "extern") ||
        contains(stream, begin, name.token, "template") || contains(stream, begin, name.token, "&"))
        return;
    unit.edits.insert(stream[end].end(), declared(unit, "declare_variable", name.name));
}

/// Returns whether the name is a data member that has an address.
bool is_plain_member(const Stream& stream, const Name& name) {
    const int before = name.token - 1, behind = name.token + 1;
    return !name.is_static && !name.is_constexpr && !name.strange && !stream.is(before, "&") &&
           !stream.is(before, "&&") && !stream.is(before, "::") && !stream.is(behind, ":") &&
           !stream.is(behind, "(");
}

/// Returns the name of the struct whose body begins at `open`; empty for a union or a struct without a name.
std::string_view struct_name(const Stream& stream, const Scope& scope) {
    for (int i = scope.head; i < scope.open; i = after(stream, i)) {
        if (stream.is(i, "template") && stream.is(i + 1, "<")) ++i;
        if (stream.is(i, "union") || stream.is(i, "enum")) return {};
        if (!stream.is(i, "struct") && !stream.is(i, "class")) continue;
        for (++i; i < scope.open && !stream.is(i, ":"); i = after(stream, i))
            if (stream.is_identifier(i) && !takes_attribute_parentheses(stream.text(i)) &&
                !stream.is(i + 1, "("))
                return stream.text(i);
    }
    return {};
}

void list_members(Unit& unit) {
    const Stream& stream = unit.streams[0];
    std::map<const Scope*, std::vector<const Name*>> members;
    for (const auto& [text, name] : unit.program.names) {
        if (name->unit != &unit || name->kind != Name::Kind::variable) continue;
        const Scope& scope = unit.scope(stream, name->token);
        if (scope.kind == Scope::Kind::type && is_plain_member(stream, *name))
            members[&scope].push_back(name.get());
    }
    for (auto& [scope, names] : members) {
        const std::string_view type = struct_name(stream, *scope);
        if (type.empty() || stream[scope->open].match < 0) continue;
        std::sort(names.begin(), names.end(),
                  [](const Name* a, const Name* b) { return a->token < b->token; });
        std::string list;
        for (const Name* name : names)
            list += std::string(list.empty() ? "" : ", ") + "::kit::cpu::member(" + in_quotes(name->name) +
                    ", &" + std::string(type) + "::" + name->name + ")";
        unit.edits.insert(
            stream[stream[scope->open].match].offset,
            "public: static std::vector<::kit::cpu::StructMember> kit_members() { return {" + list + "}; } ");
    }
}

/// Returns whether inline PTX of the program contains the text.
bool assembly_contains(const Program& program, std::string_view text) {
    for (const Unit& unit : program.units)
        for (const Stream& stream : unit.streams)
            for (const Token& token : stream.tokens)
                if (token.kind == Kind::string && token.text.find(text) != std::string_view::npos)
                    return true;
    return false;
}

/// Adds a pattern to the variables that the statement at `begin` declares without an initializer, if their type is one of registers.
void mark_unset(Unit& unit, int begin) {
    static const Words types = {"float", "double", "int", "unsigned", "uint32_t", "std", "::"};
    const Stream& stream = unit.streams[0];
    int first = begin;
    while (first < stream.size() && types.count(stream.text(first))) ++first;
    const int end = declaration_end(stream, first);
    if (first == begin || !stream.is_identifier(first) || end >= stream.size() ||
        is_conditional(stream, begin))
        return;
    std::string calls;
    std::vector<int> stops = top_level_commas(stream, first, end);
    stops.push_back(end);
    for (const int stop : stops) {
        int next = first + 1;
        while (next < stop && stream.is(next, "[")) next = after(stream, next);
        if (next == stop && stream.is_identifier(first))
            calls += " ::kit::cpu::ptx::unset(" + std::string(stream.text(first)) + ");";
        first = stop + 1;
    }
    unit.edits.insert(stream[end].end(), calls);
}

/// Returns whether the scope is the body of a type in a function, whose members are not variables.
bool is_local_type(const Stream& stream, const Scope& scope) {
    int begin = scope.head;
    while (stream.is(begin, "template") && close_angle(stream, begin + 1) > 0)
        begin = close_angle(stream, begin + 1) + 1;
    return contains(stream, begin, scope.open, "struct") || contains(stream, begin, scope.open, "class") ||
           contains(stream, begin, scope.open, "union");
}

void mark_unset_registers(Unit& unit) {
    const Stream& stream = unit.streams[0];
    for (const Body& body : function_bodies(unit)) {
        for (int i = body.open + 1; body.device && i < body.close; ++i) {
            const bool begins = stream.is(i - 1, ";") || stream.is(i - 1, "{") || stream.is(i - 1, "}");
            if (begins && !is_local_type(stream, unit.scope(stream, i))) mark_unset(unit, i);
        }
    }
}

}  // namespace

void rewrite_variables(Unit& unit) {
    if (assembly_contains(unit.program, "mma.sync")) mark_unset_registers(unit);
    const Stream& stream = unit.streams[0];
    int last = -1;
    for (int i = 0; i < stream.size(); ++i) {
        if (!stream.is(i, "__constant__") || unit.scope(stream, i).kind != Scope::Kind::space) continue;
        if (declaration_begin(stream, i) == last) continue;
        last = declaration_begin(stream, i);
        declare_constants(unit, stream, i);
    }
    for (const auto& [text, name] : unit.program.names)
        if (name->unit == &unit && name->kind == Name::Kind::variable) declare_variable(unit, *name);
    list_members(unit);
}

}  // namespace kit::translate
