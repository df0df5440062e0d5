// The part of the demo for a GPU: times, against a device copy and CUB. Included by demo.cu only.
#pragma once

#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/atomic>
#include <string>
#include <vector>

namespace {

constexpr int small_n = 1 << 20;

Version library_scan(Memory& m) {
    return {"cub",
            "CUB DeviceScan",
            "",
            [&m](long long n) {
                std::size_t size = m.storage.size();
                CUDA_CHECK(cub::DeviceScan::ExclusiveSum(m.storage.data(), size, m.in.data(), m.out.data(),
                                                         static_cast<int>(n)));
            },
            [&m](long long n) { return m.is_scan(n, false, 0); },
            true};
}

Version library_select(Memory& m) {
    return {"cub",
            "CUB DeviceSelect",
            "",
            [&m](long long n) {
                std::size_t size = m.storage.size();
                CUDA_CHECK(cub::DeviceSelect::If(m.storage.data(), size, m.in.data(), m.out.data(),
                                                 m.count.data(), static_cast<int>(n), scan::Positive{}));
            },
            [&m](long long n) { return m.is_compact(static_cast<int>(n)); },
            true};
}

/// Large enough for every call of both.
void allocate_storage(Memory& m) {
    std::size_t scan = 0, select = 0;
    CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, scan, m.in.data(), m.out.data(), m.size()));
    CUDA_CHECK(cub::DeviceSelect::If(nullptr, select, m.in.data(), m.out.data(), m.count.data(), m.size(),
                                     scan::Positive{}));
    m.storage = kit::DeviceBuffer<char>(std::max(scan, select));
}

/// A tile scan written with the library: v3's tile, two neighbours per thread.
__global__ void block_scan_tiles(const int* in, int n, int* out) {
    using BlockScan = cub::BlockScan<int, scan::kBlock>;
    __shared__ typename BlockScan::TempStorage storage;
    const int first = (blockIdx.x * scan::kBlock + threadIdx.x) * 2;
    int values[2] = {first < n ? in[first] : 0, first + 1 < n ? in[first + 1] : 0};
    BlockScan(storage).ExclusiveSum(values, values);
    if (first < n) out[first] = values[0];
    if (first + 1 < n) out[first + 1] = values[1];
}

Version library_tiles(Memory& m) {
    return {"cub",
            "CUB BlockScan",
            "",
            [&m](long long n) {
                block_scan_tiles<<<kit::ceil_div(static_cast<int>(n), scan::kTile), scan::kBlock>>>(
                    m.in.data(), static_cast<int>(n), m.out.data());
                CUDA_CHECK_LAUNCH();
            },
            [&m](long long n) { return m.is_scan(n, false, scan::kTile); },
            true};
}

// ---- parts of the versions, by themselves -----------------------------------------------------------------

template <int tile>
Version barriers_version(Memory& m, const char* id, const char* name, int barriers) {
    return {id, name, "",
            [&m, barriers](long long n) {
                only_barriers<tile><<<kit::ceil_div(static_cast<int>(n), tile), scan::kBlock>>>(
                    m.in.data(), static_cast<int>(n), barriers, m.out.data());
                CUDA_CHECK_LAUNCH();
            },
            [&m](long long n) { return m.is_copy(n); }};
}

void barriers(Demo& demo, Memory& m, int n) {
    demo.ladder("barriers", std::to_string(n) + " ints through shared memory, with barriers and no scan",
                work_of(n),
                {barriers_version<scan::kBlock>(m, "t256b0", "tiles of 256, no barrier", 0),
                 barriers_version<scan::kBlock>(m, "t256b2", "2 barriers, as s1", 2),
                 barriers_version<scan::kBlock>(m, "t256b8", "8 barriers, as v2", 8),
                 barriers_version<scan::kBlock>(m, "t256b16", "16 barriers, as v1", 16),
                 barriers_version<scan::kTile>(m, "t512b0", "tiles of 512, no barrier", 0),
                 barriers_version<scan::kTile>(m, "t512b18", "18 barriers, as v5", 18),
                 barriers_version<scan::kTile>(m, "t512b19", "19 barriers, as v3 and v4", 19)});
}

/// v7's middle launch by itself, and other scans of the counts of as many tiles.
void middle(Demo& demo, Memory& m, const char* table, int n) {
    const int tiles = scan::compact_scratch(n);
    Version one_block = {
        "v7", "v7's middle launch: one block", "",
        [&m, tiles](long long) { scan::scan_counts(m.counts.data(), tiles, m.count.data()); }, nullptr};
    // The counts are replaced by their scan: zeros while it is timed, then values once, for the check.
    one_block.right = [&m, tiles](long long) {
        const std::size_t bytes = tiles * sizeof(int);
        CUDA_CHECK(cudaMemcpy(m.counts.data(), m.in.data(), bytes, cudaMemcpyDeviceToDevice));
        scan::scan_counts(m.counts.data(), tiles, m.count.data());
        CUDA_CHECK(cudaMemcpy(m.out.data(), m.counts.data(), bytes, cudaMemcpyDeviceToDevice));
        m.counts.clear();
        return m.is_scan(tiles, false, 0);
    };
    demo.ladder(table, "the counts of " + std::to_string(tiles) + " tiles, scanned", work_of(tiles),
                {one_block, single_pass_version(m), library_scan(m)});
}

