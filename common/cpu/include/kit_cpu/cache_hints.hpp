// Hints to the L2 cache: what device code tells the executor of them, and what the executor kept of them for who grades.
//
// Hints change no result, so all that can be judged is whether they are given as their contract says. They are seen by the
// checks only: with KIT_CHECKS=0 all of this is empty.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <kit_cpu/executor.hpp>
#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// Bytes of a line of the L2 cache: what is discarded, and what persists, is a whole one.
constexpr std::size_t cache_line_bytes = 128;

// ---- by device code: cuda::annotated_ptr and its relatives (include/cuda) ----

/// The running thread asks for this place through a pointer that carries a property.
void note_annotated(const volatile void* address, cudaAccessProperty property);
/// cuda::apply_access_property: the lines that hold these bytes get the property.
void apply_property(const volatile void* begin, std::size_t bytes, cudaAccessProperty property);
/// cuda::discard_memory: the bytes have no value from now on.
void discard(volatile void* begin, std::size_t bytes);

// ---- by who grades ----

/// A kernel that ran under an access window of its stream, its launch or its node.
struct WindowedLaunch {
    std::string kernel;
    cudaAccessPolicyWindow window{};
    std::size_t set_aside = 0;  ///< bytes of L2 that were set aside when it ran
    Place place;                ///< of the launch
};

/// What was seen since the last reset_cache_hints().
struct CacheHints {
    std::uint64_t normal = 0, streaming = 0, persisting = 0;  ///< accesses by annotated pointers
    std::uint64_t applied_lines = 0;    ///< given a property by cuda::apply_access_property
    std::uint64_t discarded_lines = 0;  ///< whole ones
    std::uint64_t kept_bytes =
        0;  ///< handed to cuda::discard_memory in a part of a line, which no device discards
    std::uint64_t resets = 0;              ///< calls of cudaCtxResetPersistingL2Cache
    std::vector<WindowedLaunch> launches;  ///< the last thousand
};
CacheHints cache_hints();
void reset_cache_hints();

/// Bytes of the lines that are persisting now, as far as is known: those of windows of kernels that have run, and those that
/// device code has made so.
std::size_t persisting_bytes();

/// What is left persisting, in words: streams whose window still makes lines persist, and lines that nobody has reset. Also
/// printed at the end of a program with KIT_LEAKS=1.
std::vector<Finding> left_persisting();

}  // namespace kit::cpu
