// Where a profiler begins and ends to look. Nobody looks here.
#pragma once
#define __CUDA_PROFILER_API_H__

#include <driver_types.h>

extern "C" {
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
}
