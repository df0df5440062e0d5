// Makes the executor's headers usable for clangd, which parses CUDA itself: it defines CUDA's keywords as
// clang's attributes. build/course/clangd/compile_commands.json (common/cmake/kit_clangd.cmake) includes this
// header before every .cu file.
#pragma once

#include <cstddef>
#include <kit_cpu/clangd_keywords.hpp>

// In these headers, functions that device code calls are ordinary functions.
// clang-format off
#pragma clang force_cuda_host_device begin
#include <kit_cpu/bytes.hpp>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#pragma clang force_cuda_host_device end

// These standard headers contain exceptions and operator new, which are host functions.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __launch_bounds__
#pragma clang force_cuda_host_device begin
#include <math.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <kit_cpu/executor.hpp>
#include <kit_cpu/nvcc.hpp>
#pragma clang force_cuda_host_device end
#include <kit_cpu/clangd_keywords.hpp>
// clang-format on

// Clang requires these functions for <<<grid, block>>>.
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                cudaStream_t stream = nullptr);
