// refused: cudaImportExternalMemory: external memory and semaphores are not supported by the CPU backend
#include <cuda_runtime.h>

void import() {
    cudaImportExternalMemory(nullptr, nullptr);
}
