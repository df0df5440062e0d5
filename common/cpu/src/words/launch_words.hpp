// The sentences about launches that are refused: what they ask for, and what the device, the kernel or the attribute allows.
#pragma once

#include <vector_types.h>

#include <kit_cpu/executor.hpp>
#include <string>

namespace kit::cpu {

/// "the launch of `scale`"
std::string launch_in_words(const std::string& kernel);

/// `why`: one of those below.
Finding launch_refused(const std::string& kernel, const std::string& why, Place place);

/// Who allows how much: "NVIDIA H200", 1024.
struct Limit {
    const char* device;
    std::size_t most;
};

// ---- blocks and grids ----
std::string block_without_threads(const dim3& block);
std::string grid_without_blocks(const dim3& grid);
std::string too_many_threads(std::size_t threads, const Limit& limit);
/// `direction`: 0 for x.
std::string block_too_large(const dim3& block, int direction, const Limit& limit);
std::string grid_too_large(const dim3& grid, int direction, const Limit& limit);
std::string blocks_cannot_meet(std::size_t blocks, const Limit& limit);

// ---- what the kernel needs and allows ----
std::string beyond_launch_bounds(std::size_t threads, std::size_t most);
std::string too_many_registers(std::size_t threads, int registers, std::size_t most);
std::string too_many_constants(std::size_t bytes, std::size_t most);
std::string too_much_static_shared(std::size_t bytes, std::size_t most);
/// `granted`: what the kernel may have now; the device has more.
std::string too_much_dynamic_shared(std::size_t bytes, std::size_t granted, const Limit& limit);

// ---- clusters ----
std::string cluster_not_set();
std::string clusters_too_new(const char* device, int architecture);
std::string cluster_without_blocks(const dim3& cluster);
std::string kernel_has_cluster(const dim3& cluster, const dim3& required);
std::string cluster_too_large(const dim3& cluster, const Limit& limit);
std::string cluster_not_portable(const dim3& cluster, std::size_t most);
std::string cluster_beyond_bounds(const dim3& cluster, std::size_t most);
std::string cluster_does_not_divide(const dim3& cluster, const dim3& grid);

// ---- attributes ----
enum class AttributeFault {
    none,
    cluster_without_blocks,
    no_policy,
    too_many_percent,
    no_window,
    not_offered
};
Finding attribute_refused(int attribute, AttributeFault fault, Place place);

}  // namespace kit::cpu
