// CUDA has this header; here cuda_runtime.h declares everything.
#pragma once

#include <cuda_runtime.h>
