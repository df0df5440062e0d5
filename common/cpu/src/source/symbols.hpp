// Symbols of the program: finds the function that begins at an address, and the variable that contains an
// address.
#pragma once

#include <cstdint>
#include <string>

#include "elements.hpp"

namespace kit::cpu {

/// The addresses of the program's own image. Code and constants are below `variables`, and variables are
/// above. The executor's library is a different image.
struct ProgramImage {
    char* begin = nullptr;
    char* variables = nullptr;
    char* end = nullptr;
    std::uintptr_t moved = 0;  ///< distance between the actual addresses and those that the linker assigned

    bool holds(const void* address) const { return address >= begin && address < end; }
};
const ProgramImage& program_image();

/// Returns the mangled name of the function that begins at this address; empty if it is unknown.
std::string symbol_at(const void* function);

/// The global variable of the program that contains an address; both pointers are null if there is none.
struct VariableRange {
    const char* begin = nullptr;
    const char* end = nullptr;
};
VariableRange variable_range(const void* address);

/// Returns the size in bytes of the variable that begins at this address; 0 if there is none.
std::size_t variable_bytes(const void* begin);

/// Returns the position of the address relative to the nearest variable that ends before it; unknown if there
/// is none.
facts::Memory variable_before(const void* address);

/// Returns the whole variable that contains the address; unknown if there is none.
facts::Memory variable_of(const void* address);

/// Returns the position of the address in the global variable that contains it.
LayoutPlace place_in_variable(const void* address);

/// Returns the position of the address in the variable that contains it; unknown if there is none. `width`:
/// bytes of the access.
facts::Memory variable_at(const void* address, std::size_t width = 1);

/// Returns the demangled name, as "void reduce<256>(float const*, int, float*)" for
/// "_Z6reduceILi256EEvPKfiPf". Other text stays unchanged.
std::string demangle(const std::string& symbol);

}  // namespace kit::cpu
