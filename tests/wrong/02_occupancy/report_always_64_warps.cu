// wrong: Every device is believed to have room for 64 warps.
// diagnosis: maximum_warps is 64, expected 32
// diagnosis: (Task 2)
// backends: cpu (needs a device with another number of warps)
// sanitizer.all: no kernel runs

#include "02_occupancy/02_occupancy.hpp"
#include "kit.cuh"

namespace occupancy {

// v2: from blocks to warps to a percentage.
Report report(const void* kernel, int block, std::size_t shared) {
    Report r = {};
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, shared));

    int device = 0;
    int threads = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
    r.maximum_warps = 64;

    r.active_warps = blocks * kit::ceil_div(block, 32);
    r.percent = 100.0 * r.active_warps / r.maximum_warps;
    return r;
}

void print(std::FILE* out, const char* name, const Report& report) {
    std::fprintf(out, "%s: %d of %d warps, %.1f%%\n", name, report.active_warps, report.maximum_warps,
                 report.percent);
}

}  // namespace occupancy
