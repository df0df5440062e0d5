// The instructions of PTX that are one expression, and its special registers.
#pragma once

#include <cstddef>
#include <string>

namespace kit::translate {

/// $1, $2, $3 are the operands after the result, $u2 is one as an unsigned number, $T is the type. Without a result where `has_result` is
/// false.
struct PtxMeaning {
    const char* text;
    bool has_result = true;
};

/// The row whose name is the longest beginning of the opcode; `used` is set to its length. Null if there is none.
const PtxMeaning* ptx_meaning(const std::string& opcode, std::size_t& used);

}  // namespace kit::translate
