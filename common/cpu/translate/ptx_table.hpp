// PTX instructions that correspond to one C++ expression, and special registers.
#pragma once

#include <cstddef>
#include <string>

namespace kit::translate {

/// The meaning of an instruction as a pattern. In it, $1, $2 and $3 are the operands after the result, $u2 is
/// an operand as an unsigned number, and $T is the type. `has_result` is false if the instruction has no
/// result.
struct PtxMeaning {
    const char* text;
    bool has_result = true;
};

/// Returns the longest entry with which the opcode begins, and sets `used` to its length; null if there is
/// none.
const PtxMeaning* ptx_meaning(const std::string& opcode, std::size_t& used);

}  // namespace kit::translate
