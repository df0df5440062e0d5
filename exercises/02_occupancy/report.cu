// 02_occupancy/report: the occupancy that the runtime reports.
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
    // TODO(1): Find out from the runtime how many blocks of this launch a multiprocessor holds. Pass all arguments.
    // 1 line, with cudaOccupancyMaxActiveBlocksPerMultiprocessor.
    int blocks = 0;
    KIT_TODO(1, kernel, block, shared);

    // TODO(2): Compute how many warps there is room for: query the threads per multiprocessor of the device. 3 lines.
    int device = 0;
    int threads = 0;
    KIT_TODO(2, device, threads);

    // TODO(3): Compute the warps and the percentage. A partly filled last warp of a block is a warp, too. Remember that an int
    // divided by an int is an int. 2 lines.
    KIT_TODO(3, blocks, block);
    return r;
}
// [/report]

// [print]
void print(std::FILE* out, const char* name, const Report& report) {
    // TODO(4): Print one line, such as "reduce: 48 of 64 warps, 75.0%". 2 lines.
    KIT_TODO(4, out, name, report);
}
// [/print]

}  // namespace occupancy
