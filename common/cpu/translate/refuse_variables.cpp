// Refuses variables outside of functions that the wrong side uses: host variables in device code, device
// variables in host code.
#include <algorithm>
#include <map>

#include "names.hpp"

namespace kit::translate {
namespace {

using Words = std::set<std::string_view>;

/// A use of a variable in the body of a function.
struct Use {
    Unit& unit;
    const Body& body;
    const Stream& stream;
    int token;               ///< token with the name of the variable
    int begin = 0, end = 0;  ///< tokens of the use, including qualifier, subscripts and members

    bool before(const Words& words) const { return words.count(stream.text(begin - 1)) > 0; }
    bool behind(const Words& words) const { return words.count(stream.text(end)) > 0; }
};

/// Returns the variable that the use must mean; null if it is uncertain.
const Name* certain_variable(Use& use) {
    const auto [first, last] = use.unit.program.names.equal_range(use.stream.text(use.token));
    if (first == last) return nullptr;
    const std::string qualifier = written_qualifier(use.stream, use.token, use.begin);
    const Name* variable = nullptr;
    for (auto it = first; it != last; ++it) {
        const Name& one = *it->second;
        if (one.kind != Name::Kind::variable || one.strange) return nullptr;
        if (one.member && (qualifier.empty() || !one.is_static)) {
            if (qualifier.empty()) return nullptr;
            continue;  // the definition of a static member
        }
        if (variable && (variable->device != one.device || variable->constant != one.constant ||
                         variable->path != one.path))
            return nullptr;
        variable = &one;
    }
    if (variable == nullptr) return nullptr;
    const std::string& path = variable->path;
    if (!qualifier.empty() && path != qualifier &&
        (path.size() < qualifier.size() + 2 ||
         path.compare(path.size() - qualifier.size() - 2, std::string::npos, "::" + qualifier) != 0))
        return nullptr;
    const Stream& stream = use.stream;
    if (stream.is(use.begin - 1, ".") || stream.is(use.begin - 1, "->")) return nullptr;
    const std::string_view name = stream.text(use.token);
    if (stream.is_identifier(use.begin - 1) && !stream.is(use.begin - 1, "return") &&
        !stream.is(use.begin - 1, "else") && !stream.is(use.begin - 1, "do"))
        return nullptr;
    if (declared_in(use.unit, use.body, name) || is_conditional(stream, use.token) ||
        is_unevaluated(stream, use.token) || in_a_macro(use.unit.program, name) ||
        in_local_class_for(stream, use.body, use.token))
        return nullptr;
    use.end = use.token + 1;
    for (;;) {
        if (stream.is(use.end, "[") && stream[use.end].match > 0) {
            use.end = stream[use.end].match + 1;
        } else if (stream.is(use.end, ".") && stream.is_identifier(use.end + 1)) {
            use.end += 2;
        } else {
            return variable;
        }
    }
}

bool is_computed(const Use& use, int begin, int end, int depth);

/// Returns whether this is a local variable of the body, declared before the use, whose value is computed: it is neither constexpr nor a
/// constant with an initializer that is not computed.
bool is_computed_local(const Use& use, std::string_view name, int depth) {
    static const Words ends = {"=", "{", ";", ",", ":"};
    const Stream& stream = use.stream;
    for (int i = use.body.open + 2; i < use.token; ++i) {
        if (!stream.is(i, name) || !is_type_word(stream.text(i - 1)) || !ends.count(stream.text(i + 1)))
            continue;
        bool constant = false;
        for (int k = i - 1; k > use.body.open && !Words{";", "{", "}", "("}.count(stream.text(k)); --k) {
            if (stream.is(k, "constexpr")) return false;
            constant = constant || stream.is(k, "const");
        }
        if (!constant) return true;
        int end = i + 1;
        while (end < use.token && !stream.is(end, ";")) ++end;
        return is_computed(use, i + 1, end, depth + 1);
    }
    return false;
}

/// Returns whether these tokens contain a value that is unknown before the kernel runs.
bool is_computed(const Use& use, int begin, int end, int depth) {
    static const Words builtin = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    constexpr int deepest = 4;  // constants that are initialized with other constants
    for (int i = begin; i < end && depth <= deepest; ++i) {
        if (!use.stream.is_identifier(i)) continue;
        const std::string_view name = use.stream.text(i);
        if (builtin.count(name) || is_parameter_of(use.stream, use.body, name) ||
            is_computed_local(use, name, depth))
            return true;
    }
    return false;
}

/// Returns whether the subscript is such a value.
bool is_computed(const Use& use, int open) {
    return is_computed(use, open + 1, use.stream[open].match, 0);
}

bool writes(const Use& use) {
    static const Words assignments = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", "++", "--"};
    return use.behind(assignments) || use.before({"++", "--"});
}

/// Returns whether the use is an element of the variable itself, not of memory to which it points.
bool is_all_of(const Use& use, const Name& variable) {
    int subscripts = 0;
    for (int i = use.token + 1; i < use.end; i = use.stream[i].match + 1) {
        if (!use.stream.is(i, "[")) return false;
        ++subscripts;
    }
    return subscripts == variable.dimensions;
}

/// A function call, and the position of one of its arguments.
struct Argument {
    int function = -1;  ///< token with the name of the called function; -1 if there is none
    int number = 0, count = 0;
};

/// Returns the call in which the use is a whole argument.
Argument argument_of(const Use& use) {
    static const Words opening = {"(", "[", "{"}, closing = {")", "]", "}"};
    const Stream& stream = use.stream;
    if (!use.before({"(", ","}) || !use.behind({")", ","})) return {};
    int open = use.begin - 1;
    for (int depth = 0; depth > 0 || !opening.count(stream.text(open)); --open) {
        if (open <= use.body.open || stream.is(open, ";")) return {};
        depth += static_cast<int>(closing.count(stream.text(open)));
        depth -= static_cast<int>(opening.count(stream.text(open)));
    }
    if (!stream.is(open, "(")) return {};
    const int name = stream.is(open - 1, ">") ? open_angle(stream, open - 1) - 1 : open - 1;
    if (name <= use.body.open || !stream.is_identifier(name)) return {};
    const std::vector<int> commas = top_level_commas(stream, open + 1, stream[open].match);
    const auto before = std::count_if(commas.begin(), commas.end(), [&](int i) { return i < use.token; });
    return {name, static_cast<int>(before), static_cast<int>(commas.size()) + 1};
}

/// Returns whether the function takes this argument by reference.
bool takes_by_reference(const Name& function, int number) {
    const Stream& file = function.unit->streams[0];
    int open = function.token;
    while (!file.is(open, "(")) ++open;
    std::vector<int> ends = top_level_commas(file, open + 1, file[open].match);
    ends.push_back(file[open].match);
    if (number >= static_cast<int>(ends.size())) return false;
    const int begin = number == 0 ? open + 1 : ends[static_cast<std::size_t>(number) - 1] + 1;
    for (int i = begin; i < ends[static_cast<std::size_t>(number)]; i = after(file, i)) {
        if (file.is(i, "=")) break;
        if (file.is(i, "&") || file.is(i, "&&")) return true;
    }
    return false;
}

/// Returns whether the use creates a reference to the variable: a local reference, or a parameter of a called
/// function.
bool makes_reference(Use& use) {
    const Stream& stream = use.stream;
    if (use.before({"="}) && stream.is(use.begin - 3, "&") && use.behind({";", ","}))
        return stream.is_identifier(use.begin - 4) && is_type_word(stream.text(use.begin - 4));
    const Argument argument = argument_of(use);
    if (argument.function < 0) return false;
    const std::string_view name = stream.text(argument.function);
    if (name == "memcpy_async")  // cooperative_groups::memcpy_async takes sizes by reference, and
                                 // cuda::memcpy_async by value
        return argument.count == 4 ? argument.number == 3
                                   : argument.count == 5 && (argument.number == 2 || argument.number == 4);
    int begin = 0;
    if (written_qualifier(stream, argument.function, begin) == "cuda::std" &&
        Words{"min", "max", "clamp"}.count(name))
        return true;
    const std::vector<const Name*> functions = certain_functions(use.unit, use.body, argument.function);
    return !functions.empty() && std::all_of(functions.begin(), functions.end(), [&](const Name* one) {
        return takes_by_reference(*one, argument.number);
    });
}

void check_device_code(Use& use, const Name& variable) {
    const std::string line = std::to_string(variable.line());
    const std::string text = shown(use.stream, use.begin, use.end);
    if (variable.in_constant_memory && writes(use) && is_all_of(use, variable))
        use.unit.error(use.stream[use.token], "'" + text +
                                                  "' in device code writes the __constant__ variable '" +
                                                  variable.name + "' (line " + line +
                                                  "), which only the host can write, with "
                                                  "cudaMemcpyToSymbol: use a __device__ variable");
    if (variable.device) return;
    if (!variable.constant)
        return use.unit.error(use.stream[use.token],
                              "'" + text + "' in device code is a host variable (line " + line +
                                  "), which the device cannot access: pass its value to the kernel as an "
                                  "argument, or declare it "
                                  "with __device__, __constant__ or, if it never changes, constexpr");
    if (variable.dimensions == 0 && use.end == use.token + 1 && makes_reference(use))
        return use.unit.error(use.stream[use.token],
                              "'" + text + "' in device code makes a reference to a host constant (line " +
                                  line + "), but the device only has its value: pass '+" + text +
                                  "', which is a copy, or copy it into a local variable first");
    const int open = use.token + 1;
    if (variable.dimensions == 0 || !use.stream.is(open, "[")) return;
    const std::string element = "'" + text +
                                "' in device code is an element of a constant host array (line " + line +
                                "), which the device cannot access: ";
    if (is_computed(use, open))
        use.unit.error(use.stream[use.token],
                       element + "declare the array with __constant__ or __device__, or inside the function");
    else if (!variable.member && is_all_of(use, variable) && !use.before({"&"}) &&
             is_read_from_memory(use.stream, use.body, use.begin))
        use.unit.error(
            use.stream[use.token],
            element +
                "declare a constexpr variable with its value first, or declare the array with __constant__");
}

bool is_argument_of(const Use& use, const std::string_view part) {
    int depth = 0;
    for (int i = use.begin - 1; i > use.body.open && !use.stream.is(i, ";"); --i) {
        depth += use.stream.is(i, ")");
        if (!use.stream.is(i, "(")) continue;
        if (depth > 0) {
            --depth;
        } else if (use.stream.text(i - 1).find(part) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

void check_host_code(const Use& use, const Name& variable) {
    if (!variable.device || variable.managed || variable.constant) return;
    const std::string text = "'" + shown(use.stream, use.begin, use.end) + "'";
    const std::string declared = "'" + variable.name + "' (line " + std::to_string(variable.line()) + ")";
    const Token& where = use.stream[use.token];
    if (variable.shared)
        return use.unit.error(where,
                              text + " in host code is shared memory, " + declared +
                                  ", which only the threads of a block can access: use it in a kernel");
    static const Words operators = {
        "+", "-", "/", "%", "<", ">", "==", "!=", "<=", ">=", "&&", "||", "?", "<<", "!"};
    static const Words opening = {"=", "return", "*"};
    const bool element = use.end > use.token + 1;
    if (use.before({"&"}) || (variable.dimensions > 0 && !element) || is_argument_of(use, "Symbol")) return;
    const std::string kind = variable.in_constant_memory ? "__constant__" : "__device__";
    const bool is_written = writes(use);
    const bool refers = use.before({"="}) && use.stream.is(use.begin - 3, "&");
    const bool reads = use.behind(operators) || use.behind({"*"}) || use.before(operators) ||
                       (use.before(opening) && !refers) || is_argument_of(use, "printf");
    if (!is_written && !reads) return;
    use.unit.error(
        where, text + " in host code " + (is_written ? "writes" : "reads") + " the " + kind + " variable " +
                   declared +
                   ", but on the host that name is a different variable, which the device never sees: " +
                   (is_written ? "write with cudaMemcpyToSymbol" : "read with cudaMemcpyFromSymbol"));
}

/// Refuses two declarations `extern __shared__ T name[]` of one name with different types, because they are
/// one variable.
void check_dynamic_shared(Unit& unit) {
    static const Words builtin = {"int",   "unsigned", "char", "short", "long",
                                  "float", "double",   "bool", "signed"};
    const Stream& stream = unit.streams[0];
    // Type and line of each declaration, by namespace and name.
    std::map<std::string, std::pair<std::string, int>> types;
    for (int i = 0; i < stream.size(); ++i) {
        if (!stream.is(i, "__shared__")) continue;
        std::string type;
        bool is_extern = false;
        bool certain = true;
        int name = declaration_begin(stream, i);
        for (; name < stream.size() && !stream.is(name + 1, "[") && !stream.is(name, ";");
             name = after(stream, name)) {
            is_extern |= stream.is(name, "extern");
            const bool other = stream.is(name, "extern") || stream.is(name, "__shared__") ||
                               stream.is(name, "(") || takes_attribute_parentheses(stream.text(name));
            if (other) continue;
            certain &= builtin.count(stream.text(name)) > 0;
            type += (type.empty() ? "" : " ") + std::string(stream.text(name));
        }
        if (!is_extern || !certain || !stream.is_identifier(name)) continue;
        const std::string key = unit.scope(stream, i).path + "::" + std::string(stream.text(name));
        const auto [known, is_new] = types.insert({key, {type, stream[name].line}});
        if (!is_new && known->second.first != type)
            unit.error(stream[name],
                       "'extern __shared__ " + type + " " + std::string(stream.text(name)) +
                           "[]' has a different type in line " + std::to_string(known->second.second) +
                           ", '" + known->second.first +
                           "', but all arrays of this name are one variable: give this one a different name");
    }
}

/// Returns whether a file of the program declares a type or a template of this name.
bool declares_type(const Program& program, std::string_view name) {
    for (const Unit& unit : program.units) {
        const Stream& file = unit.streams[0];
        for (int i = 1; i < file.size(); ++i)
            if (file.is(i, name) &&
                (file.is(i - 1, "class") || file.is(i - 1, "struct") || file.is(i - 1, "using")))
                return true;
    }
    return false;
}

/// Refuses texture references such as texture<float, 1> t, which nvcc no longer supports.
void refuse_references(Unit& unit) {
    const Stream& file = unit.streams[0];
    for (int i = 0; i + 1 < file.size(); ++i) {
        const bool texture = file.is(i, "texture");
        if ((!texture && !file.is(i, "surface")) || !file.is(i + 1, "<") || unit.in_function(file, i))
            continue;
        if (file.is(i - 1, "::") || declares_type(unit.program, file.text(i))) continue;
        const std::string name(file.text(i));
        unit.error(
            file[i],
            "CUDA 12 removed " + name + " references: pass a cuda" + (texture ? "Texture" : "Surface") +
                "Object_t to the kernel as an argument" +
                (texture ? ", or a pointer to global memory, which the kernel reads with __ldg()" : ""));
    }
}

}  // namespace

void refuse_variables(Unit& unit) {
    refuse_references(unit);
    check_dynamic_shared(unit);
    const Stream& stream = unit.streams[0];
    for (const Body& body : function_bodies(unit)) {
        if (body.host && body.device) continue;
        for (int i = body.open + 1; i < body.close; ++i) {
            if (!stream.is_identifier(i)) continue;
            Use use{unit, body, stream, i};
            if (const Name* variable = certain_variable(use))
                body.device ? check_device_code(use, *variable) : check_host_code(use, *variable);
        }
    }
}

}  // namespace kit::translate
