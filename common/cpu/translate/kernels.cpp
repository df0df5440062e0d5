// Finds the kernels that a file declares, including templates and overloads, and writes their launch bounds
// into their bodies.
#include <algorithm>
#include <set>

#include "unit.hpp"

namespace kit::translate {
namespace {

/// Returns whether the tokens [begin, end) of a parameter, without its default argument, end with its name.
bool ends_with_name(const Stream& stream, int begin, int end) {
    static const std::set<std::string_view> type_words = {"int",   "unsigned", "signed", "long",    "short",
                                                          "char",  "float",    "double", "bool",    "const",
                                                          "class", "typename", "auto",   "volatile"};
    return end - begin > 1 && stream.is_identifier(end - 1) && !stream.is(end - 2, "::") &&
           !type_words.count(stream.text(end - 1));
}

int find_default(const Stream& stream, int begin, int end) {
    int i = begin;
    while (i < end && !stream.is(i, "=")) i = after(stream, i);
    return std::min(i, end);
}

/// Reads one template header. `arguments` receives the names of its parameters, as in `k<T, N, Rest...>`. The
/// last parameters may have no name if they have defaults. Returns false if a parameter has neither a name
/// nor a default.
bool read_template_header(const Stream& stream, int open, int close, Kernel& kernel, std::string& arguments) {
    kernel.is_template = close > open + 1;
    bool complete = true;
    bool ended = false;
    for (int begin = open + 1; begin < close;) {
        int end = begin;
        bool pack = false;
        for (; end < close && !stream.is(end, ","); ++end) {
            pack |= stream.is(end, "...");
            if (stream[end].match > end) end = stream[end].match;
            // A parameter can contain a template list: `template <class> class T`, or a type after the
            // parameter's name.
            if (stream.is(end, "<")) end = std::max(end, close_angle(stream, end));
        }
        const int value = find_default(stream, begin, end);
        kernel.parameters += pack ? many : 1;
        kernel.required += value == end && !pack;
        if (ends_with_name(stream, begin, value)) {
            complete &= !ended;
            arguments +=
                (arguments.empty() ? "" : ", ") + std::string(stream.text(value - 1)) + (pack ? "..." : "");
        } else {
            complete &= value < end;
            ended = true;
        }
        begin = end + 1;
    }
    return complete;
}

struct Parameters {
    std::string text;       ///< the parameters without default arguments
    std::string signature;  ///< only the types, so that a declaration and its definition compare equal
    std::string complete;   ///< with default arguments, and with a name for each parameter
    std::string names;
    int count = 0;
    bool has_defaults = false;
};

Parameters read_parameters(const Stream& stream, int open) {
    Parameters parameters;
    const int close = stream[open].match;
    std::vector<int> ends = top_level_commas(stream, open + 1, close);
    ends.push_back(close);
    int begin = open + 1;
    for (int end : ends) {
        if (begin == end) break;  // there are no parameters
        const int last = find_default(stream, begin, end);
        const char* comma = parameters.text.empty() ? "" : ", ";
        parameters.text += comma + text_of(stream, begin, last);
        const bool named = ends_with_name(stream, begin, last);
        const std::string name =
            named ? std::string(stream.text(last - 1)) : "kit_parameter_" + std::to_string(parameters.count);
        parameters.names += comma + name;
        parameters.complete += comma + text_of(stream, begin, last) + (named ? "" : " " + name);
        if (last < end) parameters.complete += " " + text_of(stream, last, end);
        parameters.has_defaults |= last < end;
        ++parameters.count;
        const int type_end = last - named;
        for (int i = begin; i < type_end; ++i) parameters.signature += std::string(stream.text(i)) + ' ';
        parameters.signature += ", ";
        begin = end + 1;
    }
    return parameters;
}

/// Returns whether this is the name of a parameter.
bool names_parameter(const Parameters& parameters, const std::string& name) {
    const std::string names = ", " + parameters.names + ",";
    return names.find(", " + name + ",") != std::string::npos;
}

/// An attribute that limits the resources of a kernel, and the template of the executor that receives its
/// values.
struct Attribute {
    std::string_view word;
    const char* holder;
    const char* declares;
};
constexpr Attribute attributes[] = {{"__launch_bounds__", "kit_bounds", "LaunchBounds"},
                                    {"__maxnreg__", "kit_registers", "MaxRegisters"},
                                    {"__cluster_dims__", "kit_cluster", "ClusterDims"}};

const Attribute* attribute_at(const Stream& stream, int index) {
    for (const Attribute& attribute : attributes)
        if (stream.is(index, attribute.word)) return &attribute;
    return nullptr;
}

/// Returns the tokens as text. For tokens in a macro, the arguments of the macro's call replace its
/// parameters.
std::string text_with_arguments(const Stream& stream, int begin, int end,
                                const std::vector<std::string>& arguments) {
    std::string text;
    for (int i = begin; i < end; ++i) {
        if (!text.empty() && stream[i].offset > stream[i - 1].end()) text += ' ';
        std::size_t parameter = 0;
        while (parameter < stream.parameters.size() && stream.parameters[parameter] != stream.text(i))
            ++parameter;
        text += parameter < arguments.size() ? arguments[parameter] : stream[i].text;
    }
    return text;
}

/// Returns the statement for the top of the kernel's body that states the attribute at `index`; empty if the
/// attribute has no values.
std::string bounds_text(const Stream& stream, int index, const std::vector<std::string>& arguments) {
    const Attribute& attribute = *attribute_at(stream, index);
    const int open = index + 1;
    if (!stream.is(open, "(") || stream[open].match < 0) return "";
    const int close = stream[open].match;
    std::vector<int> ends = top_level_commas(stream, open + 1, close);
    ends.push_back(close);
    std::string values;
    int begin = open + 1;
    for (const int end : ends) {
        if (begin < end) values += ", (" + text_with_arguments(stream, begin, end, arguments) + ")";
        begin = end + 1;
    }
    return std::string(" struct ") + attribute.holder + " {}; ::kit::cpu::" + attribute.declares + "<" +
           attribute.holder + values + ">::declare();";
}

/// Returns the macro with this name that contains attributes of a kernel; null if there is none.
const Stream* attribute_macro(const Unit& unit, const Stream& stream, int index) {
    if (!stream.is_identifier(index) || attribute_at(stream, index)) return nullptr;
    const auto [first, last] = unit.program.macros.equal_range(stream.text(index));
    for (auto it = first; it != last; ++it)
        for (int i = 0; i < it->second->size(); ++i)
            if (attribute_at(*it->second, i)) return it->second;
    return nullptr;
}

/// Writes __launch_bounds__ and similar attributes as statements at the top of the kernel's body. These
/// attributes can be in a macro.
void write_bounds(Unit& unit, const Stream& stream, int bounds, int body) {
    std::string text;
    if (attribute_at(stream, bounds)) {
        text = bounds_text(stream, bounds, {});
        if (text.empty())
            unit.error(stream[bounds], "expected '(' after " + std::string(stream.text(bounds)));
    } else if (const Stream* macro = attribute_macro(unit, stream, bounds)) {
        std::vector<std::string> arguments;
        const int open = bounds + 1;
        if (!macro->parameters.empty() && stream.is(open, "(") && stream[open].match > open) {
            int begin = open + 1;
            std::vector<int> ends = top_level_commas(stream, begin, stream[open].match);
            ends.push_back(stream[open].match);
            for (const int end : ends) {
                arguments.push_back(text_of(stream, begin, end));
                begin = end + 1;
            }
        }
        for (int i = 0; i < macro->size(); ++i)
            if (attribute_at(*macro, i)) text += bounds_text(*macro, i, arguments);
    }
    unit.edits.insert(stream[body].end(), text);
}

bool is_attribute(const Unit& unit, const Stream& stream, int index) {
    return attribute_at(stream, index) || attribute_macro(unit, stream, index);
}

/// The parts of a kernel's declaration, as indexes of tokens.
struct Parts {
    std::vector<int> bounds;  ///< the tokens of all attributes of the kernel
    int open = -1;            ///< the opening parenthesis of the parameters
    int name = -1;
    int body = -1;  ///< the `{` of the body, or the `;` of a declaration without a body
};

Parts find_parts(const Unit& unit, const Stream& stream, int begin, int global) {
    Parts parts;
    for (int i = begin; i < stream.size() && parts.open < 0; i = after(stream, i)) {
        if (stream.is(i, ";") || stream.is(i, "{")) return parts;
        if (is_attribute(unit, stream, i)) parts.bounds.push_back(i);
        const bool parameters = i > global && stream.is(i, "(") && stream[i].match > 0;
        if (!parameters || takes_attribute_parentheses(stream.text(i - 1))) continue;
        // The form MACRO(256) name(parameters).
        const bool macro =
            stream.is_identifier(stream[i].match + 1) && unit.program.macros.count(stream.text(i - 1));
        if (!macro) parts.open = i;
    }
    if (parts.open < 0) return parts;
    parts.name = parts.open - 1;
    parts.body = stream[parts.open].match + 1;
    for (; parts.body < stream.size() && !stream.is(parts.body, "{") && !stream.is(parts.body, ";");
         parts.body = after(stream, parts.body))
        if (is_attribute(unit, stream, parts.body)) parts.bounds.push_back(parts.body);
    return parts;
}

void collect(Unit& unit, const Stream& stream, int global) {
    Kernel kernel;
    kernel.unit = &unit;
    int begin = declaration_begin(stream, global);
    while (stream.is(begin - 1, ")") && stream[begin - 1].match > 0 &&
           attribute_macro(unit, stream, stream[begin - 1].match - 1))
        begin = declaration_begin(stream, stream[begin - 1].match - 1);
    std::string header;
    std::string arguments;
    bool can_resolve = !stream.macro;
    for (int i = begin; i < global; ++i) {
        if (!stream.is(i, "template")) continue;
        if (!stream.is(i + 1, "<")) return;  // this is an explicit instantiation
        const int close = close_angle(stream, i + 1);
        if (close < 0) return;
        can_resolve &= read_template_header(stream, i + 1, close, kernel, arguments);
        header += text_of(stream, i, close + 1) + ' ';
        i = close;
    }
    const Parts parts = find_parts(unit, stream, begin, global);
    if (parts.open < 0) {
        unit.program.has_unmarked = true;
        return;
    }
    for (const int bounds : parts.bounds)
        if (stream.is(parts.body, "{")) write_bounds(unit, stream, bounds, parts.body);

    const int name = parts.name;
    // The name of a specialization ends with `>`. A name that a macro creates is unknown.
    if (!stream.is_identifier(name) || stream.is_parameter(name)) {
        unit.program.has_unmarked = true;
        return;
    }
    kernel.path = unit.scope(stream, global).path;
    std::string qualifier;
    for (int i = name - 1; stream.is(i, "::") && stream.is_identifier(i - 1); i -= 2)
        qualifier = std::string(stream.text(i - 1)) + (qualifier.empty() ? "" : "::") + qualifier;
    if (!qualifier.empty()) kernel.path += (kernel.path.empty() ? "" : "::") + qualifier;
    const Parameters parameters = read_parameters(stream, parts.open);
    kernel.signature = parameters.signature;
    kernel.has_defaults = parameters.has_defaults;
    kernel.arguments = parameters.count;
    const std::string spelled(stream.text(name));
    const std::string constant =
        "void (*)(" + parameters.text + "), &" + spelled + (kernel.is_template ? "<" + arguments + ">" : "");
    // A parameter list under an #if has two versions, which cannot be written on one line.
    for (int i = begin; i < parts.body; ++i) can_resolve &= stream[i].kind != Kind::directive;

    const int last = stream.is(parts.body, "{") ? stream[parts.body].match : parts.body;
    if (can_resolve && qualifier.empty() && last > 0 && last < stream.size()) {
        kernel.resolver = header + "::kit::cpu::KernelConstant<" + constant + "> kit_kernel_" + spelled +
                          "(" + parameters.text + ");";
        kernel.binder = " " + header + "[[maybe_unused]] static inline ::kit::cpu::KernelWithArguments<" +
                        constant + "> kit_bind_" + spelled + "(" + parameters.complete + ") { return {{" +
                        parameters.names + "}}; }";
        if (!kernel.is_template)
            kernel.pointer = " [[maybe_unused]] static constexpr auto kit_only_" + spelled +
                             " = static_cast<void (*)(" + parameters.text + ")>(&" + spelled + ");";
        if (unit.program.loops && stream.is(parts.body, "{") && !names_parameter(parameters, spelled))
            unit.edits.insert(stream[parts.body].end(),
                              " (void)&::kit::cpu::KernelLoop<" + constant + ">::declared;");
        if (unit.program.by_address && stream.is(parts.body, "{") && !names_parameter(parameters, spelled))
            unit.edits.insert(stream[parts.body].end(),
                              " (void)&::kit::cpu::KernelByAddress<" + constant + ">::declared;");
        // The function is never defined. In an unnamed namespace, GCC would warn about that.
        if (!kernel.is_template)
            kernel.resolver =
                "_Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored "
                "\\\"-Wunused-function\\\"\") " +
                kernel.resolver + " _Pragma(\"GCC diagnostic pop\")";
        kernel.resolver.insert(0, " ");
        kernel.resolver_offset = stream[last].end();
        const bool has_body = stream.is(parts.body, "{");
        if (!kernel.is_template) {
            kernel.mark = " [[maybe_unused]] static const bool kit_noted_" +
                          std::to_string(unit.program.next_mark++) +
                          " = ::kit::cpu::note_kernel(static_cast<void (*)(" + parameters.text + ")>(&" +
                          spelled + "));";
            kernel.mark_offset = kernel.resolver_offset;
        } else if (has_body && !names_parameter(parameters, spelled)) {
            kernel.mark = " (void)&::kit::cpu::KernelMark<" + constant + ">::noted;";
            kernel.mark_offset = stream[parts.body].end();
        }
    }
    unit.program.has_unmarked |= kernel.mark.empty() && (!kernel.is_template || stream.is(parts.body, "{"));
    unit.program.kernels.emplace(std::string(stream.text(name)), std::move(kernel));
}

}  // namespace

std::string signature_of(const Stream& stream, int open) {
    return read_parameters(stream, open).signature;
}

void collect_kernels(Unit& unit) {
    // Find macros that stand for __global__, with or without attributes. A macro that contains a kernel or
    // its name is not one of them.
    std::set<std::string_view> aliases = {"__global__"};
    for (const auto& [name, macro] : unit.program.macros) {
        bool has_global = false;
        bool has_end = !macro->parameters.empty();
        for (const Token& token : macro->tokens) {
            has_global |= token.is("__global__");
            has_end |= token.is("{") || token.is(";");
        }
        if (has_global && !has_end) aliases.insert(name);
    }
    for (const Stream& stream : unit.streams)
        for (int i = 0; i < stream.size(); ++i)
            if (stream.is_identifier(i) && aliases.count(stream.text(i))) collect(unit, stream, i);
}

namespace {

/// Returns whether a kernel's name is used as a value, which the program may launch elsewhere. A launch, a
/// call or a declaration is no such use.
bool is_kernel_value(const Program& program, const Stream& stream, int index) {
    if (!stream.is_identifier(index) || !program.kernels.count(stream.text(index))) return false;
    if (stream.is(index - 1, ".") || stream.is(index - 1, "->")) return false;
    // A declaration: int name;.
    if (stream.is_identifier(index - 1) && !stream.is(index - 1, "return")) return false;
    const int next = stream.is(index + 1, "<") ? after(stream, index + 1) : index + 1;
    if (stream.is(next, "<<<") || stream.is(next, "(") || stream.is_identifier(next)) return false;
    return !stream.is(declaration_begin(stream, index), "using");
}

}  // namespace

void find_kernel_values(Program& program) {
    for (const Unit& unit : program.units)
        for (const Stream& stream : unit.streams)
            for (int i = 0; i < stream.size() && !program.launches_pointers; ++i)
                program.launches_pointers = is_kernel_value(program, stream, i);
}

void insert_resolvers(Program& program) {
    for (auto& [name, kernel] : program.kernels) {
        if (kernel.resolver_wanted) kernel.unit->edits.insert(kernel.resolver_offset, kernel.resolver);
        if (kernel.binder_wanted) kernel.unit->edits.insert(kernel.resolver_offset, kernel.binder);
        if (program.launches_pointers && !kernel.mark.empty())
            kernel.unit->edits.insert(kernel.mark_offset, kernel.mark);
        if (kernel.pointer_wanted) kernel.unit->edits.insert(kernel.resolver_offset, kernel.pointer);
    }
    Unit& main = program.units[0];
    if (program.launches_pointers && program.has_unmarked)
        main.edits.insert(
            main.source.size(),
            "\n[[maybe_unused]] static const bool kit_unmarked = ::kit::cpu::note_unmarked();\n");
}

}  // namespace kit::translate
