// Times v1 and v2 for the demo of 13_streams: complete, in parts, with more and more arithmetic, and with chunks of many sizes.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "13_streams/13_streams.hpp"
#include "demo.hpp"
#include "handles.hpp"
#include "kit.cuh"
#include "rows.hpp"

namespace streams_demo {

using kit::Stream;

inline constexpr int kRounds = on_gpu ? 1000 : 4;  // enough arithmetic to keep a GPU busy
inline constexpr int kChunks = 16;

inline unsigned int advanced(unsigned int x, int rounds) {
    for (int round = 0; round < rounds; ++round) x = 1664525u * x + 1013904223u;
    return x;
}

/// The same arithmetic as in v1 and v2, so that the kernels can be timed alone.
__global__ void advance_alone(unsigned int* values, int n, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned int x = values[i];
    for (int round = 0; round < rounds; ++round) x = 1664525u * x + 1013904223u;
    values[i] = x;
}

/// Lanes for chunks of one size, with pinned and with ordinary host memory.
struct Overlap {
    Stream streams[streams::kLanes];
    std::vector<kit::DeviceBuffer<unsigned int>> memory;
    streams::Channel pinned, ordinary;
    std::vector<unsigned int> in, out;
    int chunk, rounds = kRounds;

    Overlap(int n, int chunk) : in(n), out(n), chunk(chunk) {
        for (int i = 0; i < streams::kLanes; ++i) memory.emplace_back(chunk);
        pinned = streams::open_channel(n);
        for (int i = 0; i < n; ++i) pinned.in[i] = in[i] = 2654435761u * i;
        ordinary = {in.data(), out.data(), n};
    }
    ~Overlap() { streams::close_channel(pinned); }
    Overlap(const Overlap&) = delete;
    Overlap& operator=(const Overlap&) = delete;

    streams::Lane lane(int i) { return {streams[i], memory[i].data()}; }

    void one_lane(const streams::Channel& channel) { streams::one_lane(channel, chunk, rounds, lane(0)); }
    void process(const streams::Channel& channel) {
        const streams::Lane lanes[streams::kLanes] = {lane(0), lane(1), lane(2)};
        streams::process(channel, chunk, rounds, lanes);
    }
    /// Checks nine values, including both ends, and then clears the output.
    bool right(const streams::Channel& channel) const {
        bool right = true;
        for (int k = 0; k <= 8; ++k) {
            const int i = static_cast<int>(static_cast<long long>(channel.n - 1) * k / 8);
            right = right && channel.out[i] == advanced(channel.in[i], rounds);
        }
        std::fill(channel.out, channel.out + channel.n, 0u);
        return right;
    }
};

inline void overlap(Demo& demo) {
    if (!demo.part("overlap") && !demo.part("balance") && !demo.part("chunks")) return;
    if (!on_gpu) {
        Overlap few(4 * 64, 64);
        draw(demo, "v1: four chunks, one lane", [&] { few.one_lane(few.pinned); });
        draw(demo, "v2: four chunks, three lanes", [&] { few.process(few.pinned); });
    }
    const int n = static_cast<int>(demo.n());
    Overlap o(n, std::max(1, n / kChunks));
    const auto each_chunk = [&](auto work) {
        return [&o, work, n] {
            for (int first = 0; first < n; first += o.chunk) work(first, std::min(o.chunk, n - first));
        };
    };
    const auto always = [] { return true; };
    const auto pinned = [&] { return o.right(o.pinned); };
    const auto ordinary = [&] { return o.right(o.ordinary); };
    const streams::Lane lane = o.lane(0);
    const auto kernels = each_chunk([&](int, int size) {
        advance_alone<<<kit::ceil_div(size, streams::kBlock), streams::kBlock, 0, lane.stream>>>(
            lane.values, size, o.rounds);
        CUDA_CHECK_LAUNCH();
    });
    const std::size_t value = sizeof(unsigned int);
    const streams::Lane back = o.lane(1);
    const auto both_ways = each_chunk([&](int first, int size) {
        CUDA_CHECK(cudaMemcpyAsync(lane.values, o.pinned.in + first, size * value, cudaMemcpyHostToDevice,
                                   lane.stream));
        CUDA_CHECK(cudaMemcpyAsync(o.pinned.out + first, back.values, size * value, cudaMemcpyDeviceToHost,
                                   back.stream));
    });
    std::vector<Row> rows = {
        {"in", "copies in alone", each_chunk([&](int first, int size) {
             CUDA_CHECK(cudaMemcpyAsync(lane.values, o.pinned.in + first, size * value,
                                        cudaMemcpyHostToDevice, lane.stream));
         }),
         always},
        {"out", "copies out alone", each_chunk([&](int first, int size) {
             CUDA_CHECK(cudaMemcpyAsync(o.pinned.out + first, lane.values, size * value,
                                        cudaMemcpyDeviceToHost, lane.stream));
         }),
         always},
        {"both", "copies in and out at once, alone", both_ways, always},
        {"kernels", "kernels alone", kernels, always},
        {"v1", "v1  one lane", [&] { o.one_lane(o.pinned); }, pinned},
        {"v1o", "v1  one lane, ordinary memory", [&] { o.one_lane(o.ordinary); }, ordinary},
        {"v2o", "v2  three lanes, ordinary memory", [&] { o.process(o.ordinary); }, ordinary},
        {"v2", "v2  three lanes", [&] { o.process(o.pinned); }, pinned}};
    compare(demo, "overlap", std::to_string(n) + " values in " + std::to_string(kChunks) + " chunks", rows);
    if (on_gpu && demo.part("balance")) {
        demo.table("balance", "v2 in 16 chunks, with more and more to compute: milliseconds",
                   {"rounds of a value", 20},
                   {{"copies", 3, 8}, {"kernels", 3, 8}, {"v2", 3, 8}, {"of_longest", 3, 10}});
        const double copies = milliseconds(demo, both_ways);
        for (const int rounds : {250, 1000, 4000, 16000}) {
            o.rounds = rounds;
            const double computing = milliseconds(demo, kernels),
                         time = milliseconds(demo, [&] { o.process(o.pinned); });
            must_be(pinned(), "balance");
            demo.row("r" + std::to_string(rounds), std::to_string(rounds),
                     {copies, computing, time, std::max(copies, computing) / time});
        }
        o.rounds = kRounds;
    }
    if (!on_gpu || !demo.part("chunks")) return;
    demo.table("chunks", "v2, " + std::to_string(n) + " values in chunks of a size",
               {"values of a chunk", 20}, {{"chunks", 0, 8}, {"milliseconds", 3, 12}});
    for (int power = 12; power <= 25 && (1 << power) <= n; power += 2) {
        o.chunk = 1 << power;
        o.memory.clear();
        for (int i = 0; i < streams::kLanes; ++i) o.memory.emplace_back(o.chunk);
        const double time = milliseconds(demo, [&] { o.process(o.pinned); });
        must_be(pinned(), "chunks");
        demo.row(std::to_string(o.chunk), std::to_string(o.chunk), {kit::ceil_div(n, o.chunk), time});
    }
}

}  // namespace streams_demo
