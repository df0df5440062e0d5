// The part of the demo for the CPU executor: what it counts. Included by demo.cu only.
#pragma once

namespace {

constexpr int log2_of(int power) {
    int steps = 0;
    for (; power > 1; power /= 2) ++steps;
    return steps;
}

/// Additions and the longest chain of them, as the elements counted them, beside what the textbooks say.
struct Count {
    std::string name;
    long long n, additions, textbook_additions;
    int chain, textbook_steps;
    unsigned long long barriers;  ///< per block
};

using CountedScan = void (*)(const scan::Counted*, int, scan::Counted*);

/// One scan of n elements that count. `launch` returns where the result is.
template <class Launch>
Count count_one(const std::string& name, int n, long long textbook_additions, int textbook_steps,
                Launch launch) {
    kit::DeviceBuffer<unsigned long long> additions(1);
    additions.clear();
    std::vector<scan::Counted> values(n);
    for (int i = 0; i < n; ++i) values[i] = {value_at(i), 0, additions.data()};
    kit::DeviceBuffer<scan::Counted> in(values), out(n), other(n);
    kit::cpu::reset_counters();
    const scan::Counted* at = launch(in.data(), out.data(), other.data());
    CUDA_CHECK(cudaDeviceSynchronize());
    const kit::cpu::Counters counters = kit::cpu::counters();
    CUDA_CHECK(cudaMemcpy(values.data(), at, n * sizeof(scan::Counted), cudaMemcpyDeviceToHost));
    int chain = 0;
    for (const scan::Counted& one : values) chain = one.chain > chain ? one.chain : chain;
    const auto made = static_cast<long long>(additions.to_vector()[0]);
    return {
        name, n, made, textbook_additions, chain, textbook_steps, counters.block_barriers / counters.blocks};
}

Count count_tile(const std::string& name, int tile, CountedScan scan, long long textbook_additions,
                 int textbook_steps) {
    return count_one(name, tile, textbook_additions, textbook_steps,
                     [=](const scan::Counted* in, scan::Counted* out, scan::Counted*) {
                         scan(in, tile, out);
                         return out;
                     });
}

std::vector<Count> count_additions() {
    constexpr int small = scan::kBlock, large = scan::kTile, million = 1 << 20;
    constexpr int log_small = log2_of(small), log_large = log2_of(large), log_million = log2_of(million);
    const auto hillis_steele = [](long long n, int log) { return n * log - (n - 1); };
    return {
        count_tile("v1 two barriers per step", small, scan::hillis_steele<scan::Counted>,
                   hillis_steele(small, log_small), log_small),
        count_tile("v2 double-buffered", small, scan::double_buffered<scan::Counted>,
                   hillis_steele(small, log_small), log_small),
        count_tile("v3 Blelloch", large, scan::blelloch<scan::Counted>, 2 * (large - 1), 2 * log_large),
        count_tile("v4 Blelloch, padded", large, scan::blelloch_padded<scan::Counted>, 2 * (large - 1),
                   2 * log_large),
        count_tile("v5 Brent-Kung", large, scan::brent_kung<scan::Counted>, 2 * large - 2 - log_large,
                   2 * log_large - 1),
        count_one("steps over the whole array", million, hillis_steele(million, log_million), log_million,
                  [](const scan::Counted* in, scan::Counted* out, scan::Counted* other) {
                      return whole_array_steps(in, million, out, other);
                  }),
    };
}

void print_counts(const std::vector<Count>& counts) {
    std::printf("%-28s %9s %10s %10s %9s %7s %9s %9s\n", "one scan of N elements", "N", "additions",
                "textbook", "/ (N-1)", "chain", "textbook", "barriers");
    for (const Count& one : counts) {
        std::printf("%-28s %9lld %10lld %10lld %8.2fx %7d %9d %9llu\n", one.name.c_str(), one.n,
                    one.additions, one.textbook_additions,
                    static_cast<double>(one.additions) / static_cast<double>(one.n - 1), one.chain,
                    one.textbook_steps, one.barriers);
    }
    std::printf("chain: additions one behind the other; barriers: per block\n\n");
}

/// Launches, blocks and so on of one version, which must also be right.
struct Row {
    std::string name;
    kit::cpu::Counters counters;
};

std::vector<Row> count_operations(const std::vector<Version>& all, Memory& m) {
    std::vector<Row> rows;
    for (const Version& version : all) {
        kit::cpu::reset_counters();
        version.launch(m.n);
        CUDA_CHECK(cudaDeviceSynchronize());
        rows.push_back({version.name, kit::cpu::counters()});
        expect_right(version.name, m, m.n, version.inclusive, 0);
    }
    kit::cpu::reset_counters();
    scan::compact(m.in.data(), m.n, scan::Positive{}, m.out.data(), m.count.data(), m.scratch.data());
    CUDA_CHECK(cudaDeviceSynchronize());
    rows.push_back({"v7 compact (positive)", kit::cpu::counters()});
    return rows;
}

void write_json(const char* file, int n, const std::vector<Count>& counts, const std::vector<Row>& rows) {
    std::FILE* out = open_or_exit(file);
    std::fprintf(out, "{\n  \"topic\": \"08_scan\", \"device\": \"%s\", \"n\": %d,\n  \"additions\": [",
                 device_name().c_str(), n);
    const char* separator = "\n";
    for (const Count& one : counts) {
        std::fprintf(
            out,
            "%s    {\"version\": \"%s\", \"n\": %lld, \"additions\": %lld, \"textbook_additions\": %lld, "
            "\"chain\": %d, \"textbook_steps\": %d, \"barriers_per_block\": %llu}",
            separator, one.name.c_str(), one.n, one.additions, one.textbook_additions, one.chain,
            one.textbook_steps, one.barriers);
        separator = ",\n";
    }
    std::fprintf(out, "\n  ],\n  \"rows\": [");
    separator = "\n";
    for (const Row& row : rows) {
        const kit::cpu::Counters& c = row.counters;
        const unsigned long long values[] = {c.kernels, c.blocks, c.block_barriers, c.warp_collectives,
                                             c.atomics};
        std::fprintf(
            out,
            "%s    {\"version\": \"%s\", \"launches\": %llu, \"blocks\": %llu, \"block_barriers\": %llu, "
            "\"warp_operations\": %llu, \"atomics\": %llu}",
            separator, row.name.c_str(), values[0], values[1], values[2], values[3], values[4]);
        separator = ",\n";
    }
    std::fprintf(out, "\n  ]\n}\n");
    std::fclose(out);
}

void count_all(const std::vector<Version>& all, Memory& m, const char* json) {
    const std::vector<Count> counts = count_additions();
    print_counts(counts);
    const std::vector<Row> rows = count_operations(all, m);
    std::printf("%-28s %9s %9s %9s %9s %9s\n", "the whole array", "launches", "blocks", "barriers",
                "warp ops", "atomics");
    for (const Row& row : rows) {
        const kit::cpu::Counters& c = row.counters;
        const unsigned long long values[] = {c.kernels, c.blocks, c.block_barriers, c.warp_collectives,
                                             c.atomics};
        std::printf("%-28s %9llu %9llu %9llu %9llu %9llu\n", row.name.c_str(), values[0], values[1],
                    values[2], values[3], values[4]);
    }
    std::printf(
        "barriers: one per block; warp ops (shuffles, votes): one per warp; atomics: one per thread\n");
    if (json != nullptr) write_json(json, m.n, counts, rows);
}

}  // namespace
