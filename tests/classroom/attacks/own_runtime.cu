// attack: defines cudaMemcpy itself, so that every buffer seems to have the values that it chooses
// outcome: broken
// says: kit's own
#include <cuda_runtime.h>
extern "C" cudaError_t cudaMemcpy(void*, const void*, std::size_t, cudaMemcpyKind) {
    return cudaSuccess;
}
static void attack() {}
