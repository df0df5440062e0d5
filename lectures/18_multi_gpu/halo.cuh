// Computes the plane on several devices with v0 and v2, measures how much of the exchange v2 hides, and how it scales. For the demo.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "demo.hpp"
#include "devices.cuh"

namespace multi_gpu_demo {

using multi_gpu::kAbove;
using multi_gpu::kBelow;
using multi_gpu::Part;

__global__ void relax_all(const unsigned* now, unsigned* next, int rows, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * columns) return;
    const int column = i % columns, at = columns + i;
    const unsigned left = column > 0 ? now[at - 1] : 0u;
    const unsigned right = column < columns - 1 ? now[at + 1] : 0u;
    next[at] = 3u * now[at] + now[at - columns] + now[at + columns] + left + right;
}

/// Computes `count` rows, starting at row `first`.
inline void launch_rows(const Part& part, int step, int first, int count, cudaStream_t stream) {
    const std::size_t above = static_cast<std::size_t>(first - 1) * static_cast<std::size_t>(part.columns);
    relax_all<<<kit::ceil_div(count * part.columns, multi_gpu::kBlock), multi_gpu::kBlock, 0, stream>>>(
        part.plane[step % 2] + above, part.plane[1 - step % 2] + above, count, part.columns);
    CUDA_CHECK_LAUNCH();
}

/// Copies the border row of one side into the halo of the neighbour on that side.
inline void send_row(const Part& part, const Part& other, int step, int side) {
    const std::size_t row = static_cast<std::size_t>(part.columns);
    const auto border = static_cast<std::size_t>(side == kAbove ? 1 : part.rows),
               halo_there = static_cast<std::size_t>(side == kAbove ? other.rows + 1 : 0);
    CUDA_CHECK(cudaMemcpyPeerAsync(other.plane[1 - step % 2] + halo_there * row, other.device,
                                   part.plane[1 - step % 2] + border * row, part.device,
                                   row * sizeof(unsigned), part.edge[side]));
}

using Parts = std::vector<Part>;

inline bool has_neighbour(const Parts& parts, std::size_t mine, int side) {
    return side == kAbove ? mine > 0 : mine + 1 < parts.size();
}
inline const Part& neighbour_of(const Parts& parts, std::size_t mine, int side) {
    return parts[side == kAbove ? mine - 1 : mine + 1];
}

// v0: computes, then exchanges the border rows; the host waits after each of the two.
inline void relax_in_turn(const Parts& parts, int steps) {
    for (int step = 0; step < steps; ++step) {
        for (const Part& part : parts) {
            CUDA_CHECK(cudaSetDevice(part.device));
            launch_rows(part, step, 1, part.rows, part.interior);
        }
        wait_for_all();
        for (std::size_t mine = 0; mine < parts.size(); ++mine)
            for (const int side : {kAbove, kBelow})
                if (has_neighbour(parts, mine, side))
                    send_row(parts[mine], neighbour_of(parts, mine, side), step, side);
        wait_for_all();
    }
}

inline constexpr int kSteps = 10;

enum class Only { kernels, copies };

/// Runs the kernels of v2 without its copies, or the copies without the kernels, in the same streams and with the same events.
inline void relax_in_part(const Parts& parts, int steps, Only only) {
    for (int step = 0; step < steps; ++step) {
        for (std::size_t mine = 0; mine < parts.size() && step > 0; ++mine)
            for (const int side : {kAbove, kBelow}) {
                if (!has_neighbour(parts, mine, side)) continue;
                const Part& part = parts[mine];
                CUDA_CHECK(
                    cudaStreamWaitEvent(part.edge[side], neighbour_of(parts, mine, side).sent[1 - side], 0));
                CUDA_CHECK(cudaStreamWaitEvent(part.edge[side], part.inside, 0));
                CUDA_CHECK(cudaStreamWaitEvent(part.interior, part.sent[side], 0));
            }
        for (std::size_t mine = 0; mine < parts.size(); ++mine) {
            const Part& part = parts[mine];
            CUDA_CHECK(cudaSetDevice(part.device));
            int first = 1, last = part.rows;
            for (const int side : {kAbove, kBelow}) {
                if (!has_neighbour(parts, mine, side)) continue;
                const int border = side == kAbove ? first++ : last--;
                if (only == Only::kernels) launch_rows(part, step, border, 1, part.edge[side]);
                if (only == Only::copies) send_row(part, neighbour_of(parts, mine, side), step, side);
                CUDA_CHECK(cudaEventRecord(part.sent[side], part.edge[side]));
            }
            if (only == Only::kernels) launch_rows(part, step, first, last - first + 1, part.interior);
            CUDA_CHECK(cudaEventRecord(part.inside, part.interior));
        }
    }
    CUDA_CHECK(cudaSetDevice(0));
}

/// A plane of `count` parts with `rows` x `columns` cells each. All cells start with the same value, so the plane stays symmetric.
class Plane {
  public:
    Plane(int count, int rows, int columns) : rows_(rows), row_(static_cast<std::size_t>(columns)) {
        const std::size_t cells = static_cast<std::size_t>(rows + 2) * row_;
        for (int device = 0; device < count; ++device) {
            Part part = {};
            part.device = device;
            part.rows = rows;
            part.columns = columns;
            for (unsigned*& plane : part.plane) {
                memory_.push_back(std::make_unique<Memory>(device, cells, 1));
                plane = memory_.back()->data();
            }
            part.interior = stream_of(device);
            part.inside = event_of(device);
            for (const int side : {kAbove, kBelow}) {
                part.edge[side] = stream_of(device);
                part.sent[side] = event_of(device);
            }
            parts_.push_back(part);
            multi_gpu::open_streams(part);
            urgent_.push_back(part);
        }
    }

