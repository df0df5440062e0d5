// Hints to the L2 cache: functions with which device code reports hints, and records of the hints for
// graders.
//
// Hints do not change results, so a grader can only judge whether a program follows their contract. Only the
// checks record hints: with KIT_CHECKS=0, all records are empty.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/executor.hpp>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// Size in bytes of a line of the L2 cache. Discarding and persisting apply only to whole lines.
constexpr std::size_t cache_line_bytes = 128;

// Functions for device code: cuda::annotated_ptr and related classes (include/cuda) call them.

/// Records that the running thread accesses this address through a pointer that carries a property.
void note_annotated(const volatile void* address, cudaAccessProperty property);
/// Implements cuda::apply_access_property: gives the property to the cache lines that contain these bytes.
void apply_property(const volatile void* begin, std::size_t bytes, cudaAccessProperty property);
/// Implements cuda::discard_memory: the bytes become uninitialized.
void discard(volatile void* begin, std::size_t bytes);

// Functions for graders.

/// A kernel that ran under an access policy window of its stream, its launch or its graph node.
struct WindowedLaunch {
    std::string kernel;
    cudaAccessPolicyWindow window{};
    std::size_t set_aside = 0;  ///< size in bytes of the set-aside part of L2 when the kernel ran
    Place place;                ///< line of the launch
};

/// The hints since the last reset_cache_hints().
struct CacheHints {
    /// Number of accesses through annotated pointers, by property.
    std::uint64_t normal = 0, streaming = 0, persisting = 0;
    std::uint64_t applied_lines = 0;    ///< number of cache lines that got a property from
                                        ///< cuda::apply_access_property
    std::uint64_t discarded_lines = 0;  ///< number of whole cache lines that were discarded
    std::uint64_t kept_bytes =
        0;  ///< bytes passed to cuda::discard_memory that do not fill a line, so no device discards them
    std::uint64_t resets = 0;              ///< number of calls of cudaCtxResetPersistingL2Cache
    std::vector<WindowedLaunch> launches;  ///< the last 1000 launches with a window
};
CacheHints cache_hints();
void reset_cache_hints();

/// Returns the size in bytes of the cache lines that persist, as far as the executor knows: lines in windows
/// under which kernels ran, and lines that device code has made persist.
std::size_t persisting_bytes();

/// Returns findings about streams whose window still makes lines persist, and about lines that have not been
/// reset. With KIT_LEAKS=1, these findings are also printed when the program ends.
std::vector<Finding> left_persisting();

}  // namespace kit::cpu
