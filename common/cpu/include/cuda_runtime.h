// CUDA's language and runtime on the CPU executor. The translator includes this header before all others.
#pragma once
#define __CUDA_RUNTIME_H__  // the include guard of CUDA's header, which headers of programs test

// The include guards of headers that CUDA's cuda_runtime.h includes. Here, this header declares their
// contents (kit_std_headers.cmake).
#define __COMMON_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__
#define __SURFACE_TYPES_H__
#define __TEXTURE_TYPES_H__

#include <channel_descriptor.h>
#include <cuda_runtime_api.h>
#include <device_functions.h>
#include <driver_types.h>
#include <host_defines.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <kit_cpu/bytes.hpp>  // must come before the C library's declarations
#include <kit_cpu/launch_api.hpp>

// Standard headers that CUDA's cuda_runtime.h also includes.
#include <assert.h>
#include <library_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