    const Parts& parts() const { return parts_; }
    void relax() const { multi_gpu::relax(parts_.data(), static_cast<int>(parts_.size()), kSteps); }
    /// Like relax(), but in the streams of open_streams(): the border rows have the highest priority.
    void relax_urgently() const {
        multi_gpu::relax(urgent_.data(), static_cast<int>(urgent_.size()), kSteps);
    }
    /// Returns whether the first row equals the last one, and the rows at the borders of mirrored parts are equal as well, with halo.
    bool right() const {
        const std::size_t middle = row_ / 2, last = static_cast<std::size_t>(rows_) * row_ + middle;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const Memory &own = *memory_[2 * i], &mirrored = *memory_[2 * (parts_.size() - 1 - i)];
            if (own.at(row_ + middle) != mirrored.at(last)) return false;
            if (i > 0 && own.at(middle) != memory_[2 * i - 2]->at(last)) return false;
        }
        return true;
    }

  private:
    int rows_;
    std::size_t row_;
    std::vector<std::unique_ptr<Memory>> memory_;
    Parts parts_, urgent_;
};

/// Compares v2 with v0 on a plane of n cells on all devices.
inline void halo(kit::demo::Demo& demo) {
    const int columns = demo.n() >= (1 << 24) ? 16384 : 256, count = device_count();
    const int rows = static_cast<int>(demo.n() / columns / count);
    const Plane plane(count, rows, columns);
    const auto right = [&](long long) { return plane.right(); };
    kit::demo::Work work;
    work.n = demo.n();
    work.host_clock = true;
    work.cold_l2 = false;
    work.piece = "step";
    work.pieces = kSteps;
    std::vector<kit::demo::Version> versions = {
        {"v0", "in turn", "Compute all, wait, send the border rows, wait.",
         [&](long long) { relax_in_turn(plane.parts(), kSteps); }, right},
        {"v2", "overlapped", "The border rows first, and on their way; nobody waits on the host.",
         [&](long long) {
             plane.relax();
             wait_for_all();
         },
         right}};
#ifndef KIT_CPU
    versions.push_back({"urgent", "overlapped, edge urgent", "The border rows' streams have priority.",
                        [&](long long) {
                            plane.relax_urgently();
                            wait_for_all();
                        },
                        right});
#endif
    demo.ladder("halo",
                std::to_string(kSteps) + " steps on a plane of " + std::to_string(count) + " x " +
                    std::to_string(rows) + " x " + std::to_string(columns) + " cells",
                work, versions);
}

/// Returns the time of a step, if the plane is correct after it. Otherwise the demo ends.
template <class Run>
double microseconds_per_step(kit::demo::Demo& demo, const Plane& plane, Run run) {
    constexpr int repetitions = 11;
    const double time = 1000 * milliseconds(repetitions, run) / kSteps;
    if (plane.right()) return time;
    demo.say("the parts of the plane differ");
    std::exit(EXIT_FAILURE);
}

/// Measures how much of the copy time v2 hides behind the interior, with rows so long that this time matters.
inline void hidden(kit::demo::Demo& demo) {
    constexpr int columns = 1 << 22, repetitions = 11;
    demo.table("hidden", "steps with rows of 2^22 cells, microseconds per step; hidden: of the exchange",
               {"rows of a part", 14},
               {{"in_turn", 1, 9},
                {"kernels", 1, 9},
                {"exchange", 1, 9},
                {"overlapped", 1, 10},
                {"hidden", 3, 6},
                {"urgent", 1, 9},
                {"urgent_hidden", 3, 13}});
    for (const int rows : {4, 8, 16, 32, 64}) {
        const Plane plane(device_count(), rows, columns);
        const auto checked = [&](auto run) { return microseconds_per_step(demo, plane, run); };
        const auto alone = [&](Only only) {
            return 1000 * milliseconds(repetitions, [&] { relax_in_part(plane.parts(), kSteps, only); }) /
                   kSteps;
        };
        const double in_turn = checked([&] { relax_in_turn(plane.parts(), kSteps); }),
                     overlapped = checked([&] { plane.relax(); }),
                     urgent = checked([&] { plane.relax_urgently(); });
        const double kernels = alone(Only::kernels), exchange = alone(Only::copies);
        const auto share = [&](double time) { return (kernels + exchange - time) / exchange; };
        demo.row("r" + std::to_string(rows), std::to_string(rows),
                 {in_turn, kernels, exchange, overlapped, share(overlapped), urgent, share(urgent)});
    }
}

/// Measures the same plane on 1, 2, ... devices (strong scaling), and a plane that grows with the devices (weak scaling).
inline void scaling(kit::demo::Demo& demo) {
    constexpr int columns = 1 << 14;
    for (const int all_rows : {1 << 10, 1 << 14}) {
        demo.table("scaling_" + std::to_string(all_rows),
                   "v2, rows of 2^14 cells, microseconds per step; strong: " + std::to_string(all_rows) +
                       " rows in all, weak: on each device",
                   {"devices", 7},
                   {{"strong_us", 1, 9},
                    {"speed_up", 2, 8},
                    {"efficiency", 3, 10},
                    {"weak_us", 1, 9},
                    {"weak_efficiency", 3, 15}});
        double one = 0;
        for (int count = 1; count <= device_count(); ++count) {
            const auto time = [&](int rows) {
                const Plane plane(count, rows, columns);
                return microseconds_per_step(demo, plane, [&] { plane.relax_urgently(); });
            };
            const double strong = time(all_rows / count), weak = count == 1 ? strong : time(all_rows);
            if (count == 1) one = strong;
            demo.row("d" + std::to_string(count), std::to_string(count),
                     {strong, one / strong, one / strong / count, weak, one / weak});
        }
    }
}

}  // namespace multi_gpu_demo
