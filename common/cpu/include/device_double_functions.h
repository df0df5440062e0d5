// CUDA has this header; here device_functions.h declares everything.
#pragma once

#include <device_functions.h>
