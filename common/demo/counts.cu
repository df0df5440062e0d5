// Prints the table of a ladder of counts.
#include <algorithm>

#include "counts.hpp"
#include "layout.hpp"

namespace kit::demo {
namespace {

/// The counts that a ladder shows, with their headings.
constexpr struct {
    const char* heading;
    const char* field;
} shown_counts[] = {
    {"launches", "launches"},    {"waits", "synchronisations"},     {"blocks", "blocks"},
    {"threads", "threads"},      {"barriers", "barriers"},          {"warp ops", "warp_operations"},
    {"atomics", "atomics"},      {"meet most", "worst_contention"}, {"loads", "global_loads"},
    {"stores", "global_stores"}, {"bytes", "global_bytes"},
};

const std::string& count_of(const CountedRow& row, const char* field) {
    return std::find_if(row.counts.begin(), row.counts.end(),
                        [field](const Field& one) { return one.name == field; })
        ->value.text;
}

}  // namespace

void show_counts(Output& out, const std::vector<CountedRow>& rows, bool explain) {
    std::vector<Heading> columns;
    std::vector<const char*> fields;
    for (const auto& column : shown_counts) {
        int widest = 0;
        bool counted = false;
        for (const CountedRow& row : rows) {
            const std::string& count = count_of(row, column.field);
            widest = std::max(widest, columns_of(count));
            counted = counted || count != "0";
        }
        if (!counted) continue;
        columns.push_back({column.heading, widest});
        fields.push_back(column.field);
    }
    int label_width = 0;
    for (const CountedRow& row : rows) label_width = std::max(label_width, columns_of(row.label));
    const Table table(out.width(), {"version", label_width}, columns);
    out.lines(table.heading());
    for (const CountedRow& row : rows) {
        if (explain && !row.change.empty()) out.say("  " + row.change);
        std::vector<std::string> cells;
        for (const char* field : fields) cells.push_back(count_of(row, field));
        out.lines(table.row(row.label + (row.right ? "" : " (WRONG)"), cells));
    }
}

}  // namespace kit::demo
