// An alternative name for cuda_profiler_api.h, which CUDA also has.
#pragma once

#include <cuda.h>
#include <cuda_profiler_api.h>
