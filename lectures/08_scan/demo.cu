// Demo of 08_scan: all partial sums of n ints by every version of the topic, side by side. Runs the solutions
// themselves.
//
// Build: cmake --build --preset demo -t demo.08_scan
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/08_scan/demo.cu
//            solutions/08_scan/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/08_scan [--help]
//
//   v1 hillis_steele   v2 double_buffered   v3 blelloch   v4 blelloch_padded
//   v5 brent_kung      v6 multi_block       v7 compact    v8 single_pass
//   v9 v7 in one launch   v10 v8, prefetched (only here)
//
// Only here, to separate causes (demo_kernels.hpp has those without shared memory):
//   steps  a launch per step, over the whole array   v5p      v5, padded like v4
//   s1     v2's tile, scanned by shuffles            s4       the same, four elements per thread
//   t256b8 a copy through tiles of 256, 8 barriers (and so on)
//
// v1 to v5 scan tiles: "tiles" is that alone; for "ladder" the sums of the tiles are scanned (by v6) and added.
// On a GPU: times, against a device copy and CUB. On the CPU executor: counts, including additions.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "08_scan/08_scan.hpp"
#include "compact_once.cuh"
#include "demo.hpp"
#include "demo_kernels.hpp"
#include "kit.cuh"
#include "prefetched.cuh"

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;

/// Most parts need a GPU; "additions" needs the executor.
const std::vector<std::string> parts = {"additions",     "ladder",    "small",        "tiles",
                                        "barriers",      "middle",    "small_middle", "compact",
                                        "small_compact", "hand_over", "sizes",        "levels"};

