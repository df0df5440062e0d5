// refused: tex2D is not supported by the CPU backend
#include <cuda_runtime.h>

__global__ void fetch(cudaTextureObject_t texture, float* out) {
    *out = tex2D<float>(texture, 0.5f, 0.5f);
}
