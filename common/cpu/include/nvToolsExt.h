// Older programs include it from here.
#pragma once

#include <nvtx3/nvToolsExt.h>
