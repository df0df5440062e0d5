// Tests of the output of demos: widths, wrapped prose, tables that fit, and the times on a GPU, which a demo
// on the CPU does not show.
#include <cstdlib>
#include <sstream>

#include "demo/times.hpp"
#include "grader.cuh"

namespace {

using namespace kit::demo;
using kit::Case;
using Lines = std::vector<std::string>;

std::string joined(const Lines& lines) {
    std::string all;
    for (const std::string& line : lines) all += line + "|";
    return all;
}

int widest(const Lines& lines) {
    int columns = 0;
    for (const std::string& line : lines) columns = std::max(columns, columns_of(line));
    return columns;
}

/// Returns the lines that `print` prints to an Output with this width.
template <class Print>
Lines printed(int width, bool terminal, Print print) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* file = open_memstream(&text, &size);
    Output out(file, terminal, width);
    print(out);
    std::fclose(file);
    std::istringstream in(std::string(text, size));
    std::free(text);
    Lines lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

void widths(Case& test) {
    test.equal("columns of UTF-8", columns_of("\u2588\u2588 \u2502a"), 5);
    std::FILE* file = std::tmpfile();  // not a terminal
    const auto width_with = [file](const char* said) {
        said != nullptr ? setenv("COLUMNS", said, 1) : unsetenv("COLUMNS");
        return width_of(fileno(file));
    };
    test.equal("nobody says how wide", width_with(nullptr), 100);
    test.equal("COLUMNS=80", width_with("80"), 80);
    test.equal("COLUMNS=200", width_with("200"), 100);
    test.equal("COLUMNS without sense", width_with("wide"), 100);
    test.equal("COLUMNS=0", width_with("0"), 100);
    test.equal("COLUMNS=3", width_with("3"), 40);
    unsetenv("COLUMNS");
    std::fclose(file);
}

void prose(Case& test) {
    test.equal("short", joined(wrapped("  as  it is", 11)), std::string("  as  it is|"));
    test.equal("at words", joined(wrapped("one two three", 8)), std::string("one two|three|"));
    test.equal("as far in as the first line", joined(wrapped("  one two three", 9)),
               std::string("  one two|  three|"));
    test.equal("below the text", joined(wrapped("  v1   A tree in memory", 16)),
               std::string("  v1   A tree in|       memory|"));
    test.equal("a long word stays whole", joined(wrapped("to /a/path/of/many/folders, twice", 10)),
               std::string("to|/a/path/of/many/folders,|twice|"));
    test.equal("blanks at the end", joined(wrapped("one two     ", 7)), std::string("one two|"));
}

void arrangements(Case& test) {
    const std::vector<Heading> columns = {{"us", 6}, {"worst over best", 5}, {"of bound", 5}};
    const auto shown = [&](int width, const std::string& label) {
        const Table table(width, {"version", 14}, columns);
        Lines lines = table.heading();
        for (const std::string& line : table.row(label, {"1234.5", "1.25", "99%"})) lines.push_back(line);
        test.check(widest(lines) <= width, "fits into " + std::to_string(width));
        return joined(lines);
    };
    test.equal("one line", shown(60, "v1  a tree"),
               std::string("version             us  worst over best  of bound|"
                           "v1  a tree      1234.5             1.25       99%|"));
    test.equal("headings in two lines", shown(42, "v1  a tree"),
               std::string("                            worst     of|"
                           "version             us  over best  bound|"
                           "v1  a tree      1234.5       1.25    99%|"));
    test.equal("columns closer together", shown(38, "v1  a tree"),
               std::string("                          worst    of|"
                           "version            us over best bound|"
                           "v1  a tree     1234.5      1.25   99%|"));
    test.equal("a label above its numbers", shown(28, "v1  a tree that is long"),
               std::string("version|"
                           "                worst     of|"
                           "        us  over best  bound|"
                           "v1  a tree that is long|"
                           "    1234.5       1.25    99%|"));
    test.equal("numbers in two lines", shown(22, "v1  a tree"),
               std::string("version|"
                           "                worst|"
                           "        us  over best|"
                           "       of|"
                           "    bound|"
                           "v1  a tree|"
                           "    1234.5       1.25|"
                           "      99%|"));
}

void labels_and_values(Case& test) {
    const Table table(40, {"version", 30}, {{"us", 9}, {"GB/s", 8}});
    test.equal("a label in two lines", joined(table.row("v1  pieces, one for each thread", {"1.0", "2"})),
               std::string("v1  pieces, one for         1.0        2|    each thread|"));
    test.equal("a word too long for the labels",
               joined(table.row("cub  DeviceReduce::SumOfAllThat", {"1.0", "2"})),
               std::string("cub  DeviceReduce::SumOfAllThat|                            1.0        2|"));
    test.equal("a value that is too wide", joined(table.row("v1", {"123456789.01", "2"})),
               std::string("v1                 123456789.01        2|"));
    for (int digits = 1; digits < 60; ++digits) {
        const std::string number(static_cast<std::size_t>(std::min(digits, 36)), '1');
        test.check(widest(table.row("v1  name", {number, number})) <= 40,
                   std::to_string(digits) + " digits never need more than the screen");
    }
}

/// Tests ladders and sweeps with numbers as wide as on a GPU.
void times(Case& test) {
    Times slow;
    slow.us = 9999999.9, slow.spread = 1.5, slow.host_us = 999999.99, slow.each_us = 99999.999,
    slow.gb_per_s = 32795;
    slow.of_bound = 1.04, slow.speed_up = 1234.56, slow.of_library = 1234.56;
    Times library = slow;
    library.is_library = true, library.speed_up = 0;
    const Lines labels = {"cub     CUB DeviceReduce::Sum", "npp     NPP FilterRow, FilterColumn",
                          "v2_32   32 blocks per multiprocessor", "v6b     bins 24576 to 32767 private"};
    for (const int width : {80, 100}) {
        for (int shown = 0; shown < 64; ++shown) {
            const bool bars = shown & 32;
            const Lines lines = printed(width, bars, [&](Output& out) {
                LadderOfTimes ladder(out,
                                     {(shown & 1) != 0, (shown & 2) != 0, (shown & 4) != 0, (shown & 8) != 0,
                                      shown & 16 ? "iteration" : ""},
                                     37);
                ladder.row(labels[0], library, "");
                for (const std::string& label : labels)
                    for (const char* note : {"", "noisy", "INVALID", "WRONG"}) ladder.row(label, slow, note);
            });
            test.check(widest(lines) <= width, "a ladder of the columns " + std::to_string(shown) +
                                                   " fits into " + std::to_string(width) + ": " +
                                                   std::to_string(widest(lines)));
            test.check(joined(lines).find("noisy") != std::string::npos, "no note is lost");
            test.check(joined(lines).find("9999999.9") != std::string::npos, "no number is lost");
        }
        for (int versions = 1; versions <= 6; ++versions) {
            for (const auto beside : {SweepOfTimes::Beside::nothing, SweepOfTimes::Beside::of_bound,
                                      SweepOfTimes::Beside::host_us}) {
                const double other = beside == SweepOfTimes::Beside::of_bound ? 1.04 : 9999999;
                const Lines lines = printed(width, true, [&](Output& out) {
                    SweepOfTimes sweep(out, Lines(static_cast<std::size_t>(versions), "capture"), beside);
                    std::vector<TimesAtSize> measured;
                    for (int i = 0; i < versions; ++i) {
                        sweep.progress(1 << 30, measured, "capture");
                        out.say("");  // ends the line with the progress
                        measured.push_back({9999999, other, i > 0});
                    }
                    sweep.row(1 << 30, measured);
                });
                const int clearing =
                    2 * 4;  // \r and the sequence that deletes a line, before and after each progress text
                test.check(widest(lines) <= width + clearing, "a sweep fits");
                test.check(widest({lines.back()}) <= width, "a row of a sweep fits");
                test.check(joined(lines).find("!9999999") != std::string::npos, "a wrong output is marked");
            }
        }
    }
}

#ifdef KIT_CPU  // demos show counts on the CPU backend
/// Tests a ladder of counts with all columns, and with wider numbers than those of the demos.
void counts(Case& test) {
    const char* const fields[] = {"launches",     "synchronisations", "blocks",      "threads",
                                  "barriers",     "warp_operations",  "atomics",     "worst_contention",
                                  "global_loads", "global_stores",    "global_bytes"};
    for (const int width : {80, 100}) {
        for (int digits = 1; digits <= 12; ++digits) {
            std::vector<Field> values;
            char digit = '1';
            for (const char* field : fields) {
                values.push_back({field, std::string(static_cast<std::size_t>(digits), digit)});
                digit = digit == '9' ? '1' : static_cast<char>(digit + 1);
            }
            const Lines lines = printed(width, false, [&](Output& out) {
                show_counts(
                    out,
                    {{"v10   lean, separable, one launch", "Fewer registers, more warps.", values, true},
                     {"npp   NPP FilterRow, FilterColumn", "", values, false}},
                    true);
            });
            const std::string of =
                std::to_string(digits) + " digits on " + std::to_string(width) + " columns";
            test.check(widest(lines) <= width, "fits: " + of);
            for (const Field& value : values)
                test.check(joined(lines).find(value.value.text) != std::string::npos,
                           "no count is lost: " + of);
            test.check(joined(lines).find("(WRONG)") != std::string::npos, "a wrong output is marked: " + of);
        }
    }
}
#endif

void bars(Case& test) {
    const auto ladder = [](int width, bool terminal) {
        return printed(width, terminal, [](Output& out) {
            LadderOfTimes shown(out, {false, true, true, true, ""}, 27);
            Times mark, half;
            mark.is_library = true;
            mark.us = 250.9, mark.of_bound = 1.0, mark.of_library = 1;
            half.us = 501.8, half.of_bound = 0.5, half.speed_up = 1, half.of_library = 0.5;
            shown.row("cub  CUB DeviceReduce::Sum", mark, "");
            shown.row("v1   divergent tree", half, "noisy");
        });
    };
    const Lines screen = ladder(100, true), narrow = ladder(80, true), plain = ladder(100, false);
    test.check(joined(screen).find("\u2588\u2588\u2588\u2588\u2588") != std::string::npos,
               "a bar on 100 columns");
    test.check(joined(screen).find("noisy|") != std::string::npos, "the note stands behind the bar");
    test.check(joined(narrow).find("\u2588") == std::string::npos, "no bar on 80 columns");
    test.check(joined(plain).find("\u2588") == std::string::npos, "no bar without a terminal");
    test.equal("half of the longest, and the mark", bar(0.5, 1, 10),
               std::string("  \u2588\u2588\u2588\u2588\u2588     \u2502"));
    test.equal("not beyond the room", columns_of(bar(99, 99, 10)), 2 + 12 + 1);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("kit", "demo", argc, argv);
    grader.add("widths", widths);
    grader.add("prose", prose);
    grader.add("arrangements", arrangements);
    grader.add("labels and values", labels_and_values);
    grader.add("times", times);
#ifdef KIT_CPU
    grader.add("counts", counts);
#endif
    grader.add("bars", bars);
    return grader.run();
}
