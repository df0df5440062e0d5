// `out[i] = make(i);` in device code, where a function returns a struct: the compiler lets the function write to `out[i]` itself,
// and shows no store. Through kit::cpu::returned() the result is a value of its own, whose copy the checks see.
#include <set>

#include "unit.hpp"

namespace kit::translate {
namespace {

/// Macros without parameters that stand for __device__ or __global__, and these words themselves.
std::set<std::string_view> device_words(const Unit& unit) {
    std::set<std::string_view> words = {"__device__", "__global__"};
    for (const Stream& stream : unit.streams) {
        if (!stream.macro || !stream.parameters.empty()) continue;
        for (const Token& token : stream.tokens)
            if (token.is("__device__") || token.is("__global__")) words.insert(stream.name);
    }
    return words;
}

/// The `{` of the function that the word at `index` makes device code, or -1 for a variable or a mere declaration.
int body_of(const Stream& stream, int index) {
    for (int i = index; i < stream.size() && !stream.is(i, ";") && !stream.is(i, "="); i = after(stream, i))
        if (stream.is(i, "{")) return stream[i].match > i ? i : -1;
    return -1;
}

/// Is `=` at `index` the assignment to an expression, and not a part of a declaration or of another operator?
bool assigns(const Stream& stream, int index) {
    if (stream.is(index - 1, ">") && stream[index - 1].end() == stream[index].offset) return false;  // >>=
    int i = index - 1;
    for (;; --i) {  // a.b[c]->d, from its end
        while (i >= 0 && (stream.is(i, "]") || stream.is(i, ")")) && stream[i].match >= 0)
            i = stream[i].match - 1;
        const bool parenthesis = stream.is(i + 1, "(");
        if (!parenthesis && !stream.is_identifier(i)) return false;
        if (stream.is(i, "operator") || stream.is(i, "auto")) return false;
        if (stream.is_identifier(i)) --i;
        if (!stream.is(i, ".") && !stream.is(i, "->") && !stream.is(i, "::")) break;
    }
    while (stream.is(i, "*")) --i;
    static const std::set<std::string_view> before = {";", "{", "}",  ")",  "(",    ",", "=",
                                                      "?", ":", "&&", "||", "else", "do"};
    return i < 0 || before.count(stream.text(i));
}

/// The end of an expression without commas.
int expression_end(const Stream& stream, int begin) {
    int questions = 0;
    for (int i = begin; i < stream.size(); i = after(stream, i)) {
        questions += stream.is(i, "?");
        if (stream.is(i, ":") && questions-- == 0) return i;
        if (stream.is(i, ";") || stream.is(i, ",") || stream.is(i, ")") || stream.is(i, "]") ||
            stream.is(i, "}"))
            return i;
    }
    return stream.size();
}

bool holds_call(const Stream& stream, int begin, int end) {
    for (int i = begin + 1; i < end; ++i)
        if (stream.is(i, "(") && (stream.is_identifier(i - 1) || stream.is(i - 1, ">"))) return true;
    return false;
}

void wrap(Unit& unit, const Stream& stream, int begin, int end) {
    if (stream.is(begin, "{")) {  // a braced list: its elements
        for (int i = begin + 1; i < stream[begin].match; ++i) {
            const int last = expression_end(stream, i);
            wrap(unit, stream, i, last);
            i = last;
        }
        return;
    }
    if (!holds_call(stream, begin, end)) return;
    for (int i = begin; i < end; ++i)
        if (stream[i].kind == Kind::directive) return;
    unit.edits.insert(stream[begin].offset, "::kit::cpu::returned(");
    unit.edits.insert(stream[end - 1].end(), ")");
}

}  // namespace

void rewrite_results(Unit& unit) {
    const Stream& stream = unit.streams[0];
    const std::set<std::string_view> words = device_words(unit);
    int done = 0;  // a body may hold another one, of a lambda
    for (int i = 0; i < stream.size(); ++i) {
        if (!stream.is_identifier(i) || !words.count(stream.text(i))) continue;
        const int body = body_of(stream, i);
        if (body < done) continue;
        for (int k = body + 1; k < stream[body].match; ++k)
            if (stream.is(k, "=") && assigns(stream, k))
                wrap(unit, stream, k + 1, expression_end(stream, k + 1));
        done = stream[body].match;
    }
}

}  // namespace kit::translate
