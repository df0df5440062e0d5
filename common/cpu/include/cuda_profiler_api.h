// The functions that start and stop a profiler. They have no effect on the CPU executor.
#pragma once
#define __CUDA_PROFILER_API_H__

#include <driver_types.h>

extern "C" {
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
}
