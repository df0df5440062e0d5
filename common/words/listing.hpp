// Formats a listing: the source lines that a failure names, each with what the threads do there. The grader
// and the executor use this format.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <text_layout.hpp>
#include <utility>
#include <vector>
#include <words/sentence.hpp>

namespace kit::words {

/// Returns the lines of a screen. `shown` shortens paths for the reader.
///
///     tree.cu:24
///     24 | if (t < stride) tile[t] += tile[t + stride];
///        |     thread (0,0,0) of block (0,0,0) reads it
///        |     called from tree.cu:41  float sum = sum_tile(tile);
inline std::vector<std::string> listing(const Told& told, int width, std::string (*shown)(std::string path)) {
    std::vector<std::string> lines;
    const auto add = [&](const std::string& text) {
        for (std::string& line : wrapped(printable(text), width, 13)) lines.push_back(std::move(line));
    };
    std::vector<ToldLine> named = told.lines;
    if (!told.what.empty())  // the parts of a sentence without a heading stay in their order
        std::stable_sort(named.begin(), named.end(), [](const ToldLine& a, const ToldLine& b) {
            return a.where.file == b.where.file && a.where.line < b.where.line;
        });
    const ToldLine* before = nullptr;
    for (const ToldLine& one : named) {
        const facts::Where& where = one.where;
        if (!before || before->where.file != where.file)
            lines.push_back("    " + shown(printable(where.file)) + ":" + std::to_string(where.line));
        char number[16];
        std::snprintf(number, sizeof number, "%6d", where.line);
        const bool same = before && before->where == where;
        if (!same && !where.text.empty()) add(std::string(number) + " | " + where.text);
        if (!one.who.empty()) add("       |     " + one.who);
        if (where.caller.line > 0)
            add("       |     called from " + where.caller.file.substr(where.caller.file.rfind('/') + 1) +
                ":" + std::to_string(where.caller.line) + "  " + where.caller.text.substr(0, 80));
        before = &one;
    }
    for (std::string& line : lines) {  // a continued line keeps the vertical bar
        if (line.compare(0, 13, std::string(13, ' ')) == 0) line[7] = '|';
    }
    return lines;
}

}  // namespace kit::words
