// The part of the demo for a GPU: times, against a device copy and CUB. Included by demo.cu only.
#pragma once

namespace {

constexpr int small_n = 1 << 20;

struct Row {
    std::string version;
    int n;
    const char* what;  ///< whole, tiles or compact
    kit::Timing timing;
};

kit::TimeOptions repeat(int repetitions) {
    kit::TimeOptions options;
    options.repetitions = repetitions;
    return options;
}

/// Bytes: what a scan must move, every element read once and written once.
Row measure(const Version& version, Memory& m, int n, int repetitions) {
    m.out.clear();
    const double bytes = 2.0 * sizeof(int) * n;
    const kit::Timing timing = kit::time([&] { version.launch(n); }, bytes, repeat(repetitions));
    expect_right(version.name, m, n, version.inclusive, 0);
    return {version.name, n, "whole", timing};
}

Row measure_tiles(const Version& version, Memory& m, int n, int repetitions) {
    m.out.clear();
    const double bytes = 2.0 * sizeof(int) * n;
    const auto launch = [&] { version.tiles(m.in.data(), n, m.out.data()); };
    const kit::Timing timing = kit::time(launch, bytes, repeat(repetitions));
    expect_right(version.name + " (tiles)", m, n, version.inclusive, version.tile);
    return {version.name, n, "tiles", timing};
}

/// Half of the elements are kept. The count is checked against the host's, and all values at a small size.
void expect_compacted(const std::string& name, Memory& m, int n) {
    std::vector<int> want;
    for (int i = 0; i < n; ++i) {
        if (value_at(i) > 0) want.push_back(value_at(i));
    }
    std::vector<int> got = m.out.to_vector();
    const int count = m.count.to_vector()[0];
    got.resize(want.size());
    if (count == static_cast<int>(want.size()) && got == want) return;
    std::fprintf(stderr, "%s, n=%d: wrong; %d are kept, and it says %d\n", name.c_str(), n,
                 static_cast<int>(want.size()), count);
    std::exit(EXIT_FAILURE);
}

std::vector<Row> measure_compact(Memory& m, int n, int repetitions) {
    std::vector<Row> rows;
    const double bytes = 1.5 * sizeof(int) * n;  // all are read, half are written
    const auto ours = [&] {
        scan::compact(m.in.data(), n, scan::Positive{}, m.out.data(), m.count.data(), m.scratch.data());
    };
    rows.push_back({"v7 compact", n, "compact", kit::time(ours, bytes, repeat(repetitions))});
    expect_compacted("v7 compact", m, n);

    const auto counts = [&] {
        scan::scan_counts(m.scratch.data(), scan::compact_scratch(n), m.count.data());
    };
    rows.push_back({"v7 its middle launch", n, "compact", kit::time(counts, 0, repeat(repetitions))});

    std::size_t size = 0;
    const auto select = [&](void* storage) {
        CUDA_CHECK(cub::DeviceSelect::If(storage, size, m.in.data(), m.out.data(), m.count.data(), n,
                                         scan::Positive{}));
    };
    select(nullptr);
    kit::DeviceBuffer<char> storage(size);
    m.out.clear();
    rows.push_back({"CUB DeviceSelect::If", n, "compact",
                    kit::time([&] { select(storage.data()); }, bytes, repeat(repetitions))});
    expect_compacted("CUB DeviceSelect::If", m, n);
    return rows;
}

/// `against` is the last row: the library.
void print_rows(const char* title, const std::vector<Row>& rows) {
    std::printf("%-30s %10s %7s %8s %6s %9s %9s\n", title, "us", "spread", "GB/s", "copy", "speed-up",
                "CUB/this");
    double before = 0;
    const double library = rows.back().timing.median_ms;
    for (const Row& row : rows) {
        std::printf("%-30s %10.1f %6.1f%% %8.0f %5.0f%% %8.2fx %9.3f%s\n", row.version.c_str(),
                    row.timing.median_ms * 1e3, row.timing.spread * 100, row.timing.gb_per_s,
                    row.timing.fraction_of_copy * 100, before > 0 ? before / row.timing.median_ms : 1.0,
                    library / row.timing.median_ms, row.timing.valid ? "" : "  INVALID");
        before = row.timing.median_ms;
    }
    std::printf("\n");
}

void print_sizes(const std::vector<std::vector<Row>>& by_size) {
    std::printf("%12s", "n");
    for (const Row& row : by_size[0]) std::printf(" %30s", row.version.c_str());
    std::printf("   (microseconds)\n");
    for (const auto& rows : by_size) {
        std::printf("%12d", rows[0].n);
        for (const Row& row : rows) std::printf(" %30.2f", row.timing.median_ms * 1e3);
        std::printf("\n");
    }
}

void write_json(const char* file, const std::vector<Row>& rows) {
    std::FILE* out = open_or_exit(file);
    int multiprocessors = 0, driver = 0, runtime = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    char date[32];
    std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    std::fprintf(
        out,
        "{\n  \"topic\": \"08_scan\", \"device\": \"%s\", \"multiprocessors\": %d, \"driver_cuda\": %d, "
        "\"runtime_cuda\": %d, \"date\": \"%s\",\n  \"copy_gb_per_s\": %.1f,\n  \"rows\": [\n",
        device_name().c_str(), multiprocessors, driver, runtime, date, kit::copy_gb_per_s());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        std::fprintf(
            out,
            "    {\"version\": \"%s\", \"what\": \"%s\", \"n\": %d, \"median_us\": %.3f, \"spread\": %.4f, "
            "\"gb_per_s\": %.1f, \"fraction_of_copy\": %.4f, \"repetitions\": %d, \"valid\": %s}%s\n",
            row.version.c_str(), row.what, row.n, row.timing.median_ms * 1e3, row.timing.spread,
            row.timing.gb_per_s, row.timing.fraction_of_copy, row.timing.repetitions,
            row.timing.valid ? "true" : "false", i + 1 < rows.size() ? "," : "");
    }
    std::fprintf(out, "  ]\n}\n");
    std::fclose(out);
}

