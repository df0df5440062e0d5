// Translates the PTX instructions of tensor cores to C++: mma.sync, ldmatrix and stmatrix.
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "ptx.hpp"

namespace kit::translate {
namespace {

/// The types of matrices in mma.sync: their names for the executor, and the C++ types of their registers.
struct MatrixType {
    const char *name, *stored;
    unsigned bytes;
};
const std::map<std::string_view, MatrixType> matrix_types = {
    {"f16", {"f16", "unsigned", 2}}, {"bf16", {"bf16", "unsigned", 2}}, {"tf32", {"tf32", "unsigned", 4}},
    {"f32", {"f32", "float", 4}},    {"f64", {"f64", "double", 8}},     {"s8", {"s8", "unsigned", 1}},
    {"u8", {"u8", "unsigned", 1}},   {"s32", {"s32", "int", 4}}};

/// Reads a shape such as m16n8k16.
bool read_shape(const std::string& part, unsigned (&sizes)[3]) {
    char rest = 0;
    return std::sscanf(part.c_str(), "m%un%uk%u%c", &sizes[0], &sizes[1], &sizes[2], &rest) == 3;
}

/// Returns whether the executor has mma.sync for this shape, these factors and these sums.
bool has_product(const unsigned (&shape)[3], const std::string& a, const std::string& b, const std::string& c,
                 const std::string& d) {
    const auto is = [&](unsigned m, std::set<unsigned> ks) {
        return shape[0] == m && shape[1] == 8 && ks.count(shape[2]);
    };
    if ((a == "s8" || a == "u8") && (b == "s8" || b == "u8") && c == "s32" && d == "s32")
        return is(16, {16, 32}) || is(8, {16});
    if (a != b) return false;
    if (a == "f16") return (c == "f16" || c == "f32") && (d == "f16" || d == "f32") && is(16, {8, 16});
    if (a == "f64") return c == "f64" && d == "f64" && (is(8, {4}) || is(16, {4, 8, 16}));
    if (c != "f32" || d != "f32") return false;
    return (a == "bf16" && is(16, {8, 16})) || (a == "tf32" && is(16, {4, 8}));
}

}  // namespace

std::string ptx_tensor_product(std::vector<std::string> parts, const std::vector<PtxOperand>& operands) {
    unsigned shape[3] = {};
    if (parts.size() < 8 || parts[1] != "sync" || parts[2] != "aligned" || !read_shape(parts[3], shape))
        return "";
    if (parts[4] != "row" || parts[5] != "col") return "";
    const bool saturates = parts[6] == "satfinite";
    if (saturates) parts.erase(parts.begin() + 6);
    if (parts.size() != 10 || operands.size() != 4 ||
        !has_product(shape, parts[7], parts[8], parts[9], parts[6]) || (saturates && parts[6] != "s32"))
        return "";
    static constexpr const char* letters[] = {"d", "a", "b", "c"};
    const unsigned sizes[] = {shape[0] * shape[1], shape[0] * shape[2], shape[2] * shape[1],
                              shape[0] * shape[1]};
    std::string arrays, types, arguments, results;
    for (std::size_t i = 0; i < 4; ++i) {
        const MatrixType& type = matrix_types.at(parts[6 + i]);
        const std::size_t registers = std::max(sizes[i] * type.bytes / 32 / std::max(type.bytes, 4u), 1u);
        // A single register needs no braces.
        const std::vector<PtxOperand> list =
            operands[i].list.empty() ? std::vector<PtxOperand>{operands[i]} : operands[i].list;
        if (list.size() != registers || operands[i].address) return "";
        const PtxType stored = {type.stored, *type.stored == 'f' ? 'f' : *type.stored == 'd' ? 'd' : 'r'};
        const std::string name = std::string("kit_") + letters[i];
        std::string values;
        for (std::size_t j = 0; j < registers; ++j) {
            const std::string value = i ? value_of(list[j], stored) : "";
            if (i && value.empty()) return "";
            values += (j ? ", " : "") + value;
            if (!i) results += assignment(list[j], stored, name + "[" + std::to_string(j) + "]") + "; ";
        }
        arrays += std::string(type.stored) + " " + name + "[" + std::to_string(registers) + "]" +
                  (i ? " = {" + values + "}; " : " = {}; ");
        types += std::string(", ::kit::cpu::TensorType::") + type.name;
        arguments += ", " + name;
    }
    const std::string product = "::kit::cpu::ptx::mma({" + std::to_string(shape[0]) + ", " +
                                std::to_string(shape[1]) + ", " + std::to_string(shape[2]) + "}" + types +
                                (saturates ? ", true" : ", false") + arguments + "); ";
    return "[&] { " + arrays + product + results + "}()";
}

std::string ptx_matrix_rows(const std::vector<std::string>& parts, const std::vector<PtxOperand>& operands) {
    const bool load = parts[0] == "ldmatrix";
    if (parts.size() < 7 || parts[1] != "sync" || parts[2] != "aligned" || parts[3] != "m8n8" ||
        operands.size() != 2)
        return "";
    const std::size_t count = parts[4] == "x1" ? 1 : parts[4] == "x2" ? 2 : parts[4] == "x4" ? 4 : 0;
    const bool transposed = parts[5] == "trans";
    const std::size_t space = transposed ? 6 : 5;
    if (!count || parts.size() != space + 2 || parts[space + 1] != "b16" ||
        (parts[space] != "shared" && parts[space] != "shared::cta"))
        return "";
    const PtxOperand& address = operands[load ? 1 : 0];
    const PtxOperand& numbers = operands[load ? 0 : 1];
    const std::vector<PtxOperand> list =
        numbers.list.empty() ? std::vector<PtxOperand>{numbers} : numbers.list;
    if (!address.address || numbers.address || list.size() != count) return "";
    const std::string row =
        shared_pointer(address, load ? "const void" : "void") + (transposed ? ", true" : ", false");
    const PtxType type = {"unsigned", 'r'};
    std::string values, results;
    for (std::size_t i = 0; i < count; ++i) {
        values += (i ? ", " : "") + value_of(list[i], type);
        results += assignment(list[i], type, "kit_numbers[" + std::to_string(i) + "]") + "; ";
    }
    const std::string array =
        "[&] { unsigned kit_numbers[" + std::to_string(count) + "] = {" + (load ? "" : values) + "}; ";
    return load ? array + "::kit::cpu::ptx::load_rows(kit_numbers, " + row + "); " + results + "}()"
                : array + "::kit::cpu::ptx::store_rows(kit_numbers, " + row + "); }()";
}

}  // namespace kit::translate
