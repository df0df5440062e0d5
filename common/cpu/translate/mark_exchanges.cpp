// Marks calls such as `atomicExch(&flag, 1);` in device code that ignore the old value. A call that ignores
// the old value only writes, so the memory need not be initialized. Only the source shows this, so the
// translator inserts a call before the exchange.
#include <set>

#include "unit.hpp"

namespace kit::translate {
namespace {

/// Returns the first token of the object before a member call, which ends before `end`: a name, or a path
/// such as `locks[i].word`.
int expression_begin(const Stream& stream, int end) {
    // Keywords that can precede a name.
    static const std::set<std::string_view> keywords = {"else", "do", "return"};
    int i = end - 1;
    for (;;) {
        while (i >= 0 && (stream.is(i, "]") || stream.is(i, ")") || stream.is(i, ">"))) {
            const int open = stream.is(i, ">") ? open_angle(stream, i) : stream[i].match;
            if (open < 0) return -1;
            i = open - 1;
        }
        if (stream.is_identifier(i)) --i;
        if (stream.is(i, ".") || stream.is(i, "->"))
            --i;
        else if (stream.is(i, "::") && stream.is_identifier(i - 1) && !keywords.count(stream.text(i - 1)))
            --i;
        else
            return stream.is(i, "::") ? i : i + 1;
    }
}

/// Returns whether a statement begins at `index`, or at a cast to void before it.
bool is_statement(const Stream& stream, int index) {
    if (stream.is(index - 1, ")") && stream[index - 1].match == index - 3 && stream.is(index - 2, "void"))
        return is_statement(stream, index - 3);
    static const std::set<std::string_view> before = {";", "{", "}", "else", "do"};
    if (before.count(stream.text(index - 1))) return true;
    if (!stream.is(index - 1, ")") || stream[index - 1].match < 0) return false;
    const int word = stream[index - 1].match - 1;  // the word before the parenthesis, such as `if` in `if
                                                   // (...)`
    return stream.is(word, "if") || stream.is(word, "for") || stream.is(word, "while") ||
           stream.is(word, "constexpr");
}

}  // namespace

void mark_exchanges(Unit& unit) {
    const Stream& stream = unit.streams[0];
    static const std::set<std::string_view> functions = {"atomicExch", "atomicExch_block",
                                                         "atomicExch_system"};
    int done = -1;  // end of the last body that was processed, because a body can contain the body of a
                    // lambda
    for (const Body& body : function_bodies(unit)) {
        if (!body.device || body.open < done) continue;
        for (int i = body.open + 1; i < body.close; ++i) {
            const bool member = stream.is(i, "exchange") && (stream.is(i - 1, ".") || stream.is(i - 1, "->"));
            if (!member && !functions.count(stream.text(i))) continue;
            if (!stream.is(i + 1, "(") || stream[i + 1].match < 0 || !stream.is(stream[i + 1].match + 1, ";"))
                continue;
            const int begin = expression_begin(stream, i + 1);
            if (begin > body.open && is_statement(stream, begin))
                unit.edits.insert(stream[begin].offset, "::kit::cpu::drop_old_value(), ");
        }
        done = body.close;
    }
}

}  // namespace kit::translate
