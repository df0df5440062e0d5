// Computes the plane on two devices with v0 and v2, and measures how much of the exchange v2 hides. For the demo.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "demo.hpp"
#include "two_gpus.cuh"

namespace multi_gpu_demo {

__global__ void relax_all(const unsigned* now, unsigned* next, int rows, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * columns) return;
    const int column = i % columns, at = columns + i;
    const unsigned left = column > 0 ? now[at - 1] : 0u;
    const unsigned right = column < columns - 1 ? now[at + 1] : 0u;
    next[at] = 3u * now[at] + now[at - columns] + now[at + columns] + left + right;
}

/// Computes `count` rows, starting at row `first`.
inline void launch_rows(const multi_gpu::Half& half, int step, int first, int count, cudaStream_t stream) {
    const std::size_t above = static_cast<std::size_t>(first - 1) * static_cast<std::size_t>(half.columns);
    relax_all<<<kit::ceil_div(count * half.columns, multi_gpu::kBlock), multi_gpu::kBlock, 0, stream>>>(
        half.plane[step % 2] + above, half.plane[1 - step % 2] + above, count, half.columns);
    CUDA_CHECK_LAUNCH();
}

/// Copies the border row of one half into the halo of the other half.
inline void send_row(const multi_gpu::Half& half, const multi_gpu::Half& other, int step, int border,
                     int halo_there) {
    const std::size_t row = static_cast<std::size_t>(half.columns);
    CUDA_CHECK(cudaMemcpyPeerAsync(other.plane[1 - step % 2] + static_cast<std::size_t>(halo_there) * row,
                                   other.device,
                                   half.plane[1 - step % 2] + static_cast<std::size_t>(border) * row,
                                   half.device, row * sizeof(unsigned), half.edge));
}

// v0: computes, then exchanges the border rows; the host waits after each of the two.
inline void relax_in_turn(const multi_gpu::Half& top, const multi_gpu::Half& bottom, int steps) {
    for (int step = 0; step < steps; ++step) {
        for (const multi_gpu::Half* half : {&top, &bottom}) {
            CUDA_CHECK(cudaSetDevice(half->device));
            launch_rows(*half, step, 1, half->rows, half->interior);
        }
        wait_for_both();
        send_row(top, bottom, step, top.rows, 0);
        send_row(bottom, top, step, 1, top.rows + 1);
        wait_for_both();
    }
}

inline constexpr int kSteps = 10;

enum class Only { kernels, copies };

/// Runs the kernels of v2 without its copies, or the copies without the kernels, in the same streams and with the same events.
inline void relax_in_part(const multi_gpu::Half& top, const multi_gpu::Half& bottom, int steps, Only only) {
    const multi_gpu::Half* halves[] = {&top, &bottom};
    const int border[] = {top.rows, 1}, halo_there[] = {0, top.rows + 1};
    for (int step = 0; step < steps; ++step) {
        for (int mine = 0; mine < 2 && step > 0; ++mine) {
            const multi_gpu::Half& half = *halves[mine];
            CUDA_CHECK(cudaStreamWaitEvent(half.edge, halves[1 - mine]->sent, 0));
            CUDA_CHECK(cudaStreamWaitEvent(half.edge, half.inside, 0));
            CUDA_CHECK(cudaStreamWaitEvent(half.interior, half.sent, 0));
        }
        for (int mine = 0; mine < 2; ++mine) {
            const multi_gpu::Half& half = *halves[mine];
            CUDA_CHECK(cudaSetDevice(half.device));
            if (only == Only::kernels) launch_rows(half, step, border[mine], 1, half.edge);
            if (only == Only::copies) send_row(half, *halves[1 - mine], step, border[mine], halo_there[mine]);
            CUDA_CHECK(cudaEventRecord(half.sent, half.edge));
            if (only == Only::kernels)
                launch_rows(half, step, mine == 0 ? 1 : 2, half.rows - 1, half.interior);
            CUDA_CHECK(cudaEventRecord(half.inside, half.interior));
        }
    }
    CUDA_CHECK(cudaSetDevice(0));
}

/// A plane of 2 x rows x columns cells, which all start with the same value, so the halves mirror each other.
struct Plane {
    int rows, columns;
    const std::size_t row = static_cast<std::size_t>(columns);
    const std::size_t cells = static_cast<std::size_t>(rows + 2) * row;
    Memory a0{0, cells, 1}, a1{0, cells, 1}, b0{1, cells, 1}, b1{1, cells, 1};
    multi_gpu::Half top = half_of(0, a0, a1), bottom = half_of(1, b0, b1);
    cudaStream_t urgent[2] = {urgent_stream_of(0), urgent_stream_of(1)};

