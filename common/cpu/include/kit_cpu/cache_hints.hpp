// Hints to the L2 cache: the calls with which device code reports them, and the records of them for graders.
//
// Hints change no result, so a grader can only judge whether a program follows their contract. Only the checks see them: with
// KIT_CHECKS=0 all of these records are empty.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/executor.hpp>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// Bytes of a line of the L2 cache. Only whole lines are discarded or persist.
constexpr std::size_t cache_line_bytes = 128;

// ---- by device code: cuda::annotated_ptr and its relatives (include/cuda) ----

/// Records that the running thread accesses this address through a pointer that carries a property.
void note_annotated(const volatile void* address, cudaAccessProperty property);
/// cuda::apply_access_property: gives the property to the lines that contain these bytes.
void apply_property(const volatile void* begin, std::size_t bytes, cudaAccessProperty property);
/// cuda::discard_memory: the bytes become uninitialized.
void discard(volatile void* begin, std::size_t bytes);

// ---- for graders ----

/// A kernel that ran under an access window of its stream, its launch or its node.
struct WindowedLaunch {
    std::string kernel;
    cudaAccessPolicyWindow window{};
    std::size_t set_aside = 0;  ///< bytes of L2 that were set aside when it ran
    Place place;                ///< line of the launch
};

/// The hints since the last reset_cache_hints().
struct CacheHints {
    std::uint64_t normal = 0, streaming = 0, persisting = 0;  ///< accesses by annotated pointers
    std::uint64_t applied_lines = 0;    ///< lines that got a property from cuda::apply_access_property
    std::uint64_t discarded_lines = 0;  ///< whole lines that were discarded
    std::uint64_t kept_bytes =
        0;  ///< bytes passed to cuda::discard_memory in a part of a line, which no device discards
    std::uint64_t resets = 0;              ///< calls of cudaCtxResetPersistingL2Cache
    std::vector<WindowedLaunch> launches;  ///< the last 1000 launches with a window
};
CacheHints cache_hints();
void reset_cache_hints();

/// Returns the bytes of the lines that persist now, as far as the executor knows: lines of windows of kernels that have run, and
/// lines that device code has made persist.
std::size_t persisting_bytes();

/// Returns findings about streams whose window still makes lines persist, and about lines that have not been reset. With
/// KIT_LEAKS=1 they are also printed at the end of the program.
std::vector<Finding> left_persisting();

}  // namespace kit::cpu
