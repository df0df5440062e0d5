// The part of the demo for the CPU executor: what it counts. Included by demo.cu only.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace {

constexpr int log2_of(int power) {
    int steps = 0;
    for (; power > 1; power /= 2) ++steps;
    return steps;
}

/// The numbers that textbooks give for one scan of n elements.
struct Textbook {
    long long additions;
    int steps;
};

constexpr Textbook hillis_steele_of(long long n) {
    const int log = log2_of(static_cast<int>(n));
    return {n * log - (n - 1), log};
}

void show(Demo& demo, const char* id, const char* name, long long n, Textbook textbook, long long additions,
          int chain, double barriers) {
    demo.row(id, name,
             {n, additions, textbook.additions, static_cast<double>(additions) / static_cast<double>(n - 1),
              chain, textbook.steps, barriers});
}

/// One scan of one tile, of elements that count.
void count_tile(Demo& demo, const char* id, const char* name, int tile,
                void (*scan)(const scan::Counted*, int, scan::Counted*), Textbook textbook) {
    if (!demo.wants(id)) return;
    kit::DeviceBuffer<unsigned long long> additions(1);
    additions.clear();
    std::vector<scan::Counted> values(tile);
    for (int i = 0; i < tile; ++i) values[i] = {value_at(i), 0, additions.data()};
    kit::DeviceBuffer<scan::Counted> in(values), out(tile);
    double barriers = 0;
    for (const kit::demo::Field& field : kit::demo::counts_of([&] { scan(in.data(), tile, out.data()); })) {
        if (field.name == "barriers_per_block") barriers = std::stod(field.value.text);
    }
    int chain = 0;
    for (const scan::Counted& one : out.to_vector()) chain = std::max(chain, one.chain);
    show(demo, id, name, tile, textbook, static_cast<long long>(additions.to_vector()[0]), chain, barriers);
}

/// An element of a whole array that counts what was added at its place: `made` is of the place, not of the value.
struct Tally {
    int value, chain, made;
};
__device__ inline Tally operator+(Tally before, Tally after) {
    return {before.value + after.value, max(before.chain, after.chain) + 1, after.made + 1};
}

/// Not checked by the executor, which would take ten times as long. step<int> is.
template <>
__global__ __attribute__((no_sanitize("thread"))) void step(const Tally* from, int n, int stride, Tally* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = i >= stride ? from[i - stride] + from[i] : from[i];
}

void count_whole_array(Demo& demo) {
    if (!demo.wants("steps")) return;
    constexpr int million = 1 << 20;
    std::vector<Tally> values(million);
    for (int i = 0; i < million; ++i) values[i] = {value_at(i), 0, 0};
    kit::DeviceBuffer<Tally> in(values), out(million), other(million);
    out.clear();  // the checks do not see these writes
    other.clear();
    whole_array_steps(in.data(), million, out.data(), other.data());
    long long additions = 0;
    int chain = 0, sum = 0;
    values = out.to_vector();
    for (int i = 0; i < million; ++i) {
        sum += value_at(i);
        if (values[i].value != sum) std::fprintf(stderr, "steps: value %d is wrong\n", i), std::exit(1);
        additions += values[i].made;
        chain = std::max(chain, values[i].chain);
    }
    show(demo, "steps", "steps over the whole array", million, hillis_steele_of(million), additions, chain,
         0);
}

void count_additions(Demo& demo) {
    if (!demo.part("additions")) return;
    constexpr int small = scan::kBlock, large = scan::kTile, log_large = log2_of(large);
    constexpr Textbook blelloch = {2 * (large - 1), 2 * log_large};
    constexpr Textbook brent_kung = {2 * large - 2 - log_large, 2 * log_large - 1};
    demo.table("additions", "one scan of n elements, counted by the elements", {"version", 26},
               {{"n", 0, 7},
                {"additions", 0, 8},
                {"textbook_additions", 0, 8},
                {"of_loop", 2, 5},
                {"chain", 0, 2},
                {"textbook_steps", 0, 2},
                {"barriers_per_block", 0, 2}});
    count_tile(demo, "v1", "v1  two barriers per step", small, scan::hillis_steele, hillis_steele_of(small));
    count_tile(demo, "v2", "v2  double-buffered", small, scan::double_buffered, hillis_steele_of(small));
    count_tile(demo, "v3", "v3  Blelloch", large, scan::blelloch, blelloch);
    count_tile(demo, "v4", "v4  Blelloch, padded", large, scan::blelloch_padded, blelloch);
    count_tile(demo, "v5", "v5  Brent-Kung", large, scan::brent_kung, brent_kung);
    count_whole_array(demo);
    demo.say("of loop: additions over the n - 1 of a loop; chain: additions one behind the other");
}

void run_all(Demo& demo) {
    const int n = static_cast<int>(demo.n());
    Memory memory(n, n);
    count_additions(demo);
    const std::string ints = std::to_string(n) + " ints";
    demo.ladder("ladder", "all partial sums of " + ints, work_of(n), whole_scans(memory));
    demo.ladder("tiles", "tiles of " + ints + ", each scanned by itself", work_of(n), scans_of_tiles(memory));
    memory.fill_in(true);
    demo.ladder("compact", "the positive half of " + ints + ", in order", work_of(n, 1.5 * sizeof(int)),
                {compact_version(memory), compact_once_version(memory)});
}

}  // namespace
