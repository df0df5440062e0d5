// Queued work as rows of text, one for each stream.
#include <algorithm>
#include <kit_cpu/timeline.hpp>
#include <map>

#include "source_lines.hpp"
#include "work_words.hpp"

namespace kit::cpu {
namespace {

struct Row {
    std::string name;
    std::map<unsigned, std::vector<std::string>> cells;  ///< by step
};

std::string piece_in_words(const QueuedPiece& piece) {
    const std::string line = line_in_words(piece.label.place);
    return name_in_words(piece.label) + " of " + stream_in_words(piece.label) +
           (line.empty() ? "" : " (" + line + ")");
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

std::string step_in_words(std::size_t steps) {
    return std::to_string(steps) + (steps == 1 ? " step" : " steps");
}

}  // namespace

std::string line_in_words(Place place) {
    place = look_up(place);
    return place.line > 0 ? "line " + std::to_string(place.line) : "";
}

std::string in_words(const std::vector<QueuedPiece>& timeline, std::size_t width) {
    if (timeline.empty()) return "streams: nothing was queued\n";
    std::map<std::pair<int, std::uint64_t>, Row> rows;  // branches of graphs come last
    unsigned last_step = 0;
    std::size_t head = 4, cell = 0;
    for (const QueuedPiece& piece : timeline) {
        const int stream = piece.label.stream;
        Row& row = rows[{stream == WorkLabel::of_graph ? 1 << 30 : stream, piece.row}];
        row.name = stream_in_words(piece.label);
        const std::string name = name_in_words(piece.label) + (piece.label.pageable ? "*" : "");
        row.cells[piece.step].push_back(name);
        last_step = std::max(last_step, piece.step);
        head = std::max(head, row.name.size());
        cell = std::max(cell, std::min<std::size_t>(name.size(), 14));
    }
    const std::size_t room = width > head + 2 ? (width - head - 2) / (cell + 2) : 1;
    const unsigned across = std::min<unsigned>(last_step, std::max<unsigned>(1, unsigned(room)));
    constexpr std::size_t most_rows = 12, most_waits = 12, most_parts = 4;

    std::string text = "streams: " + std::to_string(timeline.size()) + " pieces of work in " +
                       step_in_words(last_step) +
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
    if (first <= last_step) end_line("and " + step_in_words(last_step - first + 1) + " more");
    if (std::any_of(timeline.begin(), timeline.end(), [](const auto& piece) { return piece.label.pageable; }))
        end_line("* from or to memory of the host that is not pinned: a device does not overlap it");
    std::size_t waits = 0;
    for (const QueuedPiece& piece : timeline)
        for (const CameAfter& after : piece.after)
            if (++waits <= most_waits) {
                const std::string who = piece_in_words(piece), what = " waited for " +
                                                                      piece_in_words(timeline[after.piece]) +
                                                                      ": " + reason_in_words(after);
                end_line(who.size() + what.size() + 2 <= width ? who + what : who + "\n   " + what);
            }
    if (waits > most_waits) end_line("and " + std::to_string(waits - most_waits) + " waits more");
    return text;
}

}  // namespace kit::cpu
