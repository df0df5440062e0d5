// Finds the kernels that the file declares (template? overloaded?) and writes their launch bounds into their
// bodies.
#include <algorithm>
#include <set>

#include "unit.hpp"

namespace kit::translate {
namespace {

/// Counts the parameters of the template list that opens at `open`.
void read_template_parameters(const Stream& stream, int open, int close, Kernel& kernel) {
    kernel.is_template = close > open + 1;
    kernel.required = 0;
    kernel.pack = false;
    int begin = open + 1;
    while (begin < close) {
        int end = begin;
        bool has_default = false;
        for (; end < close && !stream.is(end, ","); ++end) {
            if (stream.is(end, "=")) has_default = true;
            if (stream.is(end, "...")) kernel.pack = true;
            if (stream[end].match > end) end = stream[end].match;
            // A template list inside a parameter: of `template <class> class T`, or of a type after its name.
            if (stream.is(end, "<")) end = std::max(end, close_angle(stream, end));
        }
        kernel.required += !has_default;
        begin = end + 1;
    }
    kernel.required -= kernel.pack;
}

/// The parameter types as text, names left out, so that a declaration and its definition compare equal.
std::string signature(const Stream& stream, int open) {
    static const std::set<std::string_view> type_words = {
        "int", "unsigned", "signed", "long", "short", "char", "float", "double", "bool", "const", "volatile"};
    std::string text;
    const int close = stream[open].match;
    std::vector<int> ends = top_level_commas(stream, open + 1, close);
    ends.push_back(close);
    int begin = open + 1;
    for (int end : ends) {
        int last = begin;
        while (last < end && !stream.is(last, "=")) ++last;
        const bool named =
            last - begin > 1 && stream.is_identifier(last - 1) && !type_words.count(stream.text(last - 1));
        for (int i = begin; i < last - named; ++i) text += std::string(stream.text(i)) + ' ';
        text += ", ";
        begin = end + 1;
    }
    return text;
}

/// Writes what __launch_bounds__ says at the top of the body.
void write_bounds(Unit& unit, const Stream& stream, int bounds, int body) {
    const int open = bounds + 1;
    if (!stream.is(open, "(") || stream[open].match < 0)
        return unit.error(stream[bounds], "expected '(' after __launch_bounds__");
    const std::vector<int> commas = top_level_commas(stream, open + 1, stream[open].match);
    const int end = commas.empty() ? stream[open].match : commas[0];
    unit.edits.insert(stream[body].end(), " struct kit_bounds {}; ::kit::cpu::LaunchBounds<kit_bounds, (" +
                                              text_of(stream, open + 1, end) + ")>::declare();");
}

void collect(Unit& unit, const Stream& stream, int global) {
    Kernel kernel;
    const int begin = declaration_begin(stream, global);
    for (int i = begin; i < global; ++i) {
        if (!stream.is(i, "template")) continue;
        if (!stream.is(i + 1, "<")) return;  // an explicit instantiation
        const int close = close_angle(stream, i + 1);
        if (close < 0) return;
        read_template_parameters(stream, i + 1, close, kernel);
        i = close;
    }
    int bounds = -1;
    int open = -1;
    bool specialization = false;
    for (int i = begin; i < stream.size() && open < 0; i = after(stream, i)) {
        if (stream.is(i, ";") || stream.is(i, "{")) return;
        if (stream.is(i, "__launch_bounds__")) bounds = i;
        if (i <= global || !stream.is(i, "(") || stream[i].match < 0) continue;
        if (takes_attribute_parentheses(stream.text(i - 1))) continue;
        open = i;
    }
    if (open < 0) return;
    int body = stream[open].match + 1;
    for (; body < stream.size() && !stream.is(body, "{") && !stream.is(body, ";"); body = after(stream, body))
        if (stream.is(body, "__launch_bounds__")) bounds = body;
    if (bounds >= 0 && stream.is(body, "{")) write_bounds(unit, stream, bounds, body);

    int name = open - 1;
    if (stream.is(name, ">")) {
        specialization = true;
        name = open_angle(stream, name) - 1;
    }
    if (specialization || !stream.is_identifier(name) || stream.is_parameter(name)) return;
    kernel.path = unit.scope(stream, global).path;
    std::string qualifier;
    for (int i = name - 1; stream.is(i, "::") && stream.is_identifier(i - 1); i -= 2)
        qualifier = std::string(stream.text(i - 1)) + (qualifier.empty() ? "" : "::") + qualifier;
    if (!qualifier.empty()) kernel.path += (kernel.path.empty() ? "" : "::") + qualifier;
    kernel.signature = signature(stream, open);
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
