// Converts CUDA's structures of node parameters to tasks, and tasks to these structures.
#pragma once

#include "task.hpp"

namespace kit::cpu {

/// Checks the parameters and creates the task. `like` is the current task of the node, or null; a kernel node
/// takes the types of its parameters from it. Returns CUDA's error, and reports a finding, if the parameters
/// are invalid.
cudaError_t make_task(const cudaKernelNodeParams* params, Place place, const NodeTask* like, NodeTask& task);
cudaError_t make_task(const cudaMemsetParams* params, Place place, NodeTask& task);
cudaError_t make_task(const cudaHostNodeParams* params, NodeTask& task);
cudaError_t make_task(const cudaMemcpy3DParms* params, Place place, NodeTask& task);
cudaError_t make_copy_task(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Place place,
                           NodeTask& task);

/// Creates the task of a copy to or from a variable (symbol). `kind` determines the memory at the other end.
cudaError_t make_symbol_task(const void* symbol, std::size_t offset, bool to_symbol, const void* other,
                             std::size_t bytes, cudaMemcpyKind kind, Place place, NodeTask& task);

/// Stores the parameters of a node. Returns false if the node has a different type.
bool params_of(const NodeTask& task, cudaKernelNodeParams& params);
bool params_of(const NodeTask& task, cudaMemsetParams& params);
bool params_of(const NodeTask& task, cudaHostNodeParams& params);
bool params_of(const NodeTask& task, cudaMemcpy3DParms& params);

}  // namespace kit::cpu
