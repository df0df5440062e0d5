// Finds the kernels that the file declares (template? overloaded?) and writes their launch bounds into their bodies.
#include <algorithm>
#include <set>

#include "unit.hpp"

namespace kit::translate {
namespace {

/// True when the parameter's tokens [begin, end), without default, end with its name.
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

/// One template header. `arguments` names its parameters, as in `k<T, N, Rest...>`; trailing nameless parameters with
/// a default are left to the default. False when a parameter that is needed has no name.
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
            // A template list inside a parameter: of `template <class> class T`, or of a type after its name.
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
    std::string text;       ///< without default arguments
    std::string signature;  ///< the types only, so that a declaration and its definition compare equal
};

Parameters read_parameters(const Stream& stream, int open) {
    Parameters parameters;
    const int close = stream[open].match;
    std::vector<int> ends = top_level_commas(stream, open + 1, close);
    ends.push_back(close);
    int begin = open + 1;
    for (int end : ends) {
        const int last = find_default(stream, begin, end);
        if (!parameters.text.empty()) parameters.text += ", ";
        parameters.text += text_of(stream, begin, last);
        const int type_end = last - ends_with_name(stream, begin, last);
        for (int i = begin; i < type_end; ++i) parameters.signature += std::string(stream.text(i)) + ' ';
        parameters.signature += ", ";
        begin = end + 1;
    }
    return parameters;
}

/// An attribute that bounds what the kernel may use, and the template that tells the executor.
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

/// Writes what __launch_bounds__ and its kin say at the top of the body.
void write_bounds(Unit& unit, const Stream& stream, int bounds, int body) {
    const Attribute& attribute = *attribute_at(stream, bounds);
    const int open = bounds + 1;
    if (!stream.is(open, "(") || stream[open].match < 0)
        return unit.error(stream[bounds], "expected '(' after " + std::string(attribute.word));
    const int close = stream[open].match;
    std::vector<int> ends = top_level_commas(stream, open + 1, close);
    ends.push_back(close);
    std::string values;
    int begin = open + 1;
    for (const int end : ends) {
        if (begin < end) values += ", (" + text_of(stream, begin, end) + ")";
        begin = end + 1;
    }
    unit.edits.insert(stream[body].end(), std::string(" struct ") + attribute.holder +
                                              " {}; ::kit::cpu::" + attribute.declares + "<" +
                                              attribute.holder + values + ">::declare();");
}

/// The parts of a kernel's declaration, as token indices.
struct Parts {
    std::vector<int> bounds;  ///< of all its attributes
    int open = -1;            ///< parenthesis of the parameters
    int name = -1;
    int body = -1;  ///< its `{`, or the `;` of a declaration
};

Parts find_parts(const Stream& stream, int begin, int global) {
    Parts parts;
    for (int i = begin; i < stream.size() && parts.open < 0; i = after(stream, i)) {
        if (stream.is(i, ";") || stream.is(i, "{")) return parts;
        if (attribute_at(stream, i)) parts.bounds.push_back(i);
        const bool parameters = i > global && stream.is(i, "(") && stream[i].match > 0;
        if (parameters && !takes_attribute_parentheses(stream.text(i - 1))) parts.open = i;
    }
    if (parts.open < 0) return parts;
    parts.name = parts.open - 1;
    parts.body = stream[parts.open].match + 1;
    for (; parts.body < stream.size() && !stream.is(parts.body, "{") && !stream.is(parts.body, ";");
         parts.body = after(stream, parts.body))
        if (attribute_at(stream, parts.body)) parts.bounds.push_back(parts.body);
    return parts;
}

void collect(Unit& unit, const Stream& stream, int global) {
    Kernel kernel;
    const int begin = declaration_begin(stream, global);
    std::string header;
    std::string arguments;
    bool can_resolve = !stream.macro;
    for (int i = begin; i < global; ++i) {
        if (!stream.is(i, "template")) continue;
        if (!stream.is(i + 1, "<")) return;  // an explicit instantiation
        const int close = close_angle(stream, i + 1);
        if (close < 0) return;
        can_resolve &= read_template_header(stream, i + 1, close, kernel, arguments);
        header += text_of(stream, i, close + 1) + ' ';
        i = close;
    }
    const Parts parts = find_parts(stream, begin, global);
    if (parts.open < 0) return;
    for (const int bounds : parts.bounds)
        if (stream.is(parts.body, "{")) write_bounds(unit, stream, bounds, parts.body);

    const int name = parts.name;
    // A specialization ends with `>`; a name made by a macro is unknown.
    if (!stream.is_identifier(name) || stream.is_parameter(name)) return;
    kernel.path = unit.scope(stream, global).path;
    std::string qualifier;
    for (int i = name - 1; stream.is(i, "::") && stream.is_identifier(i - 1); i -= 2)
        qualifier = std::string(stream.text(i - 1)) + (qualifier.empty() ? "" : "::") + qualifier;
    if (!qualifier.empty()) kernel.path += (kernel.path.empty() ? "" : "::") + qualifier;
    const Parameters parameters = read_parameters(stream, parts.open);
    kernel.signature = parameters.signature;
    // A parameter list with two versions cannot be written on one line.
    for (int i = begin; i < parts.body; ++i) can_resolve &= stream[i].kind != Kind::directive;

    const int last = stream.is(parts.body, "{") ? stream[parts.body].match : parts.body;
    if (can_resolve && qualifier.empty() && last > 0 && last < stream.size()) {
        const std::string spelled(stream.text(name));
        kernel.resolver = header + "::kit::cpu::KernelConstant<void (*)(" + parameters.text + "), &" +
                          spelled + (kernel.is_template ? "<" + arguments + ">" : "") + "> kit_kernel_" +
                          spelled + "(" + parameters.text + ");";
        // It is never defined; GCC says so for functions of an unnamed namespace.
        if (!kernel.is_template)
            kernel.resolver =
                "_Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored "
                "\\\"-Wunused-function\\\"\") " +
                kernel.resolver + " _Pragma(\"GCC diagnostic pop\")";
        kernel.resolver.insert(0, " ");
        kernel.resolver_offset = stream[last].end();
    }
    unit.kernels.emplace(std::string(stream.text(name)), std::move(kernel));
}

}  // namespace

void collect_kernels(Unit& unit) {
    std::set<std::string_view> aliases = {"__global__"};
    for (const Stream& stream : unit.streams) {
        if (!stream.macro || !stream.parameters.empty()) continue;
        bool has_global = false;
        bool has_body = false;
        for (const Token& token : stream.tokens) {
            has_global |= token.is("__global__");
            has_body |= token.is("(") || token.is(";");
        }
        if (has_global && !has_body) aliases.insert(stream.name);
    }
    for (const Stream& stream : unit.streams)
        for (int i = 0; i < stream.size(); ++i)
            if (stream.is_identifier(i) && aliases.count(stream.text(i))) collect(unit, stream, i);
}

}  // namespace kit::translate