    multi_gpu::Half half_of(int device, Memory& first, Memory& second) const {
        return {device,
                {first.data(), second.data()},
                rows,
                columns,
                stream_of(device),
                stream_of(device),
                event_of(device),
                event_of(device)};
    }
    void relax() const { multi_gpu::relax(top, bottom, kSteps); }
    /// Like relax(), but with the border rows in streams of the highest priority.
    void relax_urgently() {
        const multi_gpu::Half ordinary[] = {top, bottom};
        top.edge = urgent[0];
        bottom.edge = urgent[1];
        relax();
        top = ordinary[0];
        bottom = ordinary[1];
    }
    /// Returns whether the first row equals the last one, and the two sides of the border are equal as well.
    bool right() const {
        const std::size_t middle = row / 2, last = static_cast<std::size_t>(rows) * row + middle;
        return a0.at(row + middle) == b0.at(last) && a0.at(last) == b0.at(row + middle) &&
               b0.at(middle) == a0.at(last);
    }
};

/// Compares v2 with v0 on a plane of n cells on two devices.
inline void halo(kit::demo::Demo& demo) {
    const int columns = demo.n() >= (1 << 24) ? 16384 : 256;
    Plane plane{static_cast<int>(demo.n() / columns / 2), columns};
    const auto right = [&](long long) { return plane.right(); };
    kit::demo::Work work;
    work.n = demo.n();
    work.host_clock = true;
    work.cold_l2 = false;
    work.piece = "step";
    work.pieces = kSteps;
    std::vector<kit::demo::Version> versions = {
        {"v0", "in turn", "Compute all, wait, send two rows, wait.",
         [&](long long) { relax_in_turn(plane.top, plane.bottom, kSteps); }, right},
        {"v2", "overlapped", "The border rows first, and on their way; nobody waits on the host.",
         [&](long long) {
             plane.relax();
             wait_for_both();
         },
         right}};
#ifndef KIT_CPU
    versions.push_back({"urgent", "overlapped, edge urgent", "The border rows' streams have priority.",
                        [&](long long) {
                            plane.relax_urgently();
                            wait_for_both();
                        },
                        right});
#endif
    demo.ladder("halo",
                std::to_string(kSteps) + " steps on a plane of 2 x " + std::to_string(plane.rows) + " x " +
                    std::to_string(columns) + " cells",
                work, versions);
}

/// Measures how much of the copy time v2 hides behind the interior, with rows so long that this time matters.
inline void hidden(kit::demo::Demo& demo) {
    constexpr int columns = 1 << 22, repetitions = 11;
    demo.table("hidden", "steps with rows of 2^22 cells, microseconds per step; hidden: of the exchange",
               {"rows of a half", 14},
               {{"in_turn", 1, 9},
                {"kernels", 1, 9},
                {"exchange", 1, 9},
                {"overlapped", 1, 10},
                {"hidden", 3, 6},
                {"urgent", 1, 9},
                {"urgent_hidden", 3, 13}});
    for (const int rows : {4, 8, 16, 32, 64}) {
        Plane plane{rows, columns};
        const auto per_step = [&](auto run) { return 1000 * milliseconds(repetitions, run) / kSteps; };
        const auto still_right = [&](double time) {
            if (plane.right()) return time;
            demo.say("hidden: the halves differ");
            std::exit(EXIT_FAILURE);
        };
        const double in_turn = per_step([&] { relax_in_turn(plane.top, plane.bottom, kSteps); }),
                     overlapped = still_right(per_step([&] { plane.relax(); })),
                     urgent = still_right(per_step([&] { plane.relax_urgently(); }));
        const double kernels =
                         per_step([&] { relax_in_part(plane.top, plane.bottom, kSteps, Only::kernels); }),
                     exchange =
                         per_step([&] { relax_in_part(plane.top, plane.bottom, kSteps, Only::copies); });
        const auto share = [&](double time) { return (kernels + exchange - time) / exchange; };
        demo.row("r" + std::to_string(rows), std::to_string(rows),
                 {in_turn, kernels, exchange, overlapped, share(overlapped), urgent, share(urgent)});
    }
}

}  // namespace multi_gpu_demo
