// Inserts a call at the start of each round of a loop in device code, before its condition if there is one.
// The profile uses these calls to match the rounds of a warp's lanes, even if some lanes access no memory in
// a round (src/profile/loops.hpp).
#include "unit.hpp"

namespace kit::translate {
namespace {

struct Tokens {
    int begin, end;
};

/// Returns the index after the statement that begins at `begin`.
int statement_end(const Stream& stream, int begin) {
    int i = begin;
    while (i < stream.size() && stream[i].kind == Kind::directive) ++i;  // skips #pragma unroll
    begin = i;
    if (stream.is(i, "{")) return stream[i].match < 0 ? stream.size() : stream[i].match + 1;
    if (stream.is(i, "do")) {
        i = statement_end(stream, i + 1);  // skips the `while (...);` of a `do` loop
    } else if (stream.is(i, "if") || stream.is(i, "for") || stream.is(i, "while") || stream.is(i, "switch")) {
        i += stream.is(i + 1, "constexpr") ? 2 : 1;
        if (!stream.is(i, "(") || stream[i].match < 0) return stream.size();
        i = statement_end(stream, stream[i].match + 1);
        return stream.is(begin, "if") && stream.is(i, "else") ? statement_end(stream, i + 1) : i;
    }
    while (i < stream.size() && !stream.is(i, ";") && !stream.is(i, "}"))
        i = stream[i].match > i ? stream[i].match + 1 : i + 1;
    return i + 1;
}

/// Finds the condition of a `for` or `while` loop. Returns false if no call can be inserted before the
/// condition: in a range-based loop, before a declaration, or if the condition contains a directive.
bool find_condition(const Stream& stream, int word, Tokens& condition) {
    const int open = word + 1;
    if (!stream.is(open, "(") || stream[open].match < 0) return false;
    condition = {open + 1, stream[open].match};
    int semicolons = 0;
    for (int i = open + 1; i < stream[open].match; ++i) {
        if (stream[i].kind == Kind::directive) return false;
        if (stream.is(i, ";")) (++semicolons == 1 ? condition.begin = i + 1 : condition.end = i);
        if (stream[i].match > i) i = stream[i].match;
    }
    if (stream.is(word, "for") && semicolons != 2) return false;
    for (int i = condition.begin; i < condition.end; ++i) {
        if (stream.is(i, "=")) return false;
        if (stream[i].match > i) i = stream[i].match;
    }
    return true;
}

/// Marks the loops of one function body. An inner loop has a higher level than the loop around it.
class Marks {
  public:
    Marks(Unit& unit, int function) : unit_(unit), stream_(unit.streams[0]), function_(function) {}

    void add(Tokens body) {
        for (int i = body.begin; i < body.end; ++i) {
            while (!ends_.empty() && i >= ends_.back()) ends_.pop_back();
            if (stream_.is(i, "do")) {
                const int closing = statement_end(stream_, i + 1);  // the `while` that ends the `do` loop
                ends_.push_back(closing + 1);
                closing_.push_back(closing);
            } else if (!closing_.empty() && closing_.back() == i) {
                closing_.pop_back();
                mark(i, ends_.size());
            } else if (stream_.is(i, "for") || stream_.is(i, "while")) {
                ends_.push_back(statement_end(stream_, i));
                mark(i, ends_.size());
            }
        }
    }

  private:
    void mark(int word, std::size_t level) {
        Tokens condition;
        if (!find_condition(stream_, word, condition)) return;
        const std::string call =
            "::kit::cpu::round(" + std::to_string(function_) + ", " + std::to_string(level) + ")";
        if (!is_endless(condition)) return unit_.edits.insert(stream_[condition.begin].offset, call + ", ");
        // The compiler must recognize an endless loop, after which a function needs no return statement.
        const int body = stream_[word + 1].match + 1;
        if (stream_.is(body, "{")) unit_.edits.insert(stream_[body].end(), " " + call + ";");
    }

    bool is_endless(Tokens condition) const {
        const int size = condition.end - condition.begin;
        return size == 0 ||
               (size == 1 && (stream_.is(condition.begin, "true") || stream_.is(condition.begin, "1")));
    }

    Unit& unit_;
    const Stream& stream_;
    int function_;
    std::vector<int> ends_;     ///< ends of the loops that contain the current token
    std::vector<int> closing_;  ///< for each `do` loop that contains the current token, its `while`
};

}  // namespace

void mark_rounds(Unit& unit) {
    int done = -1;  // end of the last body that was processed, because a body can contain the body of a
                    // lambda
    for (const Body& body : function_bodies(unit)) {
        if (!body.device || body.open < done) continue;
        Marks(unit, body.kernel ? 0 : ++unit.program.functions_with_marks).add({body.open + 1, body.close});
        done = body.close;
    }
}

}  // namespace kit::translate
