// 02_occupancy/report: how full a multiprocessor is with a given launch, as the runtime says.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests report.cu
//        ../../tests/02_occupancy/report_test.cu -o report
// Run:   ./report
//
//   v2  report: like v1, but the runtime knows the device, the kernel's registers and its static shared memory

#include "02_occupancy/02_occupancy.hpp"
#include "kit.cuh"

namespace occupancy {

// v2: from blocks to warps to a percentage.
// [report]
Report report(const void* kernel, int block, std::size_t shared) {
    Report r = {};
    // TODO(1): Ask the runtime how many blocks of this launch a multiprocessor holds, all arguments included.
    // 2 lines, with cudaOccupancyMaxActiveBlocksPerMultiprocessor.
    int blocks = 0;
    KIT_TODO(1, kernel, block, shared);

    // TODO(2): And how many warps there is room for: ask the device for its threads per multiprocessor. 5 lines.
    int device = 0;
    int threads = 0;
    KIT_TODO(2, device, threads);

    // TODO(3): Blocks are not warps: a ragged last warp is one, too. And an int divided by an int is an int.
    // 2 lines.
    KIT_TODO(3, blocks, block);
    return r;
}
// [/report]

// [print]
void print(std::FILE* out, const char* name, const Report& report) {
    // TODO(4): One line, such as "reduce: 48 of 64 warps, 75.0%". 2 lines.
    KIT_TODO(4, out, name, report);
}
// [/print]

}  // namespace occupancy
