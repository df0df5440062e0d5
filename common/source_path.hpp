// Finds the source file that __FILE__ names, for programs that read this file or one next to it.
#pragma once

#include <string>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit {

/// Returns the absolute path of a source file of the course. In programs for the CPU backend, __FILE__ is
/// relative to the course's root.
inline std::string source_path(const std::string& file) {
#ifdef KIT_CPU
    return cpu::whole_path(file);
#else
    return file;
#endif
}

}  // namespace kit
