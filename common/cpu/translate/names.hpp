// The declarations of a translation unit outside functions, and who can use them: the host, the device, or both.
//
// They are read from tokens, so the list can be incomplete: declarations in macros and system headers are missing. A pass that refuses code
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
    int token = 0;          ///< index of the token with the name
    int attribute = 0;      ///< the token before which a function's attribute can be inserted
    std::string path;       ///< the namespaces and classes around it
    std::string signature;  ///< types of the parameters
    bool member = false;    ///< whether it is a member of a class
    bool host = false, device = false, kernel = false;
    bool constant = false;  ///< whether the variable is const or constexpr
    bool is_constexpr = false;
    bool is_static = false;
    bool managed = false, shared = false, in_constant_memory = false;
    int dimensions = 0;     ///< the number of dimensions of an array
    bool strange = false;   ///< whether its kind depends on an #if, or on a macro that was not read
    bool implicit = false;  ///< whether it is = default or = delete, and so for both sides
    int line() const { return unit->streams[0][token].line; }
};

using Words = std::set<std::string_view>;
/// Returns whether one of these words is among the tokens from `begin` to before `end`.
bool mentions(const Stream& stream, int begin, int end, const Words& words);

/// Returns whether the word is part of a type: int, const, auto, ...
bool is_type_word(std::string_view word);
/// Returns whether the function is a constructor, which is called by the name of its type.
bool is_constructor(const Name& name);

/// Fills `program.names`.
void collect_names(Program& program);

/// Returns whether the name may be that of a parameter or a local variable of the function.
bool declared_in(const Unit& unit, const Body& body, std::string_view name);
/// Returns whether the name is that of a parameter of the function itself, not of its template.
bool is_parameter_of(const Stream& stream, const Body& body, std::string_view name);
/// Returns whether a token is under an #if other than the guard of a header, so that it may not be compiled.
bool is_conditional(const Stream& stream, int index);
/// Returns whether the body belongs to a function template or a member of a class template, which may never be instantiated.
bool is_template(const Unit& unit, const Body& body);
/// Returns whether the body has its own mark before `index`: a lambda or a local class with functions for the other side.
bool in_local_class_for(const Stream& stream, const Body& body, int index);
/// Returns whether the token is inside sizeof(...), decltype(...) or the like, where no function is called.
bool is_unevaluated(const Stream& stream, int index);
/// Returns whether a macro of the program has this name or mentions it, so that the effect is unknown.
bool in_a_macro(const Program& program, std::string_view name);
/// Returns the namespaces and classes written before the name at `index`, such as "a::b"; `begin` is set to their first token.
std::string written_qualifier(const Stream& stream, int index, int& begin);

/// Returns the functions that the call of the name at `index` can mean, judged without types; empty if that is uncertain.
std::vector<const Name*> certain_functions(const Unit& unit, const Body& body, int index);

/// The tokens of a launch: the first token of the kernel's expression, the `<<<`, and the first `>` that closes it.
struct LaunchTokens {
    int begin, open, close;
};
/// Refuses a launch that nvcc refuses for every kernel and configuration. Returns false after an error.
bool refuse_launch(Unit& unit, const LaunchTokens& launch);

/// Returns a call with its arguments, shortened, as a report shows it.
std::string shown(const Stream& stream, int begin, int end);

}  // namespace kit::translate
