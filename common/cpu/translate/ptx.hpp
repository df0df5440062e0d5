// Translates single PTX instructions to C++ expressions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kit::translate {

/// An operand of a PTX instruction, as C++.
struct PtxOperand {
    std::string text;
    char letter = 'i';     ///< type of the register as in asm operands: r, l, h, f, d; p for a predicate, i
                           ///< for a number
    bool address = false;  ///< whether the operand is in brackets, so that it is an address
    std::string offset;    ///< number of bytes that are added to the address
    std::vector<PtxOperand> list;  ///< elements of a vector operand in braces
};

/// Returns the C++ expression for a special register such as `%laneid`; null if the register is unknown.
const char* special_register(std::string_view name);

/// Returns the C++ type for a PTX type such as "u32", and the letter of its operands; null if the type is
/// unknown.
const char* ptx_type(std::string_view name, char& letter);

/// Returns an instruction as a C++ expression; empty if the instruction is unknown.
std::string ptx_expression(const std::string& opcode, const std::vector<PtxOperand>& operands);

}  // namespace kit::translate
