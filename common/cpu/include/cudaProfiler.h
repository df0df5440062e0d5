// CUDA has this header; here cuda_profiler_api.h declares everything.
#pragma once

#include <cuda.h>
#include <cuda_profiler_api.h>
