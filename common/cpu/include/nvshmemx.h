// Extensions of NVSHMEM on the CPU executor: functions that start PEs without a launcher. The puts and
// signals whose names begin with nvshmemx_ are in nvshmem.h.
#pragma once

#include "nvshmem.h"

#define NVSHMEMX_INIT_WITH_UNIQUEID (1u << 3)

typedef struct {
    int version;
    char internal[124];
} nvshmemx_uniqueid_t;
#define NVSHMEMX_UNIQUEID_INITIALIZER \
    { 0, "" }

typedef struct {
    int version;
    nvshmemx_uniqueid_t id;
    int rank, ranks;
} nvshmemx_init_attr_t;
#define NVSHMEMX_INIT_ATTR_INITIALIZER \
    { 0, NVSHMEMX_UNIQUEID_INITIALIZER, 0, 0 }

extern "C" {

int nvshmemx_get_uniqueid(nvshmemx_uniqueid_t* id);
int nvshmemx_set_attr_uniqueid_args(const int my_pe, const int n_pes, const nvshmemx_uniqueid_t* id,
                                    nvshmemx_init_attr_t* attributes);
int nvshmemx_init_attr(unsigned int flags, nvshmemx_init_attr_t* attributes);

/// Launches a kernel that all PEs must launch. The threads of this kernel can wait for threads of other PEs.
int nvshmemx_collective_launch(const void* kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream);

}  // extern "C"
