// Headers that programs include in addition to those of the runtime. All of these headers must compile, and
// headers for tools must have no effect.
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <library_types.h>
#include <nvtx3/nvToolsExt.h>
#include <vector_functions.h>

#include "conformance.cuh"

// Macros that such programs test before they use the runtime.
#if !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__) || !defined(__DRIVER_TYPES_H__) || \
    !defined(__VECTOR_TYPES_H__) || !defined(__VECTOR_FUNCTIONS_H__) ||                                 \
    !defined(__DEVICE_LAUNCH_PARAMETERS_H__) || !defined(__LIBRARY_TYPES_H__) ||                        \
    !defined(__CHANNEL_DESCRIPTOR_H__) || !defined(CUDART_VERSION)
#error "a guard of CUDA's headers is missing"
#endif

static_assert(CUDA_VERSION >= 13000);
static_assert(CUDA_R_32F == 0 && CUDA_R_16F == 2 && CUDA_C_64F == 5 && CUDA_R_16BF == 14);

CASE("a profiler may be told where to begin and to end") {
    CHECK_CUDA(cudaProfilerStart(), cudaSuccess);
    CHECK_CUDA(cudaProfilerStop(), cudaSuccess);
}

CASE("ranges and marks") {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.colorType = NVTX_COLOR_ARGB;
    attributes.color = 0xff00ff00;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "outer";
    const int pushed = nvtxRangePushEx(&attributes);
    nvtxRangePushA("inner");
    nvtxMarkA("here");
    const nvtxRangeId_t range = nvtxRangeStartA("long");
    nvtxRangeEnd(range);
    nvtxRangePop();
    CHECK(pushed == 0 || pushed == NVTX_NO_PUSH_POP_TRACKING);
    nvtxRangePop();
}

__global__ void complex_numbers(cuFloatComplex* out) {
    const cuFloatComplex a = make_cuFloatComplex(1, 2), b = make_cuFloatComplex(3, -4);
    out[0] = cuCmulf(a, b);
    out[1] = cuCdivf(a, b);
    out[2] = cuCaddf(cuConjf(a), b);
    out[3] = make_cuFloatComplex(cuCabsf(b), cuCimagf(cuCsubf(a, b)));
}
CASE("complex numbers") {
    const Buffer<cuFloatComplex> out(4);
    complex_numbers<<<1, 1>>>(out);
    const std::vector<cuFloatComplex> got = out.read();
    const float want[4][2] = {{11, 2}, {-0.2f, 0.4f}, {4, -6}, {5, 6}};
    for (int i = 0; i < 4; ++i)
        CHECK(fabsf(got[i].x - want[i][0]) < 1e-6f && fabsf(got[i].y - want[i][1]) < 1e-6f);
    const cuDoubleComplex large = cuCdiv(make_cuDoubleComplex(1e300, 0), make_cuDoubleComplex(1e300, 1e300));
    CHECK_EQUAL(cuCreal(large), 0.5);
    CHECK_EQUAL(cuCimag(large), -0.5);
}

CONFORMANCE_MAIN("headers")
