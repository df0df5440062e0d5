// attack: its own cudaMemcpy, so that every buffer looks as it likes
// outcome: broken
// says: kit's own
#include <cuda_runtime.h>
extern "C" cudaError_t cudaMemcpy(void*, const void*, std::size_t, cudaMemcpyKind) {
    return cudaSuccess;
}
static void attack() {}
