// bfloat16 on the CPU executor: 8 bits of exponent, as in a float, and 7 bits of fraction. Results are
// computed in a larger type and rounded once.
#pragma once
#define __CUDA_BF16_H__

#include <cuda_runtime.h>

#include <kit_cpu/small_float.hpp>

#define KIT_SMALL __nv_bfloat16
#define KIT_SMALL_RAW __nv_bfloat16_raw
#define KIT_SMALL2 __nv_bfloat162
#define KIT_SMALL2_RAW __nv_bfloat162_raw
#define KIT_SMALL_EXPONENT 8
#define KIT_SMALL_NAME bfloat16
#define KIT_SMALL2_NAME bfloat162
#define KIT_SMALL_BOTH __bfloat162bfloat162
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

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
