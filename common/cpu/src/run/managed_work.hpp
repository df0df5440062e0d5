// Prefetches of managed memory as queued work, and their order with kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>

#include "stream.hpp"

namespace kit::cpu {

/// Queues a prefetch of the pages that contain these bytes.
void enqueue_prefetch(CUstream_st& stream, const void* begin, std::size_t bytes, int processor, Place place);

/// Returns the numbers of the prefetches that have run and after which the running work is not ordered.
std::set<std::uint64_t> unordered_prefetches();

}  // namespace kit::cpu
