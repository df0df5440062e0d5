// CUDA's attributes of functions and variables on the CPU executor, where a device function is an ordinary
// function.
#pragma once
#define __HOST_DEFINES_H__

// As nvcc does, GCC inlines the functions that a kernel calls if possible, so a report can name the line that
// called a helper function.
#define __global__ __attribute__((flatten))
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __device_builtin__
#define __inline_hint__
#define __nv_pure__

// Empty on purpose: system headers write __attribute__((__noinline__)), in which an attribute would not
// compile.
#define __noinline__
#define __forceinline__ inline

#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define CUDARTAPI
#define CUDART_CB

// The translator inserts this attribute before variables that nvcc initializes at compile time. The compiler
// then refuses other initializers.
#if defined(__GNUC__) && !defined(__clang__)
#define KIT_CPU_CONSTANT_VALUE __constinit
#else
#define KIT_CPU_CONSTANT_VALUE [[clang::require_constant_initialization]]
#endif

// The translator reads these attributes. Attributes that the translator leaves in the source have no effect.
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)

// The translator replaces every shared variable. A `__shared__` that is left in the source is an error, so
// that no shared variable becomes a local variable.
#define __shared__ KIT_CPU_ERROR_shared_variable_that_the_translator_did_not_see

/// Marks a function of CUDA's headers that calls the executor. The function is inlined at every level of
/// optimization, so the executor returns into the student's line.
#define KIT_CPU_WRAPPER __attribute__((always_inline)) inline

/// Marks a function of the executor. The loads and stores of such a function are not checked.
#define KIT_CPU_UNCHECKED __attribute__((no_sanitize_thread))
