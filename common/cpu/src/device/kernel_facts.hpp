// Facts about a kernel that are known without running it: its static shared memory and its attributes.
#pragma once

#include <cstddef>
#include <kit_cpu/launch.hpp>
#include <string>

namespace kit::cpu {

struct KernelFacts {
    std::string name;                     ///< demangled name; empty if the function is unknown
    std::size_t static_shared_bytes = 0;  ///< size of the `__shared__` variables that the kernel itself
                                          ///< declares
    unsigned max_threads = 1024;          ///< maximum threads per block: the value of __launch_bounds__, or
                                          ///< as many as the registers allow
    KernelBounds bounds;                  ///< all bounds that the kernel's attributes state
};

/// Returns the facts about the kernel at this address, whose name is in the symbol table of the executable.
KernelFacts kernel_facts(const void* function);

/// Returns the name of a kernel for reports: "reduce<256>" for "void reduce<256>(float const*, int, float*)".
std::string short_name(const std::string& demangled);

}  // namespace kit::cpu
