// refused: cuModuleLoad: modules are not offered by the CPU backend
#include <cuda.h>

void load() {
    cuModuleLoad(nullptr, "kernels.ptx");
}
