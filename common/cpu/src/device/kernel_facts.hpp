// Facts about a kernel that do not need a run: its static shared memory and its attributes.
#pragma once

#include <cstddef>
#include <kit_cpu/launch.hpp>
#include <string>

namespace kit::cpu {

struct KernelFacts {
    std::string name;                     ///< demangled name; empty if the function is unknown
    std::size_t static_shared_bytes = 0;  ///< `__shared__` variables declared in the kernel itself
    unsigned max_threads = 1024;          ///< value of __launch_bounds__, or what the registers allow
    KernelBounds bounds;                  ///< all bounds in its attributes
};

/// Returns the facts of the kernel at this address, which it finds through the executable's symbol table.
KernelFacts kernel_facts(const void* function);

/// Returns "reduce<256>" for "void reduce<256>(float const*, int, float*)".
std::string short_name(const std::string& demangled);

}  // namespace kit::cpu
