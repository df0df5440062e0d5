// The declarations of a translation unit outside of functions, and whether host or device can use them.
//
// The declarations are read from tokens, so the list can be incomplete: declarations in macros and in system
// headers are missing. A pass that refuses code must therefore be certain (`certain_functions`), or let the
// compiler decide (refuse_overloads.cpp).
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
    int attribute = 0;      ///< token before which an attribute of the function can be inserted
    std::string path;       ///< names of the enclosing namespaces and classes
    std::string signature;  ///< types of the parameters
    bool member = false;    ///< whether the declaration is a member of a class
    bool host = false, device = false, kernel = false;
    bool constant = false;  ///< whether the variable is const or constexpr
    bool is_constexpr = false;
    bool is_static = false;
    bool managed = false, shared = false, in_constant_memory = false;
    int dimensions = 0;    ///< number of dimensions of an array
    bool strange = false;  ///< whether its kind depends on an #if, or on a macro that was not read
    bool implicit =
        false;  ///< whether the function is = default or = delete, so that host and device can use it
    int line() const { return unit->streams[0][token].line; }
};

using Words = std::set<std::string_view>;
/// Returns whether the tokens [begin, end) contain one of these words.
bool mentions(const Stream& stream, int begin, int end, const Words& words);

/// Returns whether the word is part of a type, such as int, const or auto.
bool is_type_word(std::string_view word);
/// Returns whether the function is a constructor, which is called by the name of its class.
bool is_constructor(const Name& name);

/// Stores the names of all declarations in `program.names`.
void collect_names(Program& program);

/// Returns whether the name can be that of a parameter or a local variable of the function.
bool declared_in(const Unit& unit, const Body& body, std::string_view name);
/// Returns whether the name is that of a parameter of the function itself, not of its template.
bool is_parameter_of(const Stream& stream, const Body& body, std::string_view name);
/// Returns whether a token is under an #if, so that it may not be compiled. The include guard of a header
/// does not count.
bool is_conditional(const Stream& stream, int index);
/// Returns whether the body belongs to a template or to a member of a class template, which may never be
/// instantiated.
bool is_template(const Unit& unit, const Body& body);
/// Returns whether a lambda or local class around the token at `index` has its own marks for the other side.
bool in_local_class_for(const Stream& stream, const Body& body, int index);
/// Returns whether the token is inside sizeof(...), decltype(...) or a similar operator, which calls no
/// functions.
bool is_unevaluated(const Stream& stream, int index);
/// Returns whether a use of a constant host array in device code reads the array, judged by its statement. nvcc replaces an
/// element by its value in a constant expression, and in the initializer of a local variable. Returns false if it is
/// uncertain.
bool is_read_from_memory(const Stream& stream, const Body& body, int begin);
/// Returns whether a macro of the program has this name or contains it, so that its effect is unknown.
bool in_a_macro(const Program& program, std::string_view name);
/// Returns the namespaces and classes that are written before the name at `index`, such as "a::b". Sets
/// `begin` to their first token.
std::string written_qualifier(const Stream& stream, int index, int& begin);

/// Returns the functions that a call of the name at `index` can mean, judged without types; empty if that is
/// uncertain.
std::vector<const Name*> certain_functions(const Unit& unit, const Body& body, int index);

/// The tokens of a launch: the first token of the kernel's expression, the `<<<`, and the first of the three
/// closing `>`.
struct LaunchTokens {
    int begin, open, close;
};
/// Refuses a launch that nvcc refuses for every kernel and every configuration. Returns false if the launch
/// was refused.
bool refuse_launch(Unit& unit, const LaunchTokens& launch);

/// Returns a call with its arguments in the shortened form that error messages use.
std::string shown(const Stream& stream, int begin, int end);

}  // namespace kit::translate
