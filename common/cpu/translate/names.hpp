// What a translation unit declares outside functions, and for whom: the host, the device, or both.
//
// It is read from tokens, so it can be incomplete: what a macro or a system header declares is not there. A pass that refuses
// must therefore be certain (`certain_functions`), or leave the decision to the compiler (refuse_overloads.cpp).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "unit.hpp"

namespace kit::translate {

/// A function or a variable at file scope, in a namespace or in a class.
struct Name {
    enum class Kind { function, variable } kind;
    std::string name;  ///< "half", "operator+", "~Point"; a constructor has the name of its class
    Unit* unit;
    int token = 0;          ///< the name
    int attribute = 0;      ///< the token before which an attribute of a function may stand
    std::string path;       ///< the namespaces and classes around it
    std::string signature;  ///< types of the parameters
    bool member = false;    ///< whether it is a member of a class
    bool host = false, device = false, kernel = false;
    bool constant = false;  ///< a variable that does not change: const or constexpr
    bool is_constexpr = false;
    bool is_static = false;
    bool managed = false, shared = false, in_constant_memory = false;
    int dimensions = 0;     ///< the number of dimensions of an array
    bool strange = false;   ///< its kind depends on an #if, or on a macro that was not read
    bool implicit = false;  ///< = default, = delete: the compiler's own, for both sides
    int line() const { return unit->streams[0][token].line; }
};

using Words = std::set<std::string_view>;
/// True when one of these words is among the tokens from `begin` to before `end`.
bool mentions(const Stream& stream, int begin, int end, const Words& words);

/// int, const, auto, ...
bool is_type_word(std::string_view word);
/// Its call is that of a type.
bool is_constructor(const Name& name);

/// Fills `program.names`.
void collect_names(Program& program);

/// True when the name may be that of a parameter or a local variable of the function.
bool declared_in(const Unit& unit, const Body& body, std::string_view name);
/// True when the name is that of a parameter of the function itself, not of its template.
bool is_parameter_of(const Stream& stream, const Body& body, std::string_view name);
/// True for a token under an #if, other than the guard of a header: whether it is compiled is unknown.
bool is_conditional(const Stream& stream, int index);
/// True for a function template and a member of a class template: it may never be instantiated.
bool is_template(const Unit& unit, const Body& body);
/// True if the body has its own mark before `index`: a lambda or a local class with functions for the other side.
bool in_local_class_for(const Stream& stream, const Body& body, int index);
/// True inside sizeof(...), decltype(...) and the like: nothing is called there.
bool is_unevaluated(const Stream& stream, int index);
/// True when a macro, of the program's own, is called so or mentions the name: what it does with it is unknown.
bool in_a_macro(const Program& program, std::string_view name);
/// The namespaces and classes that are written before the name at `index`: "a::b"; `begin` is set to the first token.
std::string written_qualifier(const Stream& stream, int index, int& begin);

/// The functions that the call of the name at `index` can mean, seen without types; empty when there is a doubt.
std::vector<const Name*> certain_functions(const Unit& unit, const Body& body, int index);

/// The tokens of a launch: the first token of the kernel's expression, the `<<<`, and the first `>` that closes it.
struct LaunchTokens {
    int begin, open, close;
};
/// Tells what nvcc refuses of a launch, no matter what is launched how; false after an error.
bool refuse_launch(Unit& unit, const LaunchTokens& launch);

/// A call with its arguments, shortened, as a report shows it.
std::string shown(const Stream& stream, int begin, int end);

}  // namespace kit::translate
