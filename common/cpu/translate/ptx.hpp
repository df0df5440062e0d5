// Single instructions of PTX as expressions of C++.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kit::translate {

/// An operand of an instruction, as C++.
struct PtxOperand {
    std::string text;
    char letter = 'i';     ///< what the register holds, as in asm: r, l, h, f, d; p a predicate; i a number
    bool address = false;  ///< in brackets,
    std::string offset;    ///< with this many bytes added
    std::vector<PtxOperand> list;  ///< the elements of a vector, in braces
};

/// `%laneid` and its like in C++; null if it is not known.
const char* special_register(std::string_view name);

/// The type of C++ for "u32" and so on, and the letter of an operand of this type; null if it is not known.
const char* ptx_type(std::string_view name, char& letter);

/// The instruction as an expression; empty if it is not known.
std::string ptx_expression(const std::string& opcode, const std::vector<PtxOperand>& operands);

}  // namespace kit::translate
