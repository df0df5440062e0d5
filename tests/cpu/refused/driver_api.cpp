// refused: the driver API is not supported by the CPU backend: use the runtime API of cuda_runtime.h
#include <cuda.h>

int main() {
    return cuInit(0);
}
