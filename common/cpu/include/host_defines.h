// CUDA's function and variable attributes for the CPU executor. A device function is an ordinary function
// here.
#pragma once
#define __HOST_DEFINES_H__

// What a kernel calls is inlined, as nvcc does it, wherever the compiler can: so a report knows which line called a helper.
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

// The translator puts it before what nvcc gives a value before anything runs: the compiler then refuses other values.
#if defined(__GNUC__) && !defined(__clang__)
#define KIT_CPU_CONSTANT_VALUE __constinit
#else
#define KIT_CPU_CONSTANT_VALUE [[clang::require_constant_initialization]]
#endif

// The translator reads these; what it leaves has no effect.
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)

// The translator replaces every shared variable. One that survives must not silently become a local one.
#define __shared__ KIT_CPU_ERROR_shared_variable_that_the_translator_did_not_see

/// A function of CUDA's headers that calls one of the executor: inlined at any level of optimisation, so that the call is
/// made by the student's line.
#define KIT_CPU_WRAPPER __attribute__((always_inline)) inline

/// Marks what belongs to the executor: the checks follow the student's loads and stores, not these.
#define KIT_CPU_UNCHECKED __attribute__((no_sanitize_thread))
