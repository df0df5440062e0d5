// CUDA has this header; here driver_types.h declares everything.
#pragma once

#include <driver_types.h>
