// Ladders on the CPU executor: counts instead of times.
#include <algorithm>

#include "layout.hpp"
#include "times.hpp"

#ifdef KIT_CPU
#include <algorithm>
#include <kit_cpu/executor.hpp>

#include "../kit.cuh"
#include "state.hpp"

namespace kit::demo {
std::vector<Field> counts_of(const std::function<void()>& run) {
    CUDA_CHECK(cudaDeviceSynchronize());  // earlier work must not be counted
    cpu::reset_counters();
    run();
    CUDA_CHECK(cudaDeviceSynchronize());
    const cpu::Counters c = cpu::counters();
    const double blocks = static_cast<double>(std::max<std::uint64_t>(c.blocks, 1));
    return {{"launches", c.kernels},
            {"blocks", c.blocks},
            {"threads", c.threads},
            {"barriers", c.block_barriers},
            {"barriers_per_block", static_cast<double>(c.block_barriers) / blocks},
            {"warp_operations", c.warp_collectives},
            {"atomics", c.atomics},
            {"worst_contention", c.worst_contention},
            {"global_loads", c.global_loads},
            {"global_stores", c.global_stores},
            {"global_bytes", c.global_bytes_loaded + c.global_bytes_stored},
            {"shared_accesses", c.shared_loads + c.shared_stores},
            {"synchronisations", c.synchronizations - 1},  // does not count the wait of this function
            {"copied_bytes", c.copied_bytes}};
}

void Demo::ladder(const std::string& table, const std::string& title, const Work& work,
                  const std::vector<Version>& versions) {
    if (!part(table)) return;
    State& s = *state_;
    s.open(table, title + ", counted", "counts");
    const std::vector<Version> kept = wanted(*this, versions);
    std::vector<CountedRow> rows;
    for (const Version& version : kept) {
        const std::string label = label_of(version, kept);
        s.out.progress(label + "  counting ...");
        std::vector<Field> fields = {{"version", version.name}, {"n", work.n}};
        const std::vector<Field> counts = counts_of([&] { version.run(work.n); });
        const bool right = is_right(version, work.n);
        s.wrong = s.wrong || !right;
        rows.push_back({label, version.change, counts, right});
        fields.insert(fields.end(), counts.begin(), counts.end());
        if (version.facts != nullptr && !s.options.json.empty()) {
            for (Field& fact : version.facts()) fields.push_back(std::move(fact));
        }
        s.tables.back().rows.push_back(json_row(version.id, fields));
        s.write_record(false);
    }
    show_counts(s.out, rows, s.options.explain);
    if (s.counts_explained) return;
    s.counts_explained = true;
    s.out.say(
        "Counted, not timed: the executor's times would say nothing about a GPU. Columns of zeros are "
        "left out. barriers: one per block; warp ops (shuffles, votes, warp barriers): one per "
        "warp; atomics, loads and stores of global memory: one per thread; meet most: atomics of one launch "
        "at "
        "one address; bytes: of global memory.");
}

void Demo::sweep(const std::string&, const std::string&, const std::vector<long long>&,
                 const std::function<Work(long long)>&, const std::vector<Version>& versions) {
    // Marks the versions as known; there is no table, because counts would show nothing new.
    for (const Version& version : versions) wants(version.id);
}

// Prints the table of a ladder of counts.

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
#endif
