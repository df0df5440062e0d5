// The functions that start and stop a profiler. The CPU executor has no profiler, so they do nothing.
#pragma once
#define __CUDA_PROFILER_API_H__

#include <driver_types.h>

extern "C" {
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
}
