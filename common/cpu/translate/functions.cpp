// Finds the functions of a file, and whether host or device can call them: the words __global__, __device__
// and __host__, and macros for them.
#include <cctype>

#include "names.hpp"
#include "unit.hpp"

namespace kit::translate {

std::vector<std::string_view> words_of(std::string_view directive) {
    std::vector<std::string_view> words;
    const auto is_word = [&](std::size_t i) {
        return std::isalnum(static_cast<unsigned char>(directive[i])) || directive[i] == '_';
    };
    for (std::size_t i = 0; i < directive.size();) {
        if (directive[i] == '/' && i + 1 < directive.size() && directive[i + 1] == '/') break;
        std::size_t end = i;
        while (end < directive.size() && is_word(end)) ++end;
        if (end > i) words.push_back(directive.substr(i, end - i));
        i = end + (end == i);
    }
    return words;
}

std::string_view directive_name(const Token& directive) {
    const std::vector<std::string_view> words = words_of(directive.text);
    return words.empty() ? "" : words.front();
}

namespace {

bool is_complete(const Stream& macro) {
    for (const Token& token : macro.tokens)
        if (token.is("{") || token.is(";")) return true;
    return false;
}

std::set<std::string_view> grown(const Program& program, std::set<std::string_view> words,
                                 bool complete_ones) {
    for (bool grows = true; grows;) {
        grows = false;
        for (const auto& [name, stream] : program.macros) {
            if (words.count(name) || (!complete_ones && is_complete(*stream))) continue;
            for (const Token& token : stream->tokens) {
                if (token.kind != Kind::identifier || !words.count(token.text)) continue;
                grows |= words.insert(name).second;
                break;
            }
        }
    }
    return words;
}

}  // namespace

std::set<std::string_view> with_macros(const Program& program, std::set<std::string_view> words) {
    return grown(program, std::move(words), true);
}

std::set<std::string_view> with_marks(const Program& program, std::set<std::string_view> words) {
    return grown(program, std::move(words), false);
}

std::vector<Body> function_bodies(const Unit& unit) {
    const std::set<std::string_view> device = with_marks(unit.program, {"__device__", "__global__"});
    const std::set<std::string_view> kernel = with_marks(unit.program, {"__global__"});
    const std::set<std::string_view> host = with_marks(unit.program, {"__host__"});
    const Stream& file = unit.streams[0];
    std::vector<Body> bodies;
    for (const Scope& scope : unit.scopes) {
        if (scope.kind != Scope::Kind::function || scope.parent < 0) continue;
        Body body{scope.head, scope.open, file[scope.open].match, false, false};
        if (unit.scopes[scope.parent].kind == Scope::Kind::function) {
            // A lambda has its own marks only in host code: [=] __device__ (int i) { ... }
            while (body.head < body.open && !(file.is(body.head, "]") && file.is_identifier(body.head + 1)))
                ++body.head;
            if (!mentions(file, body.head, body.open, device)) continue;
        }
        body.device = mentions(file, body.head, body.open, device);
        body.kernel = mentions(file, body.head, body.open, kernel);
        body.host = !body.device || mentions(file, body.head, body.open, host);
        bodies.push_back(body);
    }
    return bodies;
}

}  // namespace kit::translate
