// Converts CUDA's structures of node parameters to tasks, and back.
#pragma once

#include "task.hpp"

namespace kit::cpu {

/// Checks the parameters and creates the task. `like` is the node's current task or null: a kernel takes the types of its parameters from
/// it. An error becomes a finding.
cudaError_t make_task(const cudaKernelNodeParams* params, Place place, const NodeTask* like, NodeTask& task);
cudaError_t make_task(const cudaMemsetParams* params, Place place, NodeTask& task);
cudaError_t make_task(const cudaHostNodeParams* params, NodeTask& task);
cudaError_t make_task(const cudaMemcpy3DParms* params, Place place, NodeTask& task);
cudaError_t make_copy_task(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Place place,
                           NodeTask& task);

/// The same for a copy with a part of a variable at one end. `kind` determines the other end.
cudaError_t make_symbol_task(const void* symbol, std::size_t offset, bool to_symbol, const void* other,
                             std::size_t bytes, cudaMemcpyKind kind, Place place, NodeTask& task);

/// Reads the parameters of a node. Returns false if the node has a different type.
bool params_of(const NodeTask& task, cudaKernelNodeParams& params);
bool params_of(const NodeTask& task, cudaMemsetParams& params);
bool params_of(const NodeTask& task, cudaHostNodeParams& params);
bool params_of(const NodeTask& task, cudaMemcpy3DParms& params);

}  // namespace kit::cpu
