// The executable's own symbols: which function starts at an address, which source line an instruction came
// from.
#pragma once

#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

#include "elements.hpp"

namespace kit::cpu {

/// Where the program's own image lies: code and constants up to `variables`, then its variables. The executor's library is
/// another image.
struct ProgramImage {
    char* begin = nullptr;
    char* variables = nullptr;
    char* end = nullptr;

    bool holds(const void* address) const { return address >= begin && address < end; }
};
const ProgramImage& program_image();

/// Mangled name of the function that starts at this address; empty when unknown.
std::string symbol_at(const void* function);

/// The global variable of the program that holds the address; both null if there is none.
struct VariableRange {
    const char* begin = nullptr;
    const char* end = nullptr;
};
VariableRange variable_range(const void* address);

/// The size of the variable that begins here; 0 if none does.
std::size_t variable_bytes(const void* begin);

/// "`table[9]`, 4 bytes after the end of `table` (32 bytes)", of the variable that ends nearest before the address; empty if
/// none.
std::string variable_before(const void* address);

/// "`table` (32 bytes)": the variable that holds the address.
std::string variable_in_words(const void* address);

/// Where the address lies in the global variable that holds it.
LayoutPlace place_in_variable(const void* address);

/// "`table[1]`" for an address in a global variable of the program; empty for others. `width`: of the access.
std::string variable_at(const void* address, std::size_t width = 1);

/// "void reduce<256>(float const*, int, float*)" from "_Z6reduceILi256EEvPKfiPf"; other text is returned as
/// it is.
std::string demangle(const std::string& symbol);

/// The place of a call, from what __builtin_return_address says in it: the address behind the call instruction.
inline Place place_of_call(const void* return_address) {
    Place place;
    place.instruction = static_cast<const char*>(return_address) - 1;
    place.line = Place::of_instruction;
    return place;
}

/// The line of an instruction, from the debug information by way of binutils' addr2line; unknown without it, and where
/// the instruction is in the executor or in a library, unless it was inlined into the course's or the student's code.
Place source_line(const void* instruction);

/// Finds out the lines of all these at once, which is faster by as many times; source_line() knows them then.
void look_up_lines(std::vector<const void*> instructions);

/// The line that called the function in which this instruction of a kernel is: in a helper or a header the question is who called
/// it. Nothing for an instruction of the kernel itself. What was inlined is known always, a call only while it goes on, of
/// the access that `runs_now`. Of a line in a header, the caller in a .cu file if there is one.
Place line_of_caller(const void* instruction, const std::string& kernel, bool runs_now);

/// The same for a line of the running thread, which is in the executor now and has come from there.
Place caller_now(Place place, const std::string& kernel);

/// The place with its line. Where the call was made by a library (the deleter of a smart pointer) and is still going on,
/// the line that called the library.
Place look_up(Place place);

}  // namespace kit::cpu