/// A chain: each block waits for the word of the previous block, and publishes its own. Only one of 512 threads works, so
/// that a multiprocessor for 2048 threads holds as many waiting blocks as in v8.
__global__ void chain(scan::Word* words, unsigned int* ticket, unsigned int first_ticket, unsigned int call) {
    if (threadIdx.x != 0) return;
    using AtomicWord = cuda::atomic_ref<scan::Word, cuda::thread_scope_device>;
    const unsigned int tile = atomicAdd(ticket, 1u) - first_ticket;
    scan::Word before = scan::make_word(call, scan::Status::prefix, 0);
    if (tile > 0) {
        while (true) {
            before = AtomicWord(words[tile - 1]).load(cuda::memory_order_relaxed);
            if (scan::status_of(before, call) == scan::Status::prefix) break;
            __nanosleep(20);
        }
    }
    AtomicWord(words[tile])
        .store(scan::make_word(call, scan::Status::prefix, scan::value_of(before) + 1),
               cuda::memory_order_relaxed);
}

/// Times how a sum passes `few` and `many` tiles. The difference does not include the cost of a launch.
template <class Pass>
void hand_over_row(Demo& demo, const char* id, const char* name, int few, int many, int tiles_at_once,
                   Pass pass) {
    if (!demo.wants(id)) return;
    kit::TimeOptions options;
    options.repetitions = demo.repetitions(30);
    options.cold_l2 = false;  // the words have just been written
    const kit::Timing a = kit::time([&] { pass(few); }, 0, options);
    const kit::Timing b = kit::time([&] { pass(many); }, 0, options);
    const double us = (b.median_ms - a.median_ms) * 1e3;
    const double steps = static_cast<double>(many - few) / tiles_at_once;
    demo.row(id, name,
             {few, a.median_ms * 1e3, many, b.median_ms * 1e3, std::max(a.spread, b.spread), us * 1e3 / steps,
              static_cast<double>(many - few) / us});
}

void expect(const char* what, int got, int want) {
    if (got == want) return;
    std::fprintf(stderr, "%s: %d instead of %d\n", what, got, want);
    std::exit(EXIT_FAILURE);
}

void hand_over(Demo& demo, Memory& m) {
    if (!demo.part("hand_over")) return;
    constexpr int few = 2048, many = 32768;
    kit::DeviceBuffer<scan::Word> words(many);
    kit::DeviceBuffer<unsigned int> ticket(1);
    words.clear();
    ticket.clear();
    demo.table("hand_over", "how a sum passes tiles that are finished", {"how", 36},
               {{"few", 0, 5},
                {"few_us", 1, 6},
                {"many", 0, 5},
                {"many_us", 1, 7},
                {"spread", 3, 5},
                {"ns_per_step", 0, 5},
                {"tiles_per_us", 1, 6}});
    unsigned int calls = 0, tickets = 0;
    hand_over_row(demo, "chain", "a chain: one tile per step", few, many, 1, [&](int tiles) {
        chain<<<tiles, 512>>>(words.data(), ticket.data(), tickets, ++calls);
        CUDA_CHECK_LAUNCH();
        tickets += tiles;
    });
    if (calls > 0) expect("chain", scan::value_of(words.to_vector().back()), many);

    std::vector<scan::Word> told(many, scan::make_word(1, scan::Status::aggregate, 1));
    words.copy_from(told);
    m.count.clear();
    const auto look = [&](int tiles) { scan::look_back(words.data(), tiles, 1, -1, 0, m.count.data()); };
    hand_over_row(demo, "look_back", "a warp looks back: 32 tiles per step", few, many, 32, look);
    look(many);
    expect("look_back", m.count.to_vector()[0], many);
}

void run_all(Demo& demo) {
    const int n = static_cast<int>(demo.n());
    const std::vector<long long> sizes = Demo::sizes(2 * sizeof(int));
    Memory m(n, static_cast<int>(std::max<long long>(n, sizes.back())));
    allocate_storage(m);
    const std::vector<Version> fast = {multi_block_version(m), single_pass_version(m), prefetched_version(m),
                                       library_scan(m)};
    const auto work = [](long long size) { return work_of(size); };
    const auto ints = [](int size) { return std::to_string(size) + " ints"; };

    std::vector<Version> whole = whole_scans(m), tiles = scans_of_tiles(m);
    whole.push_back(library_scan(m));
    whole.front().repetitions = 10;
    tiles.push_back(library_tiles(m));
    demo.ladder("ladder", "all partial sums of " + ints(n), work_of(n), whole);
    if (n > small_n) {
        whole.front().repetitions = 0;
        demo.ladder("small", "all partial sums of " + ints(small_n), work_of(small_n), whole);
    }
    demo.ladder("tiles", "tiles of " + ints(n) + ", each scanned by itself", work_of(n), tiles);
    barriers(demo, m, n);
    middle(demo, m, "middle", n);
    if (n > small_n) middle(demo, m, "small_middle", small_n);

    m.fill_in(true);
    const auto compact = [&](const char* table, int size) {
        demo.ladder(table, "the positive half of " + ints(size) + ", in order",
                    work_of(size, 1.5 * sizeof(int)),
                    {compact_version(m), compact_once_version(m), library_select(m)});
    };
    compact("compact", n);
    if (n > small_n) compact("small_compact", small_n);
    m.fill_in(false);

    hand_over(demo, m);
    demo.sweep("sizes", "all partial sums of n ints", sizes, work, fast);
    demo.sweep("levels", "at the edges of v6's levels: 1, 3, 3 and 5 launches",
               {1024, 1025, small_n, small_n + 1}, work, fast);
}

}  // namespace
