// Finds the source line of an instruction, and the line that called the function with that line.
#pragma once

#include <kit_cpu/thread.hpp>
#include <string>
#include <vector>

namespace kit::cpu {

/// Returns the place of a call. `return_address` is the result of __builtin_return_address in the called
/// function.
inline Place place_of_call(const void* return_address) {
    Place place;
    place.instruction = static_cast<const char*>(return_address) - 1;
    place.line = Place::of_instruction;
    return place;
}

/// Returns the source line of an instruction from the debug information, which addr2line of binutils reads.
/// The place is unknown if either is missing, and for instructions of the executor or a library that are not
/// inlined into the course's or the student's code.
Place source_line(const void* instruction);

/// Finds the lines of all these instructions with one run of addr2line. Later calls of source_line() find
/// these lines in a cache.
void look_up_lines(std::vector<const void*> instructions);

/// Returns whether the line of the instruction is in the cache.
bool is_known(const void* instruction);

/// Returns the line that called the function with this instruction of a kernel: in a report about a helper
/// function, the caller matters. Returns an unknown place for an instruction of the kernel itself. Calls of
/// inlined functions are always known, other calls only while they run (`runs_now`). For a line in a header,
/// returns a caller in a .cu file if there is one.
Place line_of_caller(const void* instruction, const std::string& kernel, bool runs_now);

/// Returns the same as line_of_caller(), for a line of the running thread, which has called the executor.
Place caller_now(Place place, const std::string& kernel);

/// Returns the calls by host code that are on the stack.
HostCalls host_calls();

/// Returns the line, among these calls, that is in the same file as `place` and called the function with that
/// place; otherwise unknown.
Place caller_in(const HostCalls& calls, Place place);

/// Returns the first line of the program among these calls, for work that a library has queued; unknown if there is none.
Place first_line(const HostCalls& calls);

/// Returns the place with its line. If a library made the call (for example, the deleter of a smart pointer) and it is still in progress,
/// returns the line that called the library.
Place look_up(Place place);

}  // namespace kit::cpu
