// Included by the exercises with collectives in addition to the contract: NCCL, a check of its calls and, on a GPU, counters of graphs.
#pragma once

#include <nccl.h>

#include <cstdio>
#include <cstdlib>

#include "grader/count_calls.hpp"

/// Like CUDA_CHECK, for calls of NCCL, which return a different type.
#define NCCL_CHECK(call)                                                       \
    do {                                                                       \
        const ncclResult_t nccl_check_result = (call);                         \
        if (nccl_check_result != ncclSuccess) {                                \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                         ncclGetErrorString(nccl_check_result));               \
            std::exit(1);                                                      \
        }                                                                      \
    } while (false)
