// Shows the times of ladders and sweeps in columns, with bars if there is space.
#include <algorithm>
#include <cmath>

#include "times.hpp"

namespace kit::demo {
namespace {

constexpr double longest_bar = 1.2;  // as a multiple of the length of a full bar
constexpr int usual_bar = 24, shortest_bar = 10;
constexpr int room_for_note = 9;  // number of columns of "  INVALID"
constexpr int size_width = 13;    // number of columns of 1,073,741,824
constexpr const char* measuring = "  measuring ...";

int columns_of_bar(int cells) {
    // Two blanks before the bar, and a mark after it.
    return 3 + static_cast<int>(std::ceil(longest_bar * cells));
}

/// Formats a time with at least four digits, and with at most seven columns if it is below ten seconds.
std::string short_us(double us) {
    return format("%.*f", us < 10 ? 3 : us < 100 ? 2 : us < 10'000 ? 1 : 0, us);
}

}  // namespace

std::string bar(double fraction, double mark, int cells) {
    const auto at = [cells](double value) {
        return static_cast<int>(std::lround(std::min(value, longest_bar) * cells));
    };
    const int full = at(fraction), marked = mark > 0 ? at(mark) : -1;
    std::string text = "  ";
    for (int cell = 0; cell < std::max(full, marked + 1); ++cell)
        text += cell == marked ? "\u2502" : cell < full ? "\u2588" : " ";
    return text;
}

// Ladders.

LadderOfTimes::LadderOfTimes(Output& out, Shown shown, int label_width)
    : out_(out), shown_(std::move(shown)) {
    std::vector<Heading> columns;
    for (const Cell& cell : cells({})) columns.push_back(cell.heading);
    const bool bars = out.is_terminal() && (shown_.of_bound || shown_.of_library);
    std::vector<int> beside = {room_for_note};
    if (bars) beside.insert(beside.begin(), room_for_note + columns_of_bar(shortest_bar));
    table_ = Table(out.width(), {"version", label_width}, columns, beside);
    const int room = table_.room() - room_for_note;
    if (bars && room >= columns_of_bar(shortest_bar))
        for (bar_cells_ = usual_bar; columns_of_bar(bar_cells_) > room;) --bar_cells_;
    out.lines(table_.heading());
}

std::vector<LadderOfTimes::Cell> LadderOfTimes::cells(const Times& t) const {
    std::vector<Cell> all = {{{"us", 9}, format("%.1f", t.us)},
                             {{"spread", 6}, format("%.1f%%", t.spread * 100)}};
    if (shown_.host_us) all.push_back({{"host us", 9}, format("%.2f", t.host_us)});
    if (!shown_.piece.empty()) all.push_back({{"us per " + shown_.piece, 8}, format("%.3f", t.each_us)});
    if (shown_.gb_per_s) all.push_back({{"GB/s", 5}, format("%.0f", t.gb_per_s)});
    if (shown_.of_bound)
        all.push_back({{"of bound", 5}, t.of_bound > 0 ? format("%.0f%%", t.of_bound * 100) : "-"});
    all.push_back({{"speed-up", 8}, t.speed_up > 0 ? format("%.2fx", t.speed_up) : "-"});
    if (shown_.of_library)
        all.push_back({{"library", 7}, t.is_library ? "mark" : format("%.2fx", t.of_library)});
    return all;
}

void LadderOfTimes::row(const std::string& label, const Times& times, const std::string& note) {
    std::vector<std::string> texts;
    for (const Cell& cell : cells(times)) texts.push_back(cell.text);
    if (times.is_library) mark_ = times.of_bound;
    const double length = times.of_bound > 0 ? times.of_bound : times.of_library;
    const double mark = times.of_bound > 0 ? mark_ : times.of_library > 0 ? 1 : 0;
    std::string shown_bar = bar_cells_ > 0 && length > 0 ? bar(length, mark, bar_cells_) : "";
    const std::string shown_note = note.empty() ? "" : "  " + note;
    const auto room_of = [&](const std::vector<std::string>& row) {
        return out_.width() - columns_of(row.back()) - columns_of(shown_bar);
    };
    std::vector<std::string> row = table_.row(label, texts);
    if (room_of(row) < columns_of(shown_note)) shown_bar.clear();
    if (room_of(row) >= columns_of(shown_note)) return out_.lines(row, shown_bar, shown_note);
    out_.lines(table_.row(label + " (" + note + ")", texts));
}

// Sweeps.

SweepOfTimes::SweepOfTimes(Output& out, const std::vector<std::string>& ids, Beside beside)
    : out_(out), beside_(beside) {
    const Heading label = {padded(std::string(size_width - 1, ' ') + "n", size_width), size_width};
    std::vector<Heading> pairs, alone;
    for (const std::string& id : ids) {
        alone.push_back({id, 8});
        pairs.push_back({id, 8});
        if (beside == Beside::of_bound) pairs.push_back({"bound", 4});
        if (beside == Beside::host_us) pairs.push_back({"calls", 7});
    }
    table_ = Table(out.width(), label, pairs);
    if (!table_.is_one_line()) {
        in_two_rows_ = beside != Beside::nothing;
        table_ = Table(out.width(), label, alone);
    }
    out.lines(table_.heading());
}

std::vector<std::string> SweepOfTimes::lines(long long n, const std::vector<TimesAtSize>& measured) const {
    std::vector<std::string> times, others;
    for (const TimesAtSize& one : measured) {
        times.push_back((one.right ? "" : "!") + short_us(one.us));
        if (beside_ == Beside::nothing) continue;
        (in_two_rows_ ? others : times)
            .push_back(beside_ == Beside::of_bound ? format("%.0f%%", one.beside * 100)
                                                   : short_us(one.beside));
    }
    std::vector<std::string> all = table_.row(format("%*s", size_width, with_commas(n).c_str()), times);
    if (in_two_rows_ && !others.empty()) {
        const char* name = beside_ == Beside::of_bound ? "bound" : "calls";
        for (std::string& line : table_.row(format("%*s", size_width, name), others))
            all.push_back(std::move(line));
    }
    return all;
}

void SweepOfTimes::progress(long long n, const std::vector<TimesAtSize>& measured, const std::string& id) {
    std::string text = measured.empty() ? format("%*s", size_width, with_commas(n).c_str()) : "";
    if (!measured.empty() && !in_two_rows_) text = lines(n, measured).front();
    if (text.empty() || columns_of(text + measuring) > out_.width())
        text = format("%*s  %s", size_width, with_commas(n).c_str(), id.c_str());
    out_.progress(text + measuring);
}

void SweepOfTimes::row(long long n, const std::vector<TimesAtSize>& measured) {
    out_.lines(lines(n, measured));
}

}  // namespace kit::demo
