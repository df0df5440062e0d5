// Demo of 18_multi_gpu: data that travels between GPUs, and work that hides the transfer.
//
// Build: cmake --build --preset demo -t demo.18_multi_gpu
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/18_multi_gpu/demo.cu
//            solutions/18_multi_gpu/*.cu common/roofs.cu common/demo/*.cu -rdc=true
//            -lnccl -lnvshmem_device -lnvshmem_host -o demo
// Run:   build/course/demo/18_multi_gpu [--help]
//
//   v0  relax_in_turn     compute everything, send the border rows, wait; then the next step (halo.cuh)
//   v1  produce_and_send  solution: each piece travels along a chain while the next one is computed
//   v2  relax             solution: the border rows travel while the interior is computed
//   v3  ring_all_reduce   sums over all devices, by copies and additions (ring.cuh)
//   v4  all_reduce        solution: NCCL's sums, in one group
//   v5  train             solution: one step of all devices is one graph
//   v6  backward, update  solution: each bucket travels while the next one is computed
//   v7  shift_right       solution: kernels put and signal (pes_demo.cuh)
//   v8  run_tasks         solution: a PE that has finished takes tasks of the others
//
// On two to eight GPUs it prints times by the host's clock, because events cannot measure time across devices. On the CPU executor it
// prints counts. On one GPU it prints that it needs two.

#include <memory>
#include <string>
#include <vector>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "demo.hpp"
#include "devices.cuh"
#include "halo.cuh"
#include "kit.cuh"
#include "model.cuh"
#include "pes_demo.cuh"
#include "sums.cuh"

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace {

using namespace multi_gpu_demo;
using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;

constexpr int most_pieces = 64;

/// Measures v1 with 1 to 64 pieces.
void send(Demo& demo) {
    const auto n = static_cast<std::size_t>(demo.n());
    const int count = device_count();
    Memory in(0, n, 1), made(0, n, 0);
    const auto events = [](int device) {
        std::vector<cudaEvent_t> all;
        for (int i = 0; i < most_pieces; ++i) all.push_back(event_of(device));
        return all;
    };
    std::vector<std::vector<cudaEvent_t>> recorded = {events(0)};
    std::vector<std::unique_ptr<Memory>> memory;
    std::vector<multi_gpu::Link> links;
    for (int to = 1; to < count; ++to) {
        recorded.push_back(events(to - 1));
        for (int i = 0; i < 2; ++i) memory.push_back(std::make_unique<Memory>(to, n, 0));
        links.push_back({to - 1, to, stream_of(to - 1), stream_of(to), recorded.back().data(),
                         memory[memory.size() - 2]->data(), memory.back()->data()});
    }
    const multi_gpu::Chain chain = {0, stream_of(0), recorded[0].data(), links.data(), count - 1};
    const auto right = [&](long long) {
        unsigned want = 0x01010101u;
        for (int i = 0; i < 2; ++i) want = 2654435761u * want + 12345u;
        bool same = true;
        for (std::size_t i = 1; i < memory.size(); i += 2) {
            for (const std::size_t at : {std::size_t(0), n / 2, n - 1})
                same = same && memory[i]->at(at) == want;
            memory[i]->fill(0);
        }
        return same;
    };
    std::vector<Version> versions;
    for (int pieces : {1, 2, 4, 8, 16, 64}) {
        const std::string number = std::to_string(pieces);
        versions.push_back({"p" + number, number + (pieces == 1 ? " piece" : " pieces"),
                            pieces == 1 ? "Make all, send all, use all." : "",
                            [&, pieces](long long) {
                                multi_gpu::produce_and_send(chain, in.data(), made.data(),
                                                            static_cast<int>(n), pieces);
                                wait_for_all();
                            },
                            right});
    }
    Work work;
    work.n = demo.n();
    work.host_clock = true;
    work.cold_l2 = false;
    demo.ladder("send",
                std::to_string(n) + " values made on device 0 and used on " +
                    (count == 2 ? "device 1" : "the others") + ", in pieces",
                work, versions);
}

#ifndef KIT_CPU
/// Prints what the runtime reports about each pair of devices.
void topology(Demo& demo) {
    demo.table("topology", "pairs of devices, as cudaDeviceGetP2PAttribute() reports them", {"from, to", 8},
               {{"access", 0, 6}, {"atomics", 0, 7}, {"performance_rank", 0, 16}, {"gb_per_s", 0, 8}});
    for (int from = 0; from < device_count(); ++from)
        for (int to = 0; to < device_count(); ++to) {
            if (from == to) continue;
            int access = 0, atomics = 0, rank = 0;
            CUDA_CHECK(cudaDeviceGetP2PAttribute(&access, cudaDevP2PAttrAccessSupported, from, to));
            CUDA_CHECK(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, from, to));
            CUDA_CHECK(cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, from, to));
            demo.row("d" + std::to_string(from) + "_" + std::to_string(to),
                     std::to_string(from) + ", " + std::to_string(to),
                     {access, atomics, rank, link_gb_per_s(from, to)});
        }
}

/// Measures the link in one direction, and in both at the same time.
void link(Demo& demo) {
    const std::size_t bytes = std::size_t(1) << 30, n = bytes / sizeof(unsigned);
    Memory a(0, n, 1), b(1, n, 0), c(0, n, 0), d(1, n, 1);
    cudaStream_t forth = stream_of(0), back = stream_of(1);
    Work work;
    work.n = static_cast<long long>(n);
    work.bytes = static_cast<double>(bytes);
    work.host_clock = true;
    work.cold_l2 = false;
    Version both = {"both", "both ways at once", "",
                    [&](long long) {
                        CUDA_CHECK(cudaMemcpyPeerAsync(b.data(), 1, a.data(), 0, bytes, forth));
                        CUDA_CHECK(cudaMemcpyPeerAsync(c.data(), 0, d.data(), 1, bytes, back));
                        wait_for_all();
                    },
                    [](long long) { return true; }};
    both.bytes = 2.0 * static_cast<double>(bytes);
    demo.ladder("link", "1 GiB from device to device", work,
                {{"one", "one way", "",
                  [&](long long) {
                      CUDA_CHECK(cudaMemcpyPeerAsync(b.data(), 1, a.data(), 0, bytes, forth));
                      wait_for_all();
                  },
                  [](long long) { return true; }},
                 both});
}
#endif

}  // namespace

int main(int argc, char** argv) {
#ifndef KIT_WITHOUT_NVSHMEM
    if (pes::is_pe(job_of_pe)) return 0;
#endif
#ifdef KIT_CPU
    kit::cpu::assume_devices(2);
#endif
    Demo demo({"18_multi_gpu",
               "what travels between GPUs, and what hides it",
               1 << 28,
               1 << 14,
               1 << 29,
               {},
               {"link", "send", "halo", "hidden", "scaling", "sum", "bandwidth", "steps", "buckets", "put",
                "steal", "model"}},
              argc, argv);
    if (device_count() < 2) {
        demo.say(
            "This demo needs two GPUs, and this machine has one. The CPU executor has two "
            "(-DKIT_BACKEND=CPU).");
        return demo.finish();
    }
    multi_gpu::open_all_ways(device_count());
#ifndef KIT_CPU
    if (demo.part("link")) {
        topology(demo);
        link(demo);
    }
#endif
    if (demo.part("send")) send(demo);
    if (demo.part("halo")) halo(demo);
#ifndef KIT_CPU
    if (demo.part("hidden")) hidden(demo);
    if (demo.part("scaling")) scaling(demo);
#endif
    sums(demo);
    puts(demo);
    steals(demo);
    if (demo.part("model")) model(demo);
    return demo.finish();
}
