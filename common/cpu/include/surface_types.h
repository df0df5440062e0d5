// CUDA has this header; here driver_types.h declares everything.
#pragma once
#define __SURFACE_TYPES_H__

#include <driver_types.h>
