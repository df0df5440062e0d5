// The PTX instructions that are one C++ expression, and the special registers.
#pragma once

#include <cstddef>
#include <string>

namespace kit::translate {

/// In the pattern, $1, $2 and $3 are the operands after the result, $u2 is an operand as an unsigned number, and $T is the type. An
/// instruction without a result has `has_result` false.
struct PtxMeaning {
    const char* text;
    bool has_result = true;
};

/// Returns the row with the longest name that the opcode begins with, and sets `used` to its length; null if there is none.
const PtxMeaning* ptx_meaning(const std::string& opcode, std::size_t& used);

}  // namespace kit::translate
