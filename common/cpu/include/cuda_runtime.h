// All of CUDA's language and runtime for the CPU executor. The translator includes this first.
#pragma once
#define __CUDA_RUNTIME_H__  // headers of programs test for it

// CUDA's cuda_runtime.h includes these headers as well. Here it declares everything that is in them (kit_std_headers.cmake).
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

#include <kit_cpu/bytes.hpp>  // before the C library declares them
#include <kit_cpu/launch_api.hpp>

// CUDA's cuda_runtime.h includes these.
#include <assert.h>
#include <library_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
