// The sentences about asynchronous copies: promises that are not kept, sizes that do not exist, a block that leaves too early.
#pragma once

#include <kit_cpu/async_copy.hpp>
#include <kit_cpu/executor.hpp>
#include <string>

namespace kit::cpu {

std::string copy_not_aligned(const AsyncCopy& copy, const std::string& thread, std::size_t alignment);
std::string no_such_copy_size(const AsyncCopy& copy, const std::string& thread);
std::string no_bulk_copy(const AsyncCopy& copy, const std::string& thread, bool to_shared);
Finding copy_outlives_block(const AsyncCopy& copy, const std::string& thread, const std::string& memory);

/// What is behind the end of a copy that had fewer bytes than its elements need; to be added to the sentence about a read of it.
std::string short_copy(Place place, std::size_t bytes, std::size_t element);

}  // namespace kit::cpu
