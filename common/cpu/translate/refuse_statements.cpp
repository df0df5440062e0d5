// Refuses statements that device code does not support: exceptions, run-time types, arrays of variable
// length, misplaced memory spaces.
#include <algorithm>

#include "names.hpp"

namespace kit::translate {
namespace {

using Words = std::set<std::string_view>;

struct Refused {
    std::string_view word, sentence;
};
constexpr Refused statements[] = {
    {"throw", "'throw' is used in device code, which has no exceptions: return an error code, or use assert"},
    {"try", "'try' is used in device code, which has no exceptions: check the results of the calls"},
    {"typeid",
     "'typeid' is used in device code, which has no type information at run time: use a template, or store "
     "the type as a value"},
    {"dynamic_cast",
     "'dynamic_cast' is used in device code, which has no type information at run time: use a virtual "
     "function"},
    {"thread_local",
     "'thread_local' is used in device code, where each thread has its own local variables anyway: remove "
     "the word"}};

void check_statement(Unit& unit, int i) {
    const Stream& stream = unit.streams[0];
    if (is_unevaluated(stream, i) || is_conditional(stream, i) || in_a_macro(unit.program, stream.text(i)))
        return;
    for (const Refused& refused : statements)
        if (stream.is(i, refused.word)) unit.error(stream[i], std::string(refused.sentence));
    if (stream.is(i, "goto") && stream.is(i + 1, "*"))
        unit.error(stream[i], "'goto *' is used in device code, which cannot jump to an address: use switch");
}

/// Refuses an array such as `int values[n];` whose size depends on a parameter. `i` is the index of the
/// bracket.
void check_length(Unit& unit, const Body& body, int i) {
    static const Words types = {"int",   "unsigned", "char", "short",  "long",
                                "float", "double",   "bool", "float4", "float2"};
    const Stream& stream = unit.streams[0];
    if (!stream.is_identifier(i - 1) || !stream.is_identifier(i - 2) || !types.count(stream.text(i - 2)))
        return;
    for (int k = i + 1; k < stream[i].match; ++k) {
        if (!stream.is_identifier(k) || !is_parameter_of(stream, body, stream.text(k)) ||
            is_unevaluated(stream, k) || is_conditional(stream, k))
            continue;
        return unit.error(stream[i - 1],
                          "'" + shown(stream, i - 2, stream[i].match + 1) +
                              "' in device code needs a constant length, and '" +
                              std::string(stream.text(k)) +
                              "' is an argument: make it a template parameter, or use dynamic shared memory");
    }
}

/// Refuses a local variable with a memory space that is not allowed in a function. `i` is the index of the
/// mark.
void check_space(Unit& unit, const Body& body, int i) {
    const Stream& stream = unit.streams[0];
    const Scope& scope = unit.scope(stream, i);
    for (int k = scope.head; k >= 0 && k < scope.open; ++k)
        if (stream.is(k, "struct") || stream.is(k, "class") || stream.is(k, "union")) return;
    static const Words before = {";", "{", "}", "static", "const", "volatile", "extern", ":"};
    if (!before.count(stream.text(i - 1))) return;
    const std::string mark(stream.text(i));
    for (int k = i + 1; k < body.close && !stream.is(k, ";") && !stream.is(k, "="); ++k)
        if (stream.is(k, "(") || stream.is(k, "{")) return;
    if (mark == "__shared__") {
        if (!body.device)
            unit.error(stream[i],
                       "'__shared__' is used in host code, but shared memory belongs to the threads of a "
                       "block: declare the variable in a kernel or a __device__ function");
        return;
    }
    unit.error(stream[i], "'" + mark + "' is used inside a function: declare a variable in " +
                              (mark == "__constant__" ? "constant memory" : "global memory") +
                              " outside all functions, or remove '" + mark + "' to make it a local variable");
}

/// Refuses `__shared__` for a class member or a parameter.
void check_shared(Unit& unit, int i) {
    const Stream& stream = unit.streams[0];
    const bool member = unit.scope(stream, i).kind == Scope::Kind::type;
    if (!member && !stream.is(i - 1, "(") && !stream.is(i - 1, ",")) return;
    unit.error(stream[i], std::string("'__shared__' for a ") + (member ? "member of a class" : "parameter") +
                              " has no effect: declare a variable in the kernel, and pass its address");
}

/// Makes the compiler check that the variable declared at `begin` has a constant initializer.
void demand_constant(Unit& unit, int begin) {
    const Stream& stream = unit.streams[0];
    int i = begin;
    while (i < stream.size() && !stream.is(i, "=") && !stream.is(i, ";") && !stream.is(i, "(") &&
           !stream.is(i, "{"))
        i = after(stream, i);
    if (!stream.is(i, "=")) return;
    for (; i < stream.size() && !stream.is(i, ";"); ++i)
        if (stream.is_identifier(i) && (stream.is(i + 1, "(") || stream.is(i + 1, ".")))
            return unit.edits.insert(stream[begin].offset, "KIT_CPU_CONSTANT_VALUE ");
}

}  // namespace

void refuse_statements(Unit& unit) {
    const Stream& stream = unit.streams[0];
    for (const Body& body : function_bodies(unit)) {
        for (int i = body.open + 1; i < body.close; ++i) {
            if (stream.is(i, "__constant__") || stream.is(i, "__device__") || stream.is(i, "__managed__") ||
                stream.is(i, "__shared__"))
                check_space(unit, body, i);
            if (body.host) continue;
            if (stream.is(i, "[") && stream[i].match > i) check_length(unit, body, i);
            if (stream.is_identifier(i)) check_statement(unit, i);
            if (stream.is(i, "static") && declaration_begin(stream, i) == i) demand_constant(unit, i);
        }
    }
    for (int i = 0; i < stream.size(); ++i) {
        if (stream.is(i, "__shared__")) check_shared(unit, i);
        if (unit.scope(stream, i).kind != Scope::Kind::space) continue;
        const int begin = stream.is_identifier(i) ? declaration_begin(stream, i) : i;
        const bool global = stream.is(i, "__device__") || stream.is(i, "__constant__");
        if (global && begin == i) demand_constant(unit, begin);
        if (!global) continue;
        for (int k = begin;
             k < stream.size() && !stream.is(k, ";") && !stream.is(k, "(") && !stream.is(k, "{"); ++k)
            if (stream.is(k, "thread_local"))
                unit.error(
                    stream[k],
                    "'thread_local' is used for a device variable outside functions, which all threads "
                    "share: remove the word, or move the variable into the kernel");
    }
}

}  // namespace kit::translate
