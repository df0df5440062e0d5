// What the exercises with collectives include besides the contract: NCCL, the check of its calls, and, on a GPU, what counts graphs.
#pragma once

#include <nccl.h>

#include <cstdio>
#include <cstdlib>

#include "grader/count_calls.hpp"

/// As CUDA_CHECK, for a call of NCCL, whose results are of another type.
#define NCCL_CHECK(call)                                                       \
    do {                                                                       \
        const ncclResult_t nccl_check_result = (call);                         \
        if (nccl_check_result != ncclSuccess) {                                \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                         ncclGetErrorString(nccl_check_result));               \
            std::exit(1);                                                      \
        }                                                                      \
    } while (false)
