// Translates single instructions of PTX to expressions of C++.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kit::translate {

/// An operand of an instruction, as C++.
struct PtxOperand {
    std::string text;
    char letter = 'i';     ///< type of the register, as in asm: r, l, h, f, d; p: predicate, i: number
    bool address = false;  ///< whether the operand is in brackets
    std::string offset;    ///< number of bytes that are added to the address
    std::vector<PtxOperand> list;  ///< the elements of a vector, in braces; the p of a|p
};

/// Returns the C++ for a special register such as `%laneid`; null if it is unknown.
const char* special_register(std::string_view name);

/// Returns the type of C++ for "u32" and so on, and the letter of an operand of this type; null if it is not known.
const char* ptx_type(std::string_view name, char& letter);

/// Returns the instruction as an expression; empty if it is not known.
std::string ptx_expression(const std::string& opcode, const std::vector<PtxOperand>& operands);

}  // namespace kit::translate
