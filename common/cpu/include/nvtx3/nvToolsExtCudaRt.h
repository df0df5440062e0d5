// CUDA has this header; here nvToolsExt.h declares everything.
#pragma once

#include <nvtx3/nvToolsExt.h>
