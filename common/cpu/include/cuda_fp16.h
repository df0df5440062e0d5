// half on the CPU executor: 5 bits of exponent and 10 bits of fraction. Results are computed in a larger type
// and rounded once.
#pragma once
#define __CUDA_FP16_H__

#include <cuda_runtime.h>

#include <kit_cpu/small_float.hpp>

#define KIT_SMALL __half
#define KIT_SMALL_RAW __half_raw
#define KIT_SMALL2 __half2
#define KIT_SMALL2_RAW __half2_raw
#define KIT_SMALL_EXPONENT 5
#define KIT_SMALL_NAME half
#define KIT_SMALL2_NAME half2
#define KIT_SMALL_BOTH __half2half2
#include <kit_cpu/small_float.inl>
#include <kit_cpu/small_float_names.inl>
#undef KIT_SMALL
#undef KIT_SMALL_RAW
#undef KIT_SMALL2
#undef KIT_SMALL2_RAW
#undef KIT_SMALL_EXPONENT
#undef KIT_SMALL_NAME
#undef KIT_SMALL2_NAME
#undef KIT_SMALL_BOTH

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