/// v2's tile with shuffles: Hillis and Steele's scan in each warp, and again over the warps.
template <int items>
__global__ void by_shuffles(const int* in, int n, int* out) {
    __shared__ int ends[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int first = (blockIdx.x * scan::kBlock + threadIdx.x) * items;
    int values[items], sum = 0;
    for (int k = 0; k < items; ++k) {
        values[k] = first + k < n ? in[first + k] : 0;
        sum += values[k];
    }
    const int inclusive = warp_scan(sum);
    if (lane == 31) ends[warp] = inclusive;
    __syncthreads();  // the first warp reads what all warps wrote
    if (warp == 0) {
        const int end = warp_scan(lane < scan::kBlock / 32 ? ends[lane] : 0);
        if (lane < scan::kBlock / 32) ends[lane] = end;
    }
    __syncthreads();  // all warps read what the first one wrote
    int before = inclusive - sum + (warp > 0 ? ends[warp - 1] : 0);
    for (int k = 0; k < items; ++k) {
        if (first + k < n) out[first + k] = before;
        before += values[k];
    }
}

/// v5 with one unused place after every 32 elements.
__global__ void brent_kung_padded(const int* in, int n, int* out) {
    __shared__ int tile[scan::kTile + scan::kTile / 32];
    const int t = threadIdx.x, first = blockIdx.x * scan::kTile;
    for (int k = t; k < scan::kTile; k += scan::kBlock) tile[k + k / 32] = first + k < n ? in[first + k] : 0;
    for (int stride = 1; stride < scan::kTile; stride *= 2) {
        __syncthreads();  // other threads wrote in the previous step, and this step reads their elements
        const int to = (t + 1) * 2 * stride - 1, from = to - stride;
        if (to < scan::kTile) tile[to + to / 32] += tile[from + from / 32];
    }
    for (int stride = scan::kTile / 4; stride > 0; stride /= 2) {
        __syncthreads();  // as above
        const int from = (t + 1) * 2 * stride - 1, to = from + stride;
        if (to < scan::kTile) tile[to + to / 32] += tile[from + from / 32];
    }
    __syncthreads();  // each thread reads elements below that others wrote
    for (int k = t; k < scan::kTile; k += scan::kBlock) {
        if (first + k < n) out[first + k] = tile[k + k / 32];
    }
}

/// A tile scan without the scan: copies tiles through shared memory, and waits at this many barriers.
template <int tile_size>
__global__ void only_barriers(const int* in, int n, int barriers, int* out) {
    __shared__ int tile[tile_size];
    const int first = blockIdx.x * tile_size + threadIdx.x;
    for (int k = 0; k < tile_size; k += scan::kBlock) {
        tile[threadIdx.x + k] = first + k < n ? in[first + k] : 0;
    }
    for (int b = 0; b < barriers; ++b) __syncthreads();
    for (int k = 0; k < tile_size; k += scan::kBlock) {
        if (first + k < n) out[first + k] = tile[threadIdx.x + k];
    }
}

/// Every array that any version needs, and the checks of results.
struct Memory {
    kit::DeviceBuffer<int> in, out, other, sums, offsets, scratch, counts, count;
    kit::DeviceBuffer<scan::Word> words, ticket;
    kit::DeviceBuffer<char> storage;  ///< CUB's

    /// `n` for the ladders, `largest` for the sweep.
    Memory(int n, int largest)
        : in(largest),
          out(largest),
          other(n),
          sums(kit::ceil_div(n, scan::kBlock)),
          offsets(kit::ceil_div(n, scan::kBlock)),
          scratch(scan::multi_block_scratch(largest) + scan::compact_scratch(n)),
          counts(scan::compact_scratch(n)),
          count(1),
          words(std::max(scan::pass_words(largest), kit::ceil_div(n, scan_demo::kOnceTile))),
          ticket(1) {
        words.clear();
        ticket.clear();
        counts.clear();
        fill_in(false);
        poison();
    }
    scan::PassWorkspace workspace() { return {words.data(), ticket.data()}; }
    int size() const { return static_cast<int>(in.size()); }

    void fill_in(bool with_places) {
        fill<<<1024, 256>>>(in.data(), size(), with_places);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    /// Overwrites the result, so that the next one must be new.
    void poison() { CUDA_CHECK(cudaMemset(out.data(), 0x55, out.bytes())); }

    /// Returns whether `out` is the scan of the first n values, or of each tile of them.
    bool is_scan(long long n, bool inclusive, int tile) {
        count.clear();
        count_mistakes<<<1024, 256>>>(out.data(), static_cast<int>(n), inclusive, tile, count.data());
        return none_counted();
    }
    bool is_copy(long long n) {
        count.clear();
        count_differences<<<1024, 256>>>(in.data(), static_cast<int>(n), out.data(), count.data());
        return none_counted();
    }
    /// Returns whether `out` has all positive values of the input with places, in order, and their number is correct.
    bool is_compact(int n) {
        const int said = count.to_vector()[0];
        count.clear();
        count_positive<<<1024, 256>>>(in.data(), n, count.data());
        CUDA_CHECK_LAUNCH();
        if (said != count.to_vector()[0]) return poison(), false;
        count.clear();
        count_misplaced<<<1024, 256>>>(out.data(), said, n, count.data());
        return none_counted();
    }

  private:
    bool none_counted() {
        CUDA_CHECK_LAUNCH();
        const bool none = count.to_vector()[0] == 0;
        poison();
        return none;
    }
};

/// Steps with stride 1, 2, 4, ... between two arrays. The last one writes to `out`.
template <class T>
void whole_array_steps(const T* in, int n, T* out, T* other) {
    int steps = 0;
    while ((std::int64_t{1} << steps) < n) ++steps;
    for (int s = 0; s < steps; ++s) {
        T* to = (steps - s) % 2 == 1 ? out : other;
        step<T><<<kit::ceil_div(n, 256), 256>>>(in, n, 1 << s, to);
        CUDA_CHECK_LAUNCH();
        in = to;
    }
    if (steps == 0) CUDA_CHECK(cudaMemcpyAsync(out, in, sizeof(T), cudaMemcpyDeviceToDevice));
}

using TileScan = void (*)(const int*, int, int*);

/// A tile scan, by itself and as part of the scan of an array.
struct Tiles {
    const char *id, *name, *change;
    TileScan scan;
    int tile;
    bool inclusive;

    Version alone(Memory& m) const {
        const Tiles t = *this;
        return {id, name, change,
                [&m, t](long long n) { t.scan(m.in.data(), static_cast<int>(n), m.out.data()); },
                [&m, t](long long n) { return m.is_scan(n, t.inclusive, t.tile); }};
    }
    /// Scans tiles, then their sums, and adds these: how any tile scan becomes a scan.
    Version whole(Memory& m) const {
        const Tiles t = *this;
        const auto run = [&m, t](long long size) {
            const int n = static_cast<int>(size), blocks = kit::ceil_div(n, t.tile);
            t.scan(m.in.data(), n, m.out.data());
            if (blocks == 1) return;
            tile_sums<<<kit::ceil_div(blocks, 256), 256>>>(m.in.data(), m.out.data(), n, t.tile, t.inclusive,
                                                           m.sums.data(), blocks);
            CUDA_CHECK_LAUNCH();
            scan::multi_block(m.sums.data(), blocks, m.offsets.data(), m.scratch.data());
            add_offsets<<<blocks, 256>>>(m.out.data(), n, t.tile, m.offsets.data());
            CUDA_CHECK_LAUNCH();
        };
        return {id, name, change, run, [&m, t](long long n) { return m.is_scan(n, t.inclusive, 0); }};
    }
};

template <int items>
void tiles_by_shuffles(const int* in, int n, int* out) {
    by_shuffles<items><<<kit::ceil_div(n, items * scan::kBlock), scan::kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

void tiles_brent_kung_padded(const int* in, int n, int* out) {
    brent_kung_padded<<<kit::ceil_div(n, scan::kTile), scan::kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

const std::vector<Tiles>& tile_scans() {
    static const std::vector<Tiles> all = {
        {"v1", "two barriers per step", "Each element adds the one 1, 2, 4, ... places before it, in place.",
         scan::hillis_steele<int>, scan::kBlock, true},
        {"v2", "double-buffered", "A step reads one array and writes another: one barrier instead of two.",
         scan::double_buffered<int>, scan::kBlock, true},
        {"v3", "Blelloch", "A tree of sums, then down again: more steps, a quarter of the additions.",
         scan::blelloch<int>, scan::kTile, false},
        {"v4", "Blelloch, padded", "An unused place after every 32: no two lanes use one bank.",
         scan::blelloch_padded<int>, scan::kTile, false},
        {"v5", "Brent-Kung", "Finished sums are handed to the right: inclusive, no identity; not padded.",
         scan::brent_kung<int>, scan::kTile, true},
    };
    return all;
}

const std::vector<Tiles>& control_tiles() {
    static const std::vector<Tiles> all = {
        {"v5p", "Brent-Kung, padded", "v5 with v4's padding.", tiles_brent_kung_padded, scan::kTile, true},
        {"s1", "v2's tile by shuffles", "Warps scan in registers: two barriers instead of eight.",
         tiles_by_shuffles<1>, scan::kBlock, false},
        {"s4", "four elements per thread",
         "Each thread adds up four neighbours first: a quarter of the tiles.", tiles_by_shuffles<4>,
         4 * scan::kBlock, false},
    };
    return all;
}

Version multi_block_version(Memory& m) {
    return {"v6", "multi_block", "Shuffles, four elements per thread, and tiles that leave their sums.",
            [&m](long long n) {
                scan::multi_block(m.in.data(), static_cast<int>(n), m.out.data(), m.scratch.data());
            },
            [&m](long long n) { return m.is_scan(n, false, 0); }};
}

Version single_pass_version(Memory& m) {
    return {"v8", "single_pass",
            "One launch: a block looks back at the sums that the tiles before it have told.",
            [&m](long long n) {
                scan::single_pass(m.in.data(), static_cast<int>(n), m.out.data(), m.workspace());
            },
            [&m](long long n) { return m.is_scan(n, false, 0); }};
}

Version prefetched_version(Memory& m) {
    return {"v10", "prefetched",
            "As v8, but what a later block will load is asked for in time, and sums come first.",
            [&m](long long n) {
                scan_demo::prefetched(m.in.data(), static_cast<int>(n), m.out.data(), m.workspace());
            },
            [&m](long long n) { return m.is_scan(n, false, 0); }};
}

Version compact_version(Memory& m) {
    return {"v7", "compact", "Three launches: count what each tile keeps, scan the counts, write.",
            [&m](long long n) {
                scan::compact(m.in.data(), static_cast<int>(n), scan::Positive{}, m.out.data(),
                              m.count.data(), m.scratch.data());
            },
            [&m](long long n) { return m.is_compact(static_cast<int>(n)); }};
}

Version compact_once_version(Memory& m) {
    return {"v9", "compact, one launch",
            "Reads once: v8's look-back, while the gaps are closed in shared memory.",
            [&m](long long n) {
                scan_demo::compact_once(m.in.data(), static_cast<int>(n), m.out.data(), m.count.data(),
                                        m.workspace());
            },
            [&m](long long n) { return m.is_compact(static_cast<int>(n)); }};
}

/// Hillis and Steele's step over the whole array: the end of a launch is the barrier.
Version steps_version(Memory& m) {
    return {"steps", "steps over the whole array",
            "Hillis and Steele's steps, a launch each: its end is the barrier.",
            [&m](long long n) {
                whole_array_steps(m.in.data(), static_cast<int>(n), m.out.data(), m.other.data());
            },
            [&m](long long n) { return m.is_scan(n, true, 0); }};
}

/// Every version of the whole scan, in the order of the story.
std::vector<Version> whole_scans(Memory& m) {
    std::vector<Version> all = {steps_version(m)};
    for (const Tiles& tiles : tile_scans()) all.push_back(tiles.whole(m));
    all.push_back(multi_block_version(m));
    all.push_back(single_pass_version(m));
    all.push_back(prefetched_version(m));
    return all;
}

std::vector<Version> scans_of_tiles(Memory& m) {
    std::vector<Version> all;
    for (const Tiles& tiles : tile_scans()) all.push_back(tiles.alone(m));
    for (const Tiles& tiles : control_tiles()) all.push_back(tiles.alone(m));
    return all;
}

/// `bytes_each` must be moved per element.
Work work_of(long long n, double bytes_each = 2 * sizeof(int)) {
    Work work;
    work.n = n;
    work.bytes = bytes_each * static_cast<double>(n);
    work.repetitions = n > 1 << 22 ? 30 : 50;
    return work;
}

/// Ten customers buy from a sausage of 100 cm: prints where to cut, and how much is left.
void cut_the_sausage(Demo& demo) {
    const std::vector<int> wanted = {3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
    const int customers = static_cast<int>(wanted.size());
    kit::DeviceBuffer<int> in(wanted), out(wanted.size());
    scan::multi_block(in.data(), customers, out.data(), nullptr);
    const std::vector<int> cuts = out.to_vector();
    std::string lengths, places;
    for (int i = 0; i < customers; ++i) {
        char text[16];
        std::snprintf(text, sizeof text, "%4d", wanted[i]);
        lengths += text;
        std::snprintf(text, sizeof text, "%4d", cuts[i]);
        places += text;
    }
    demo.say("\nA sausage of 100 cm for ten customers\n  wanted %s\n  from   %s   %d cm are left",
             lengths.c_str(), places.c_str(), 100 - cuts.back() - wanted.back());
}

}  // namespace

#ifdef KIT_CPU
#include "demo_counts.hpp"
#else
#include "demo_times.hpp"
#endif

int main(int argc, char** argv) {
    Demo demo(
        {"08_scan", "all partial sums of n ints, by every version", 1 << 28, 1 << 16, 1 << 30, {}, parts},
        argc, argv);
    cut_the_sausage(demo);
    run_all(demo);
    return demo.finish();
}
