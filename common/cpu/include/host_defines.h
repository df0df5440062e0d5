// CUDA's function and variable attributes for the CPU executor. A device function is an ordinary function
// here.
#pragma once
#define __HOST_DEFINES_H__

// As in nvcc, the functions that a kernel calls are inlined if possible, so a report can name the line that called a helper.
#define __global__ __attribute__((flatten))
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __device_builtin__
#define __inline_hint__
#define __nv_pure__

// Empty on purpose: system headers write __attribute__((__noinline__)), which an attribute here would break.
#define __noinline__
#define __forceinline__ inline

#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define CUDARTAPI
#define CUDART_CB

// The translator writes it before variables that nvcc initializes at compile time, so the compiler refuses other values.
#if defined(__GNUC__) && !defined(__clang__)
#define KIT_CPU_CONSTANT_VALUE __constinit
#else
#define KIT_CPU_CONSTANT_VALUE [[clang::require_constant_initialization]]
#endif

// The translator reads these. Those that it leaves have no effect.
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)

// The translator replaces every shared variable. A variable that it misses must not silently become a local variable.
#define __shared__ KIT_CPU_ERROR_shared_variable_that_the_translator_did_not_see

/// Marks a function of CUDA's headers that calls the executor. It is inlined at any level of optimization, so the call returns
/// into the student's line.
#define KIT_CPU_WRAPPER __attribute__((always_inline)) inline

/// Marks a function of the executor, whose loads and stores are not checked.
#define KIT_CPU_UNCHECKED __attribute__((no_sanitize_thread))
