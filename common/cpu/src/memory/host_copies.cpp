// Checks copies that use ordinary host memory: whether the copy stays within it, and whether it still exists
// when the copy runs.
#include <algorithm>

#include "copies.hpp"
#include "host_memory.hpp"
#include "memory.hpp"
#include "source/findings.hpp"

namespace kit::cpu {
namespace {

/// Returns whether the memory is ordinary host memory: not device memory, and not allocated by the CUDA
/// runtime. Memory from malloc still counts after cudaHostRegister.
bool is_the_hosts(const void* address) {
    const Allocation* const allocation = find_allocation(address);
    return allocation ? allocation->registered : !in_device_range(address);
}

std::shared_ptr<const BlockWatch> watch(const void* address) {
    if (!is_the_hosts(address)) return nullptr;
    const HostBlock block = find_host_block(address);
    return block.begin ? std::make_shared<BlockWatch>(block) : nullptr;
}

/// Checks that the watched host memory of a copy has not been freed.
cudaError_t check_watched(const CopyTask& task, const BlockWatch* watch, bool write) {
    if (!watch || !watch->freed()) return cudaSuccess;
    const CopyEnd end{task.what, write, task.shape.width * task.shape.height, task.place};
    add_finding(wrong_end(facts::Rule::freed_meanwhile, end)
                    .on(memory_of(watch->block()))
                    .with("freed", line_of(watch->freed_at())));
    return cudaErrorIllegalAddress;
}

}  // namespace

cudaError_t check_host_range(const CopyEnd& copy, const void* begin) {
    if (!is_the_hosts(begin)) return cudaSuccess;
    const HostPiece piece = find_host_piece(begin);
    const char* const first = static_cast<const char*>(begin);
    const char* const end = first + copy.bytes;
    if (piece.kind == HostPiece::Kind::unknown || end <= piece.end) return cudaSuccess;
    const std::size_t past = std::min(copy.bytes, static_cast<std::size_t>(end - piece.end));
    const bool within_block = piece.kind == HostPiece::Kind::block && first > piece.block.begin;
    const std::size_t offset = within_block ? static_cast<std::size_t>(first - piece.block.begin) : 0;
    add_finding(wrong_end(facts::Rule::past_the_end, copy)
                    .on(piece.memory())
                    .with("past", past)
                    .with("offset", offset));
    return cudaErrorInvalidValue;
}

void watch_host_memory(CopyTask& task) {
    task.to_watch = watch(task.to.begin);
    task.from_watch = watch(task.from.begin);
}

cudaError_t check_host_memory_lives(const CopyTask& task) {
    if (const cudaError_t error = check_watched(task, task.from_watch.get(), false)) return error;
    return check_watched(task, task.to_watch.get(), true);
}

}  // namespace kit::cpu
