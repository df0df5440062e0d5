// All of CUDA's language and runtime for the CPU executor. The translator includes this first.
#pragma once
#define __CUDA_RUNTIME_H__  // headers of programs test for it

#include <channel_descriptor.h>
#include <cuda_runtime_api.h>
#include <device_functions.h>
#include <driver_types.h>
#include <host_defines.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <kit_cpu/bytes.hpp>  // before the C library declares them
#include <kit_cpu/launch_api.hpp>

// CUDA's cuda_runtime.h includes these, and programs test their include guards.
#include <assert.h>
#include <common_functions.h>
#include <device_double_functions.h>
#include <device_types.h>
#include <driver_functions.h>
#include <library_types.h>
#include <math_functions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <surface_types.h>
#include <texture_types.h>
#include <time.h>

#include <new>
