// Translates single PTX instructions to C++ expressions.
#pragma once

#include <cstddef>
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

/// A type of PTX: its type in C++, the letter of its asm operands, and its type in conversions and vectors.
struct PtxType {
    const char* name;
    char letter;
    const char* conversion = "";
    const char* vector = "";
};
/// Returns the operand as a value of this type. A register contains only bits, whose type the instruction
/// determines.
std::string value_of(const PtxOperand& operand, const PtxType& type);
/// Returns an assignment of the value to a register.
std::string assignment(const PtxOperand& to, const PtxType& type, const std::string& value);
/// Returns an operand that is an address in shared memory, as a pointer to this type.
std::string shared_pointer(const PtxOperand& operand, const std::string& type);

/// Returns the C++ expression for a special register such as `%laneid`; null if the register is unknown.
const char* special_register(std::string_view name);

/// Returns the C++ type for a PTX type such as "u32", and the letter of its operands; null if the type is
/// unknown.
const char* ptx_type(std::string_view name, char& letter);

/// Returns an instruction as a C++ expression; empty if the instruction is unknown.
std::string ptx_expression(const std::string& opcode, const std::vector<PtxOperand>& operands);

/// Translate instructions of tensor cores, such as mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}, and
/// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r}, [row]. The opcode is split at its periods.
std::string ptx_tensor_product(std::vector<std::string> parts, const std::vector<PtxOperand>& operands);
std::string ptx_matrix_rows(const std::vector<std::string>& parts, const std::vector<PtxOperand>& operands);

// PTX instructions that correspond to one C++ expression, and special registers.

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
