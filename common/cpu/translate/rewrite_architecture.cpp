// Defines __CUDA_ARCH__ in device code only.
//
// The executor compiles a function once, not once for the host and once for the device. Therefore, the
// translation defines the macro around the bodies of __global__ and __device__ functions that may test it.
// The body of a __host__ __device__ function that tests the macro is written twice, and the function selects
// one when it is called:
//
//   { if (in_device_code()) { body with the macro } else { body without } }
//
// An #if outside of functions is evaluated for the host, unless only device functions use its code. If host
// and device functions use its code and the value differs for the two, the program is refused.
#include <optional>

#include "conditions.hpp"
#include "unit.hpp"

namespace kit::translate {
namespace {

std::string define_text(const Unit& unit, int line) {
    return "\n#define __CUDA_ARCH__ " + std::to_string(unit.program.architecture) + "\n#line " +
           std::to_string(line) + "\n";
}

std::string undefine_text(int line) {
    return "\n#undef __CUDA_ARCH__\n#line " + std::to_string(line) + "\n";
}

bool asks(const Stream& stream, int index, const std::set<std::string_view>& names) {
    const Token& token = stream[index];
    if (token.kind == Kind::identifier) return names.count(token.text) > 0;
    if (token.kind != Kind::directive) return false;
    const std::vector<std::string_view> words = words_of(token.text);
    if (words.empty() || words[0] == "define") return false;
    if (words[0] == "include") return true;
    for (const std::string_view word : words)
        if (names.count(word)) return true;
    return false;
}

/// An #if with all of its branches, as tokens.
struct Conditional {
    std::vector<int> directives;  ///< tokens of #if, #elif and #else
    int end = 0;                  ///< token of #endif
};

/// Returns the conditionals outside of functions. Outer conditionals come before inner ones.
std::vector<Conditional> conditionals(const Unit& unit) {
    const Stream& file = unit.streams[0];
    std::vector<Conditional> all;
    std::vector<std::size_t> open;
    for (int i = 0; i < file.size(); ++i) {
        if (file[i].kind != Kind::directive) continue;
        const std::string_view name = directive_name(file[i]);
        if (name.substr(0, 2) == "if") {
            open.push_back(all.size());
            all.push_back({{i}, 0});
        } else if (open.empty()) {
            continue;
        } else if (name.substr(0, 2) == "el") {
            all[open.back()].directives.push_back(i);
        } else if (name == "endif") {
            all[open.back()].end = i;
            open.pop_back();
        }
    }
    std::vector<Conditional> result;
    for (const Conditional& one : all)
        if (one.end > 0 && !unit.in_function(file, one.directives[0])) result.push_back(one);
    return result;
}

/// Returns the branch that is compiled; nothing if the condition depends on other names.
std::optional<std::size_t> chosen_branch(const Stream& file, const Conditional& conditional,
                                         int architecture) {
    for (std::size_t i = 0; i < conditional.directives.size(); ++i) {
        const Token& directive = file[conditional.directives[i]];
        if (directive_name(directive) == "else") return i;
        const std::optional<long long> value = condition_value(directive.text, architecture);
        if (!value) return std::nullopt;
        if (*value) return i;
    }
    return conditional.directives.size();
}

/// The functions between the directives, and the functions that use macros defined there.
struct Users {
    bool host = false, device = false;
};

Users users_of(const Unit& unit, const Conditional& conditional) {
    const Stream& file = unit.streams[0];
    std::set<std::string_view> macros;
    for (int i = conditional.directives[0]; i < conditional.end; ++i) {
        if (file[i].kind != Kind::directive) continue;
        const std::vector<std::string_view> words = words_of(file[i].text);
        if (words.size() > 1 && (words[0] == "define" || words[0] == "undef")) macros.insert(words[1]);
    }
    macros.erase("__CUDA_ARCH__");
    if (!macros.empty()) macros = with_macros(unit.program, macros);
    Users users;
    for (const Unit& other : unit.program.units) {
        for (const Body& body : function_bodies(other)) {
            bool uses =
                &other == &unit && body.open > conditional.directives[0] && body.close < conditional.end;
            for (int i = body.open; i < body.close && !uses; ++i)
                uses = asks(other.streams[0], i, macros) && directive_name(other.streams[0][i]) != "include";
            users.host |= uses && body.host;
            users.device |= uses && body.device;
        }
    }
    return users;
}

}  // namespace

void rewrite_architecture(Unit& unit) {
    const Stream& file = unit.streams[0];
    const std::set<std::string_view> names = with_macros(unit.program, {"__CUDA_ARCH__"});
    std::vector<Conditional> for_device;
    for (const Conditional& conditional : conditionals(unit)) {
        const int first = conditional.directives[0];
        const bool inside = !for_device.empty() && first < for_device.back().end;
        bool asked = false;
        for (const int directive : conditional.directives) asked |= asks(file, directive, names);
        if (!asked || inside) continue;
        const auto for_host = chosen_branch(file, conditional, 0);
        if (for_host && for_host == chosen_branch(file, conditional, unit.program.architecture)) continue;
        const Users users = users_of(unit, conditional);
        if (!users.device) continue;
        if (users.host) {
            unit.error(file[first],
                       "outside functions, __CUDA_ARCH__ can select code only for the host or only for the "
                       "device, but both use this code: test __CUDA_ARCH__ inside the functions");
            continue;
        }
        for_device.push_back(conditional);
        const Token& end = file[conditional.end];
        int last_line = end.line;
        for (const char c : end.text) last_line += c == '\n';
        unit.edits.insert(file[first].offset, define_text(unit, file[first].line).substr(1));
        std::string after = undefine_text(last_line + 1);
        after.pop_back();  // the line end after the #endif
        unit.edits.insert(end.end(), after);
    }
    for (const Body& body : function_bodies(unit)) {
        bool asked = false;
        for (int i = body.open; i < body.close && !asked; ++i) asked = asks(file, i, names);
        for (const Conditional& conditional : for_device)
            asked &= body.open < conditional.directives[0] || body.open > conditional.end;
        if (!asked || !body.device) continue;
        if (body.host) {
            unit.twice.push_back(body.open);
            continue;
        }
        unit.edits.insert(file[body.open].end(), define_text(unit, file[body.open].line));
        unit.edits.insert(file[body.close].offset, undefine_text(file[body.close].line));
    }
}

std::string finished_text(const Unit& unit) {
    const Stream& file = unit.streams[0];
    const Edits& edits = unit.edits;
    std::string text;
    std::size_t done = 0;
    bool at_begin = true;
    for (const int open : unit.twice) {
        const Token& close = file[file[open].match];
        const std::size_t begin = file[open].end();
        if (begin < done) continue;  // an outer conditional, which was handled, contains this one
        const std::string body = edits.apply(unit.source, begin, close.offset, true, true);
        const std::string line = "\n#line " + std::to_string(file[open].line) + "\n";
        text += edits.apply(unit.source, done, begin, at_begin, false);
        text += " if (::kit::cpu::in_device_code()) {";
        text += define_text(unit, file[open].line) + body + undefine_text(close.line) + "} else {" + line +
                body + "\n#line " + std::to_string(close.line) + "\n}";
        done = close.offset;
        at_begin = false;
    }
    return text + edits.apply(unit.source, done, unit.source.size(), at_begin, true);
}

}  // namespace kit::translate
