// Copies that use the host's own memory: do they stay in it, and is it still there when their turn comes?
#include <algorithm>

#include "copies.hpp"
#include "host_memory.hpp"
#include "memory.hpp"
#include "words/finding.hpp"
#include "words/phrases.hpp"

namespace kit::cpu {
namespace {

/// Neither the device's nor pinned by the runtime: what malloc gave stays the program's when it is registered.
bool is_the_hosts(const void* address) {
    const Allocation* const allocation = find_allocation(address);
    return allocation ? allocation->registered : !in_device_range(address);
}

std::shared_ptr<const BlockWatch> watch(const void* address) {
    if (!is_the_hosts(address)) return nullptr;
    const HostBlock block = find_host_block(address);
    return block.begin ? std::make_shared<BlockWatch>(block) : nullptr;
}

/// Nobody may use these bytes any more.
cudaError_t check_watched(const CopyTask& task, const BlockWatch* watch, const char* does) {
    if (!watch || !watch->freed()) return cudaSuccess;
    const Place freed = watch->freed_at();
    add_finding({"address",
                 std::string(task.what) + " at " + describe(task.place) + " " + does + " " +
                     count_bytes(task.shape.width * task.shape.height) + " of " + describe(watch->block()) +
                     ", which have been freed before the copy was done" +
                     (freed.line ? ", at " + describe(freed) : ""),
                 task.place});
    return cudaErrorIllegalAddress;
}

}  // namespace

cudaError_t check_host_range(const char* what, const char* does, const void* begin, std::size_t bytes,
                             Place place) {
    if (!is_the_hosts(begin)) return cudaSuccess;
    const HostPiece piece = find_host_piece(begin);
    const char* const first = static_cast<const char*>(begin);
    const char* const end = first + bytes;
    if (piece.kind == HostPiece::Kind::unknown || end <= piece.end) return cudaSuccess;
    const std::size_t past = std::min(bytes, static_cast<std::size_t>(end - piece.end));
    std::string message = std::string(what) + " " + does + " " + count_bytes(bytes) + ", " +
                          count_bytes(past) + " past the end of " + piece.words();
    if (piece.kind == HostPiece::Kind::frame) message += ", which holds the local variable";
    if (piece.kind == HostPiece::Kind::block && first > piece.block.begin)
        message += ", from byte " + std::to_string(first - piece.block.begin) + " on";
    add_finding({"address", message + " at " + describe(place), place});
    return cudaErrorInvalidValue;
}

void watch_host_memory(CopyTask& task) {
    task.to_watch = watch(task.to.begin);
    task.from_watch = watch(task.from.begin);
}

cudaError_t check_host_memory_lives(const CopyTask& task) {
    if (const cudaError_t error = check_watched(task, task.from_watch.get(), "reads")) return error;
    return check_watched(task, task.to_watch.get(), "writes");
}

}  // namespace kit::cpu
