#include "watch/screen.hpp"

#include <algorithm>
#include <text_layout.hpp>

namespace course {

namespace {

/// Returns the line shortened to this many columns. Tabs become blanks, and characters that would move the
/// cursor become "?".
std::string clipped(const std::string& line, int columns) {
    std::string text;
    int taken = 0;
    for (const char c : line) {
        if (c == '\t') {
            const int blanks = std::min(8 - taken % 8, columns - taken);
            text.append(static_cast<std::size_t>(std::max(blanks, 0)), ' ');
            taken += std::max(blanks, 0);
            continue;
        }
        const bool goes_on = (c & 0xc0) == 0x80;  // whether the byte continues a character of several bytes
        if (!goes_on && taken == columns) break;
        taken += !goes_on;
        text += static_cast<unsigned char>(c) < ' ' || c == 0x7f ? '?' : c;
    }
    return text;
}

/// Returns a line of the list of exercises in the colour of its state.
std::string painted(const std::string& line, State state, bool marked, const Look& look) {
    if (marked) return look.paint("7", line);
    switch (state) {
        case State::done:
            return look.paint("32", line);
        case State::other:
            return look.paint("36", line);
        case State::wrong:
        case State::broken:
            return look.paint("31", line);
        default:
            return line;
    }
}

/// Returns a line of a verdict in colours.
std::string painted(const std::string& line, const Look& look) {
    if (!look.colour) return line;
    const bool head = begins_with(line, "  Next: ") || line == "Explain" || begins_with(line, "Hint ");
    return head ? look.paint("1", line) : kit::painted(line);
}

std::string title_of(const Session& session, int columns) {
    const std::vector<Standing>& all = session.standings();
    const auto done =
        std::count_if(all.begin(), all.end(), [](const Standing& one) { return !is_to_do(one); });
    const std::string counts = std::to_string(done) + " of " + std::to_string(all.size()) + " done";
    const std::string state = session.is_grading() ? "is being graded" : state_in_words(session.standing());
    const std::string name = session.in_list() ? "Exercises" : session.exercise().id() + " " + state;
    return clipped(kit::padded(name, columns - kit::columns_of(counts) - 1) + " " + counts, columns);
}

std::string keys_of(const Session& session, bool more) {
    if (session.in_list()) return "arrows or a number, Enter: go there   l back   q quit";
    return std::string("h hint   l list   n next   p previous   r grade again   q quit") +
           (more ? "   arrows: more" : "");
}

}  // namespace

Lines screen_of(const Session& session, Size size, const Look& look) {
    Lines note = kit::wrapped(session.note(), size.columns);
    if (session.note().empty()) note.clear();
    // The body is between the title and the list of keys, with a blank line before and after it.
    const int fitting = std::max(size.rows - 4 - static_cast<int>(note.size()), 1);
    const Lines body = session.body(std::min(size.columns, 100));
    const int all = static_cast<int>(body.size()), top = session.top(all, fitting);
    Lines lines = {look.paint("1", title_of(session, size.columns)), ""};
    for (int i = top; i < std::min(all, top + fitting); ++i) {
        const std::string line = clipped(body[static_cast<std::size_t>(i)], size.columns);
        if (session.in_list())
            lines.push_back(painted(line, session.standings()[static_cast<std::size_t>(i)].state,
                                    static_cast<std::size_t>(i) == session.marked(), look));
        else
            lines.push_back(painted(line, look));
    }
    lines.resize(static_cast<std::size_t>(fitting) + 3);
    for (const std::string& line : note) lines.push_back(look.paint("33", clipped(line, size.columns)));
    lines.push_back(look.paint("2", clipped(keys_of(session, all > fitting), size.columns)));
    if (lines.size() > static_cast<std::size_t>(size.rows)) lines.resize(static_cast<std::size_t>(size.rows));
    return lines;
}

std::string drawn(const Lines& lines) {
    std::string codes = "\033[H";
    for (std::size_t i = 0; i < lines.size(); ++i) codes += (i ? "\r\n\033[K" : "\033[K") + lines[i];
    return codes + "\033[J";
}

}  // namespace course