/// Every version at one size: whole scans, tiles alone, compaction.
void ladder(const std::vector<Version>& all, Memory& m, int n, int repetitions,
            std::vector<Row>& everything) {
    std::vector<Row> whole, tiles;
    for (const Version& version : all) whole.push_back(measure(version, m, n, repetitions));
    for (const Version& version : all) {
        if (version.tiles != nullptr) tiles.push_back(measure_tiles(version, m, n, repetitions));
    }
    tiles.push_back(whole.back());
    const std::vector<Row> kept = measure_compact(m, n, repetitions);
    std::printf("n = %d\n", n);
    print_rows("whole array", whole);
    print_rows("tiles alone", tiles);
    print_rows("keep the positive half", kept);
    tiles.pop_back();
    for (const auto& rows : {whole, tiles, kept})
        everything.insert(everything.end(), rows.begin(), rows.end());
}

void measure_all(const std::vector<Version>& all, Memory& m, const char* json) {
    std::vector<Row> everything;
    ladder(all, m, m.n, 31, everything);
    if (m.n > small_n) ladder(all, m, small_n, 51, everything);
    std::printf("device copy: %.0f GB/s, read and written. speed-up: over the line above.\n\n",
                kit::copy_gb_per_s());

    std::vector<std::vector<Row>> by_size;
    for (int n : {1 << 10, 1 << 14, 1 << 18, 1 << 20, (1 << 20) + 3, 1 << 22, 1 << 24, 1 << 26, 1 << 28}) {
        if (n > m.n) continue;
        by_size.emplace_back();
        for (std::size_t v = all.size() - 3; v < all.size(); ++v) {  // v6, v8, CUB
            by_size.back().push_back(measure(all[v], m, n, 51));
            everything.push_back(by_size.back().back());
        }
    }
    if (!by_size.empty()) print_sizes(by_size);
    if (json != nullptr) write_json(json, everything);
}

}  // namespace
