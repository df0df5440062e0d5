// From CUDA's structures of node parameters to tasks, and back.
#pragma once

#include "task.hpp"

namespace kit::cpu {

/// Checks the parameters and makes the task. `like` is the node's present task or null: a kernel keeps the types of its
/// parameters from it. What is wrong becomes a finding.
cudaError_t make_task(const cudaKernelNodeParams* params, Place place, const NodeTask* like, NodeTask& task);
cudaError_t make_task(const cudaMemsetParams* params, Place place, NodeTask& task);
cudaError_t make_task(const cudaHostNodeParams* params, NodeTask& task);
cudaError_t make_task(const cudaMemcpy3DParms* params, Place place, NodeTask& task);
cudaError_t make_copy_task(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Place place,
                           NodeTask& task);

/// The same with part of a variable at one end. `kind` decides what the other end is.
cudaError_t make_symbol_task(const void* symbol, std::size_t offset, bool to_symbol, const void* other,
                             std::size_t bytes, cudaMemcpyKind kind, Place place, NodeTask& task);

/// The parameters of a node; false if the node has a different type.
bool params_of(const NodeTask& task, cudaKernelNodeParams& params);
bool params_of(const NodeTask& task, cudaMemsetParams& params);
bool params_of(const NodeTask& task, cudaHostNodeParams& params);
bool params_of(const NodeTask& task, cudaMemcpy3DParms& params);

}  // namespace kit::cpu
