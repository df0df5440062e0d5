// Refuses launches that nvcc refuses: of a function that is not a kernel, of a lambda, as a value, or without
// a semicolon.
#include "names.hpp"

namespace kit::translate {
namespace {

/// Returns the function whose body contains the token; null outside of functions.
const Body* body_around(const std::vector<Body>& bodies, int index) {
    const Body* innermost = nullptr;
    for (const Body& body : bodies)
        if (body.open < index && index < body.close && (innermost == nullptr || body.open > innermost->open))
            innermost = &body;
    return innermost;
}

/// Returns whether the `[` at `index` begins a lambda that is not marked for the device.
bool is_host_lambda(const Stream& stream, int index) {
    if (!stream.is(index, "[") || stream[index].match < 0) return false;
    for (int i = stream[index].match + 1; i < stream.size() && !stream.is(i, ";"); i = after(stream, i)) {
        if (stream.is(i, "__device__")) return false;
        if (stream.is(i, "{")) return true;
    }
    return false;
}

/// Returns whether a local variable with this name stores a host lambda.
bool holds_host_lambda(const Stream& stream, const Body& body, std::string_view name) {
    for (int i = body.open; i < body.close; ++i)
        if (stream.is(i, "auto") && stream.is(i + 1, name) && stream.is(i + 2, "=") &&
            is_host_lambda(stream, i + 3))
            return true;
    return false;
}

/// Returns the launched function if all functions with this name are known and none of them is a kernel; null
/// otherwise.
const Name* launched_function(const Unit& unit, const Body& body, int begin, int name) {
    const Stream& stream = unit.streams[0];
    int first_token = 0;
    written_qualifier(stream, name, first_token);
    if (first_token != begin || declared_in(unit, body, stream.text(name)) ||
        in_a_macro(unit.program, stream.text(name)))
        return nullptr;
    if (unit.program.kernels.count(stream.text(name))) return nullptr;
    const auto [first, last] = unit.program.names.equal_range(stream.text(name));
    for (auto it = first; it != last; ++it)
        if (it->second->kind != Name::Kind::function || it->second->kernel || it->second->strange)
            return nullptr;
    return first == last ? nullptr : first->second.get();
}

bool check_launched(Unit& unit, const Body& body, const LaunchTokens& launch) {
    const Stream& stream = unit.streams[0];
    int name = launch.open - 1;
    if (stream.is(name, ">")) name = open_angle(stream, name) - 1;
    if (!stream.is_identifier(name)) return true;
    const std::string text(stream.text(name));
    if (name == launch.begin && holds_host_lambda(stream, body, text)) {
        unit.error(
            stream[name],
            "'" + text + "' is a lambda, but only kernels can be launched: write a __global__ function");
        return false;
    }
    const Name* function = launched_function(unit, body, launch.begin, name);
    if (function == nullptr) return true;
    unit.error(stream[name], "'" + text + "' is launched, but is not a kernel: write __global__ " +
                                 (function->device ? "instead of __device__ " : "") +
                                 "before its declaration (line " + std::to_string(function->line()) + ")");
    return false;
}

/// Refuses a host lambda as an argument of a kernel template, because device code cannot know its type.
/// Returns false if a lambda was refused.
bool check_arguments(Unit& unit, const Body& body, const LaunchTokens& launch) {
    const Stream& stream = unit.streams[0];
    int name = launch.open - 1;
    if (stream.is(name, ">")) name = open_angle(stream, name) - 1;
    const auto [first, last] = unit.program.kernels.equal_range(stream.text(name));
    bool is_template = first != last && !body.device;
    for (auto it = first; it != last; ++it) is_template &= it->second.is_template;
    if (!is_template) return true;
    const int open = launch.close + 3;
    std::vector<int> ends = top_level_commas(stream, open + 1, stream[open].match);
    ends.push_back(stream[open].match);
    int begin = open + 1;
    for (const int end : ends) {
        const bool variable = end == begin + 1 && stream.is_identifier(begin);
        if (is_host_lambda(stream, begin) ||
            (variable && holds_host_lambda(stream, body, stream.text(begin)))) {
            unit.error(
                stream[begin],
                "'" + shown(stream, begin, end) +
                    "' is a host lambda, which a kernel cannot call: write [=] __device__ (...) {...}, and "
                    "compile with --extended-lambda");
            return false;
        }
        begin = end + 1;
    }
    return true;
}

bool is_word_before(std::string_view word) {
    static const std::set<std::string_view> words = {"return",    "else", "do", "case", "goto",
                                                     "co_return", "and",  "or", "not"};
    return words.count(word) > 0;
}

/// Requires a semicolon before and after a launch, unless the launch is part of an expression. Returns false
/// after an error.
bool check_surroundings(Unit& unit, const LaunchTokens& launch) {
    const Stream& stream = unit.streams[0];
    const int last = stream[launch.close + 3].match;
    const std::string text = "'" + shown(stream, launch.begin, last + 1) + "'";
    const int before = launch.begin - 1;
    const bool word = stream.is_identifier(before) && !is_word_before(stream.text(before)) &&
                      !unit.program.macros.count(stream.text(before));
    if (word ||
        (before >= 0 && (stream[before].kind == Kind::number || stream[before].kind == Kind::string))) {
        unit.error(stream[before], "expected ';' after '" + std::string(stream.text(before)) +
                                       "', before the launch " + text);
        return false;
    }
    if (stream.is(before, "=")) {
        unit.error(stream[launch.begin],
                   "the launch " + text + " does not return a value: call cudaGetLastError() after it");
        return false;
    }
    if (last < 0 || last + 1 >= stream.size()) return true;
    const Token& next = stream[last + 1];
    if (next.kind == Kind::identifier || next.kind == Kind::number || next.is("}") || next.is("{")) {
        unit.error(stream[last], "expected ';' after the launch " + text);
        return false;
    }
    return true;
}

}  // namespace

bool refuse_launch(Unit& unit, const LaunchTokens& launch) {
    const std::vector<Body> bodies = function_bodies(unit);
    const Body* body = body_around(bodies, launch.open);
    if (!check_surroundings(unit, launch)) return false;
    return body == nullptr || (check_launched(unit, *body, launch) && check_arguments(unit, *body, launch));
}

}  // namespace kit::translate
