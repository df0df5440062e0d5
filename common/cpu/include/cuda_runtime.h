// All of CUDA's language and runtime for the CPU executor. The translator includes this first.
#pragma once
#define __CUDA_RUNTIME_H__  // headers of programs ask whether it is there

#include <cuda_runtime_api.h>
#include <device_functions.h>
#include <driver_types.h>
#include <host_defines.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <kit_cpu/bytes.hpp>  // before the C library declares them
#include <kit_cpu/launch.hpp>

// CUDA's own umbrella brings these in.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
