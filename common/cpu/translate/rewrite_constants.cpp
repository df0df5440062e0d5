// __constant__ variables: the executor is told of each, so that kernels may not write it and 64 KB are not exceeded.
//
//   __constant__ float mask[32];   stays, and is followed on the same line by
//   [[maybe_unused]] static const bool kit_constant_1 = ::kit::cpu::declare_constant(&mask, sizeof mask);
//
// Variables of a class and templates are left alone.
#include "unit.hpp"

namespace kit::translate {
namespace {

/// The name that [begin, end) declares: the last identifier before an initializer or a bound; -1 if there is none.
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

void declare(Unit& unit, const Stream& stream, int constant) {
    const int begin = declaration_begin(stream, constant);
    int end = constant;
    while (end < stream.size() && !stream.is(end, ";")) end = after(stream, end);
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
        if (name < 0) continue;
        const std::string variable(stream.text(name));
        calls += " [[maybe_unused]] static const bool kit_constant_" +
                 std::to_string(unit.program.next_number++) +
                 " = ::kit::cpu::declare_constant(__builtin_addressof(" + variable + "), sizeof(" + variable +
                 "));";
    }
    unit.edits.insert(stream[end].end(), calls);
}

}  // namespace

void rewrite_constants(Unit& unit) {
    const Stream& stream = unit.streams[0];
    int last = -1;
    for (int i = 0; i < stream.size(); ++i) {
        if (!stream.is(i, "__constant__") || unit.scope(stream, i).kind != Scope::Kind::space) continue;
        if (declaration_begin(stream, i) == last) continue;
        last = declaration_begin(stream, i);
        declare(unit, stream, i);
    }
}

}  // namespace kit::translate
