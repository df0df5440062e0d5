// Which source line an instruction came from, and which line called it.
#pragma once

#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// Returns the place of a call, from the result of __builtin_return_address in it: the address after the call instruction.
inline Place place_of_call(const void* return_address) {
    Place place;
    place.instruction = static_cast<const char*>(return_address) - 1;
    place.line = Place::of_instruction;
    return place;
}

/// Returns the line of an instruction, from the debug information by way of binutils' addr2line; unknown without it, and where the
/// instruction is in the executor or in a library, unless it was inlined into the course's or the student's code.
Place source_line(const void* instruction);

/// Finds the lines of all these at once, which takes about as long as to find one; source_line() knows them afterwards.
void look_up_lines(std::vector<const void*> instructions);

/// Tells whether source_line() knows the line already.
bool is_known(const void* instruction);

/// Returns the line that called the function in which this instruction of a kernel is: in a helper or a header the question is who called
/// it. Nothing for an instruction of the kernel itself. Inlined functions are always known, but a call is known only while it runs, for the
/// access that `runs_now`. For a line in a header, the caller in a .cu file if there is one.
Place line_of_caller(const void* instruction, const std::string& kernel, bool runs_now);

/// Returns the same for a line of the running thread, which is in the executor now and has come from there.
Place caller_now(Place place, const std::string& kernel);

/// Returns the calls of the host that led here.
HostCalls host_calls();

/// Of these calls, the line of the same file that called the function which has this place; unknown if that is another file.
Place caller_in(const HostCalls& calls, Place place);

/// Returns the place with its line. Where the call was made by a library (the deleter of a smart pointer) and is still going on, the line
/// that called the library.
Place look_up(Place place);

}  // namespace kit::cpu
