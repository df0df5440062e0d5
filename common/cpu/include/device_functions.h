// Functions that kernels call: barriers, warp intrinsics, atomics, mathematical functions.
#pragma once
#define __DEVICE_FUNCTIONS_H__

#include <kit_cpu/address_space.hpp>
#include <kit_cpu/atomic.hpp>
#include <kit_cpu/barrier.hpp>
#include <kit_cpu/convert.hpp>
#include <kit_cpu/integer.hpp>
#include <kit_cpu/math.hpp>
#include <kit_cpu/memory_access.hpp>
#include <kit_cpu/simd.hpp>
#include <kit_cpu/special_functions.hpp>
#include <kit_cpu/warp.hpp>
