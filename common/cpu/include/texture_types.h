// CUDA has this header; here driver_types.h declares everything.
#pragma once
#define __TEXTURE_TYPES_H__

#include <driver_types.h>
