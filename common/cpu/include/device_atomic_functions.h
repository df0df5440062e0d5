// CUDA has this header; here device_functions.h declares everything.
#pragma once
#define __DEVICE_ATOMIC_FUNCTIONS_H__

#include <device_functions.h>
