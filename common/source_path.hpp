// Where a source file is that __FILE__ names: for programs that read it, or a file beside it.
#pragma once

#include <string>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit {

/// The whole path of a source file of the course. Programs for the CPU backend name it from the root of the course.
inline std::string source_path(const std::string& file) {
#ifdef KIT_CPU
    return cpu::whole_path(file);
#else
    return file;
#endif
}

}  // namespace kit
