// Draws queued work as rows of text, one row for each stream.
#include <algorithm>
#include <map>
#include <words/profile.hpp>

namespace kit::words {

using facts::Piece;

namespace {

constexpr int of_graph = -1;

struct Row {
    std::string name;
    std::map<unsigned, std::vector<std::string>> cells;  ///< text of each cell, by step
};

std::string words_of_piece(const Piece& piece) {
    return name_of(piece) + " of " + stream_of(piece.stream) +
           (piece.line ? " (line " + std::to_string(piece.line) + ")" : "");
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

std::string count_steps(std::size_t steps) {
    return std::to_string(steps) + (steps == 1 ? " step" : " steps");
}

}  // namespace

std::string line_name(int line) {
    return line ? "line " + std::to_string(line) : "";
}

std::string stream_of(int stream) {
    if (stream == of_graph) return "a graph";
    return stream ? "stream " + std::to_string(stream) : "the default stream";
}

std::string name_of(const Piece& piece) {
    switch (piece.kind) {
        case Piece::Kind::copy_in:
            return "copy in";
        case Piece::Kind::copy_out:
            return "copy out";
        case Piece::Kind::copy:
            return "copy";
        case Piece::Kind::fill:
            return "fill";
        case Piece::Kind::host_function:
            return "host fn";
        default:
            return piece.what;
    }
}

std::string reason_of(const Piece::After& after) {
    switch (after.because) {
        case Piece::Because::event:
            return after.line ? "an event, line " + std::to_string(after.line) : "an event";
        case Piece::Because::default_stream:
            return "the default stream";
        case Piece::Because::host:
            return "the host waited";
        case Piece::Because::graph:
            return "the graph";
    }
    return "";
}

std::string drawing_of(const std::vector<Piece>& timeline, std::size_t width) {
    if (timeline.empty()) return "streams: nothing was queued\n";
    std::map<std::pair<int, std::uint64_t>, Row> rows;  // branches of graphs are sorted last
    unsigned last_step = 0;
    std::size_t head = 4, cell = 0;
    for (const Piece& piece : timeline) {
        const int stream = piece.stream;
        Row& row = rows[{stream == of_graph ? 1 << 30 : stream, piece.row}];
        row.name = stream_of(piece.stream);
        const std::string name = name_of(piece) + (piece.pageable ? "*" : "");
        row.cells[piece.step].push_back(name);
        last_step = std::max(last_step, piece.step);
        head = std::max(head, row.name.size());
        cell = std::max(cell, std::min<std::size_t>(name.size(), 14));
    }
    const std::size_t room = width > head + 2 ? (width - head - 2) / (cell + 2) : 1;
    const unsigned across = std::min<unsigned>(last_step, std::max<unsigned>(1, unsigned(room)));
    constexpr std::size_t most_rows = 12, most_waits = 12, most_parts = 4;

    std::string text = "streams: " + std::to_string(timeline.size()) + " pieces of work in " +
                       count_steps(last_step) +
                       "\n  (each takes one step here, and there is one copy each way at a time)\n";
    const auto end_line = [&](std::string line) {
        line.erase(line.find_last_not_of(' ') + 1);
        text += "  " + line + "\n";
    };
    unsigned first = 1;
    for (std::size_t part = 0; part < most_parts && first <= last_step; ++part, first += across) {
        const unsigned end = std::min(last_step + 1, first + across);
        std::string line = padded("step", head);
        for (unsigned step = first; step < end; ++step) line += "  " + padded(std::to_string(step), cell);
        end_line(line);
        std::size_t count = 0;
        for (const auto& [key, row] : rows) {
            if (++count > most_rows) continue;
            line = padded(row.name, head);
            for (unsigned step = first; step < end; ++step) {
                const auto found = row.cells.find(step);
                line += "  " +
                        padded(found == row.cells.end() ? "." : found->second.front().substr(0, cell), cell);
            }
            end_line(line);
        }
        if (count > most_rows) end_line("and " + std::to_string(count - most_rows) + " rows more");
    }
    if (first <= last_step) end_line("and " + count_steps(last_step - first + 1) + " more");
    if (std::any_of(timeline.begin(), timeline.end(), [](const auto& piece) { return piece.pageable; }))
        end_line("* from or to memory of the host that is not pinned: a device does not overlap it");
    std::size_t waits = 0;
    for (const Piece& piece : timeline)
        for (const Piece::After& after : piece.after)
            if (++waits <= most_waits) {
                const std::string who = words_of_piece(piece), what = " waited for " +
                                                                      words_of_piece(timeline[after.piece]) +
                                                                      ": " + reason_of(after);
                end_line(who.size() + what.size() + 2 <= width ? who + what : who + "\n   " + what);
            }
    if (waits > most_waits) end_line("and " + std::to_string(waits - most_waits) + " waits more");
    return text;
}

}  // namespace kit::words
