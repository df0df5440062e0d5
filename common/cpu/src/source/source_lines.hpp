// Finds the source line of an instruction, and the line that called it.
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

/// Returns the line of an instruction from the debug information, with binutils' addr2line. Returns an unknown place without that, and for
/// instructions in the executor or in a library, unless they were inlined into the course's or the student's code.
Place source_line(const void* instruction);

/// Finds the lines of all these instructions at the same time, which takes about as long as finding one. source_line() then knows them.
void look_up_lines(std::vector<const void*> instructions);

/// Returns whether source_line() already knows the line.
bool is_known(const void* instruction);

/// Returns the line that called the function with this instruction of a kernel, because in a helper or a header the caller matters. Returns
/// nothing for an instruction of the kernel itself. Inlined functions are always known, but a call is known only while it runs, for the
/// access that `runs_now`. For a line in a header, returns the caller in a .cu file if there is one.
Place line_of_caller(const void* instruction, const std::string& kernel, bool runs_now);

/// Returns the same for a line of the running thread, which called the executor and is in it now.
Place caller_now(Place place, const std::string& kernel);

/// Returns the calls of the host that led here.
HostCalls host_calls();

/// Returns the line among these calls that is in the same file and called the function with this place; unknown if that is in a different
/// file.
Place caller_in(const HostCalls& calls, Place place);

/// Returns the first line of the program among these calls, for work that a library has queued; unknown if there is none.
Place first_line(const HostCalls& calls);

/// Returns the place with its line. If a library made the call (for example, the deleter of a smart pointer) and it is still in progress,
/// returns the line that called the library.
Place look_up(Place place);

}  // namespace kit::cpu
