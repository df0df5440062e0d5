// Refuses calls that nvcc refuses: a call of a host function in device code, of a device function in host
// code, and of a kernel without <<<...>>>. The pass knows only names, not types. If types matter,
// refuse_overloads.cpp decides.
#include <algorithm>

#include "names.hpp"

namespace kit::translate {
namespace {

/// Returns the declaration with the missing mark added, on one line.
std::string declaration_text(const Name& name) {
    const Stream& file = name.unit->streams[0];
    int open = name.token;
    while (!file.is(open, "(")) ++open;
    return shown(file, name.attribute, file[open].match + 1);
}

std::string place_of(const Name& name, const Unit& seen_from) {
    const std::string line = std::to_string(name.line());
    if (name.unit == &seen_from) return "line " + line;
    return name.unit->path.substr(name.unit->path.rfind('/') + 1) + ":" + line;
}

void check(Unit& unit, const Body& body, int index) {
    const Stream& stream = unit.streams[0];
    const std::vector<const Name*> functions = certain_functions(unit, body, index);
    if (functions.empty()) return;
    const auto all = [&](auto holds) {
        return std::all_of(functions.begin(), functions.end(), [&](const Name* one) { return holds(*one); });
    };
    const Name& first = *functions.front();
    int begin = 0;
    written_qualifier(stream, index, begin);
    int open = index + 1;
    if (!stream.is(open, "(")) open = after(stream, open);
    const std::string call = "'" + shown(stream, begin, stream[open].match + 1) + "'";
    const std::string declared = "'" + declaration_text(first) + "' (" + place_of(first, unit) + ")";
    if (all([](const Name& one) { return one.kernel; })) {
        return unit.error(stream[index], call + " calls a kernel like a function: launch it with " +
                                             shown(stream, begin, open) + "<<<grid, block>>>(...)");
    }
    const bool relaxed =
        unit.program.relaxed_constexpr && all([](const Name& one) { return one.is_constexpr; });
    const auto for_host = [](const Name& one) { return !one.device && !one.kernel && !one.implicit; };
    const auto for_device = [](const Name& one) { return one.device && !one.host && !one.implicit; };
    if (!body.host && !relaxed && all(for_host)) {
        unit.error(stream[index], call + " calls a host function from device code: write __device__ before " +
                                      declared + ", or __host__ __device__ if the host calls it, too");
    } else if (!body.device && all(for_device) && !is_template(unit, body)) {
        unit.error(stream[index], call + " calls a device function from host code: write __host__ before " +
                                      declared + ", or call it in a kernel");
    }
}

}  // namespace

void refuse_calls(Unit& unit) {
    const Stream& stream = unit.streams[0];
    const std::vector<Body> bodies = function_bodies(unit);
    for (const Body& body : bodies) {
        if (body.host && body.device) continue;
        for (int i = body.open + 1; i < body.close; ++i) {
            if (!stream.is_identifier(i) || (!stream.is(i + 1, "(") && !stream.is(i + 1, "<"))) continue;
            // Code in a lambda with its own marks is checked as part of that lambda.
            bool inner = false;
            for (const Body& other : bodies)
                inner |= other.open > body.open && other.open < i && i < other.close;
            if (!inner && !in_local_class_for(stream, body, i)) check(unit, body, i);
        }
    }
}

}  // namespace kit::translate
