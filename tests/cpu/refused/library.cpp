// refused: <thrust/sort.h> is not offered by the CPU backend: Thrust needs nvcc
#include <thrust/sort.h>
