// threadIdx, blockIdx, blockDim, gridDim and warpSize for the CPU executor.
#pragma once
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include <kit_cpu/thread.hpp>
