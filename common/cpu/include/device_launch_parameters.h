// threadIdx, blockIdx, blockDim, gridDim and warpSize for the CPU executor.
#pragma once

#include <kit_cpu/thread.hpp>
