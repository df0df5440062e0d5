// CUDA has this header; here cuda_runtime.h declares everything.
#pragma once
#define __BUILTIN_TYPES_H__

#include <cuda_runtime.h>
