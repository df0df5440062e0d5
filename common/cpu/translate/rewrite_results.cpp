// Wraps calls such as `out[i] = make(i);` in device code, if the function returns a struct. The compiler
// would let the function write to `out[i]` directly, so the checks would not see the store.
// kit::cpu::returned() makes the result a separate value, whose copy is visible.
#include <set>

#include "unit.hpp"

namespace kit::translate {
namespace {

/// Returns whether the `=` at `index` assigns to an expression. An `=` can also belong to a declaration or to
/// a different operator.
bool assigns(const Stream& stream, int index) {
    // The operator is >>=.
    if (stream.is(index - 1, ">") && stream[index - 1].end() == stream[index].offset) return false;
    int i = index - 1;
    for (;; --i) {  // reads an expression such as a.b[c]->d backwards
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

/// Returns the end of the expression that starts at `begin`, at a comma or a closing bracket.
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
    if (stream.is(begin, "{")) {  // skips the elements of a braced list
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
    int done = -1;  // end of the last body that was processed, because a body can contain the body of a
                    // lambda
    for (const Body& body : function_bodies(unit)) {
        if (!body.device || body.open < done) continue;
        for (int k = body.open + 1; k < body.close; ++k)
            if (stream.is(k, "=") && assigns(stream, k))
                wrap(unit, stream, k + 1, expression_end(stream, k + 1));
        done = body.close;
    }
}

/// Refuses `case` ranges in device code. nvcc 13.0 compiles them without a warning, but uses only the first
/// value.
void refuse_case_ranges(Unit& unit) {
    const Stream& stream = unit.streams[0];
    for (const Body& body : function_bodies(unit))
        for (int i = body.open; body.device && i < body.close; ++i)
            if (stream.is(i, "...") && (stream.is(i - 2, "case") || stream.is(i - 3, "case")))
                unit.error(stream[i],
                           "a range of values after `case` is an extension of GCC, and in device code nvcc "
                           "uses only "
                           "its first value: write a `case` for each value, or use `if`");
}

}  // namespace kit::translate
