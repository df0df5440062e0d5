// The executable's symbols: finds the function that starts at an address, and the variable that holds one.
#pragma once

#include <cstdint>
#include <string>

#include "elements.hpp"

namespace kit::cpu {

/// The addresses of the program's own image: code and constants up to `variables`, then its variables. The executor's library is a
/// different image.
struct ProgramImage {
    char* begin = nullptr;
    char* variables = nullptr;
    char* end = nullptr;
    std::uintptr_t moved = 0;  ///< distance from the addresses that the linker assigned

    bool holds(const void* address) const { return address >= begin && address < end; }
};
const ProgramImage& program_image();

/// Returns the mangled name of the function that starts at this address; empty if it is unknown.
std::string symbol_at(const void* function);

/// The global variable of the program that holds the address; both null if there is none.
struct VariableRange {
    const char* begin = nullptr;
    const char* end = nullptr;
};
VariableRange variable_range(const void* address);

/// Returns the size of the variable that begins here; 0 if none does.
std::size_t variable_bytes(const void* begin);

/// Returns the place in the variable that ends nearest before the address; unknown if none does.
facts::Memory variable_before(const void* address);

/// Returns the whole variable that holds the address; unknown if none does.
facts::Memory variable_of(const void* address);

/// Returns the position of the address in the global variable that holds it.
LayoutPlace place_in_variable(const void* address);

/// Returns the place in the variable that holds the address; unknown if none does. `width`: of the access.
facts::Memory variable_at(const void* address, std::size_t width = 1);

/// Returns "void reduce<256>(float const*, int, float*)" for "_Z6reduceILi256EEvPKfiPf"; returns other text unchanged.
std::string demangle(const std::string& symbol);

}  // namespace kit::cpu
