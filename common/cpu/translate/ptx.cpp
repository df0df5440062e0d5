// Translates PTX instructions to C++. Arithmetic instructions are in a table (ptx_table.cpp). Instructions
// with many forms (memory, atomics, conversions, barriers) are translated here.
#include "ptx.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <set>

namespace kit::translate {
namespace {

/// A type of PTX: its type in C++, the letter of its asm operands, and its type in conversions and vectors.
struct Type {
    const char* name;
    char letter;
    const char* conversion = "";
    const char* vector = "";
};
const std::map<std::string_view, Type> types = {{"pred", {"bool", 'p'}},
                                                {"u8", {"unsigned char", 'h', "", "uchar"}},
                                                {"s8", {"signed char", 'h', "", "char"}},
                                                {"b8", {"unsigned char", 'h', "", "uchar"}},
                                                {"u16", {"unsigned short", 'h', "", "ushort"}},
                                                {"s16", {"short", 'h', "", "short"}},
                                                {"b16", {"unsigned short", 'h', "", "ushort"}},
                                                {"u32", {"unsigned", 'r', "uint", "uint"}},
                                                {"s32", {"int", 'r', "int", "int"}},
                                                {"b32", {"unsigned", 'r', "", "uint"}},
                                                {"u64", {"unsigned long long", 'l', "ull", "ulonglong"}},
                                                {"s64", {"long long", 'l', "ll", "longlong"}},
                                                {"b64", {"unsigned long long", 'l', "", "ulonglong"}},
                                                {"f32", {"float", 'f', "float", "float"}},
                                                {"f64", {"double", 'd', "double", "double"}}};

/// Returns whether a part of an opcode has no effect here, such as a hint for caches, or the rounding that
/// C++ also uses.
bool is_harmless(std::string_view part) {
    if (part.empty()) return true;  // a hint in a macro
    static const std::set<std::string_view> all = {"rn", "ftz", "global", "ca", "cg", "cs", "cv",
                                                   "lu", "nc",  "wb",     "wt", "L1", "L2", "weak"};
    return all.count(part) || part.substr(0, 4) == "L1::" || part.substr(0, 4) == "L2::";
}

/// Returns the parts of an opcode such as "ld.global.nc.v4.f32", which periods separate.
std::vector<std::string> parts_of(std::string_view opcode) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= opcode.size();) {
        const std::size_t end = std::min(opcode.find('.', begin), opcode.size());
        parts.emplace_back(opcode.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

const Type* type_named(std::string_view name) {
    const auto found = types.find(name);
    return found == types.end() ? nullptr : &found->second;
}

std::string cast(const std::string& type, const std::string& value) {
    return "static_cast<" + type + ">(" + value + ")";
}

/// Returns the operand as a value of this type. A register contains only bits, whose type the instruction
/// determines.
std::string value_of(const PtxOperand& operand, const Type& type) {
    const bool real = type.letter == 'f' || type.letter == 'd';
    if (operand.letter == 'f' && type.letter == 'r')
        return cast(type.name, "__float_as_uint(" + operand.text + ")");
    if (operand.letter == 'd' && type.letter == 'l')
        return cast(type.name, "__double_as_longlong(" + operand.text + ")");
    if (operand.letter == 'r' && type.letter == 'f')
        return "__uint_as_float(" + cast("unsigned", operand.text) + ")";
    if (operand.letter == 'l' && type.letter == 'd')
        return "__longlong_as_double(" + cast("long long", operand.text) + ")";
    if (operand.letter == 'i' && real) return "";  // an integer constant cannot be a floating-point operand
    return cast(type.name, operand.text);
}

std::string assignment(const PtxOperand& to, const Type& type, const std::string& value) {
    std::string converted = cast(type.name, value);
    if (to.letter == 'f' && type.letter == 'r')
        converted = "__uint_as_float(" + cast("unsigned", value) + ")";
    if (to.letter == 'd' && type.letter == 'l')
        converted = "__longlong_as_double(" + cast("long long", value) + ")";
    if (to.letter == 'r' && type.letter == 'f') converted = "__float_as_uint(" + value + ")";
    if (to.letter == 'l' && type.letter == 'd') converted = "__double_as_longlong(" + value + ")";
    return to.text + " = " + converted;
}

/// Returns the C++ expression for an instruction that is in the table; empty if it is not.
std::string from_table(std::string opcode, const std::vector<PtxOperand>& operands) {
    const std::size_t flush = opcode.find(".ftz");  // in the middle, as in ex2.approx.ftz.f32
    if (flush != std::string::npos) opcode.erase(flush, 4);
    std::size_t used = 0;
    const PtxMeaning* const meaning = ptx_meaning(opcode, used);
    if (!meaning) return "";
    for (const std::string& part : parts_of(std::string_view(opcode).substr(used)))
        if (!part.empty() && !types.count(part) && !is_harmless(part)) return "";
    const Type* type = type_named(parts_of(opcode).back());
    std::string text;
    const std::string_view pattern = meaning->text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '$') {
            text += pattern[i];
            continue;
        }
        if (pattern[++i] == 'T') {
            if (!type) return "";
            text += type->name;
            continue;
        }
        const bool count = pattern[i] == 'u';  // the pattern requests an unsigned number, whatever the type
        const std::size_t number = static_cast<std::size_t>(pattern[i += count] - '0');
        if (number >= operands.size() || operands[number].address || !operands[number].list.empty())
            return "";
        const std::string value = count || !type ? operands[number].text : value_of(operands[number], *type);
        if (value.empty()) return "";
        text += count ? cast("unsigned", value) : value;
    }
    if (!meaning->has_result) return text;
    if (operands.empty() || !type) return "";
    return assignment(operands[0], *type, text);
}

/// The parts of the opcode of a load, a store or an atomic.
struct Memory {
    std::string order, scope, operation;
    bool shared = false;
    int count = 1;  ///< number of elements of a vector
    const Type* type = nullptr;
};

bool read_memory(const std::vector<std::string>& parts, Memory& memory) {
    static const std::set<std::string_view> orders = {"volatile", "relaxed", "acquire", "release", "acq_rel"};
    static const std::set<std::string_view> scopes = {"cta", "cluster", "gpu", "sys"};
    static const std::set<std::string_view> operations = {"add", "min", "max", "and",  "or",
                                                          "xor", "inc", "dec", "exch", "cas"};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string& part = parts[i];
        if (orders.count(part)) {
            memory.order = part;
        } else if (scopes.count(part)) {
            memory.scope = part;
        } else if (operations.count(part)) {
            memory.operation = part;
        } else if (part == "shared" || part == "shared::cta") {
            memory.shared = true;
        } else if (part == "v2" || part == "v4") {
            memory.count = part[1] - '0';
        } else if (const Type* type = type_named(part)) {
            memory.type = type;
        } else if (!is_harmless(part)) {
            return false;
        }
    }
    return memory.type != nullptr;
}

std::string pointer_of(const PtxOperand& operand, const Memory& memory, const std::string& type) {
    const std::string address =
        memory.shared ? "__cvta_shared_to_generic((size_t)(" + operand.text + "))" : operand.text;
    const std::string base =
        operand.offset.empty() ? address : "((char*)(" + address + ") + (" + operand.offset + "))";
    return "(" + type + "*)(" + base + ")";
}

/// Returns the number of a scope as in ScopeHint: 0 for the block, 1 for the device, 2 for the system.
int scope_number(const std::string& scope) {
    return scope == "sys" ? 2 : scope == "cta" ? 0 : 1;
}

std::string load_or_store(const std::vector<std::string>& parts, const std::vector<PtxOperand>& operands) {
    Memory memory;
    const bool load = parts[0] == "ld";
    if (!read_memory(parts, memory) || !memory.operation.empty() || operands.size() != 2) return "";
    const PtxOperand& address = operands[load ? 1 : 0];
    const PtxOperand& value = operands[load ? 0 : 1];
    if (!address.address ||
        value.list.size() != (memory.count == 1 ? 0u : static_cast<std::size_t>(memory.count)))
        return "";
    const std::string type = memory.type->name;
    if (memory.count > 1) {
        if (!memory.order.empty() || !*memory.type->vector) return "";
        const std::string vector = memory.type->vector + std::to_string(memory.count);
        static constexpr const char* members[] = {"x", "y", "z", "w"};
        std::string text;
        for (int i = 0; i < memory.count; ++i) {
            const PtxOperand& each = value.list[static_cast<std::size_t>(i)];
            if (load)
                text += assignment(each, *memory.type, std::string("kit_vector.") + members[i]) + "; ";
            else
                text += (i ? ", " : "") + value_of(each, *memory.type);
        }
        if (load)
            return "[&](const " + vector + " kit_vector) { " + text + "}(*" +
                   pointer_of(address, memory, "const " + vector) + ")";
        return "*" + pointer_of(address, memory, vector) + " = " + vector + "{" + text + "}";
    }
    if (memory.order == "relaxed" || memory.order == "acquire" || memory.order == "release") {
        const std::string how = "__ATOMIC_" +
                                std::string(memory.order == "relaxed"   ? "RELAXED"
                                            : memory.order == "acquire" ? "ACQUIRE"
                                                                        : "RELEASE") +
                                ", " + std::to_string(scope_number(memory.scope)) + ")";
        const std::string at = pointer_of(address, memory, type) + ", ";
        if (load) return assignment(value, *memory.type, "::kit::cpu::ptx::load(" + at + how);
        return "::kit::cpu::ptx::store(" + at + value_of(value, *memory.type) + ", " + how;
    }
    const std::string qualifier = memory.order == "volatile" ? "volatile " : "";
    if (load)
        return assignment(value, *memory.type,
                          "*" + pointer_of(address, memory, "const " + qualifier + type));
    return "*" + pointer_of(address, memory, qualifier + type) + " = " + value_of(value, *memory.type);
}

/// Translates an atomic operation: atom returns the old value, red does not.
std::string atomic(const std::vector<std::string>& parts, const std::vector<PtxOperand>& operands) {
    static const std::map<std::string_view, const char*> functions = {
        {"add", "atomicAdd"},   {"min", "atomicMin"}, {"max", "atomicMax"}, {"and", "atomicAnd"},
        {"or", "atomicOr"},     {"xor", "atomicXor"}, {"inc", "atomicInc"}, {"dec", "atomicDec"},
        {"exch", "atomicExch"}, {"cas", "atomicCAS"}};
    Memory memory;
    const std::size_t first = parts[0] == "atom";
    if (!read_memory(parts, memory) || memory.operation.empty() || memory.count != 1) return "";
    const std::size_t values = memory.operation == "cas" ? 2 : 1;
    if (operands.size() != first + 1 + values || !operands[first].address || memory.order == "volatile")
        return "";
    static constexpr const char* suffixes[] = {"_block", "", "_system"};
    static constexpr const char* fences[] = {"__threadfence_block()", "__threadfence()",
                                             "__threadfence_system()"};
    const int scope = scope_number(memory.scope);
    std::string text = functions.at(memory.operation) + std::string(suffixes[scope]) + "(" +
                       pointer_of(operands[first], memory, memory.type->name);
    for (std::size_t i = 0; i < values; ++i) text += ", " + value_of(operands[first + 1 + i], *memory.type);
    text += ")";
    if (first) text = assignment(operands[0], *memory.type, text);
    const bool acquire = memory.order == "acquire" || memory.order == "acq_rel";
    const bool release = memory.order == "release" || memory.order == "acq_rel";
    return (release ? std::string(fences[scope]) + ", " : "") + text +
           (acquire ? std::string(", ") + fences[scope] : "");
}

/// Translates cp.async.cg.shared.global [to], [from], bytes, bytes of the source. The bytes that the source
/// does not have become zeros.
std::string async_copy(const std::vector<std::string>& parts, const std::vector<PtxOperand>& operands) {
    for (std::size_t i = 2; i < parts.size(); ++i)
        if (parts[i] != "shared" && parts[i] != "shared::cta" && !is_harmless(parts[i])) return "";
    if (operands.size() < 3 || operands.size() > 4 || !operands[0].address || !operands[1].address) return "";
    Memory shared;
    shared.shared = true;
    const std::string bytes = "(" + operands[2].text + ")";
    return "::kit::cpu::ptx::copy_async(" + pointer_of(operands[0], shared, "void") + ", " +
           pointer_of(operands[1], Memory{}, "const void") + ", " + bytes +
           (operands.size() == 4 ? ", " + bytes + " - (" + operands[3].text + ")" : "") + ")";
}

std::string conversion(const std::vector<std::string>& parts, const std::vector<PtxOperand>& operands) {
    static const std::map<std::string_view, const char*> roundings = {
        {"rn", "rn"},  {"rz", "rz"},  {"rm", "rd"},  {"rp", "ru"},
        {"rni", "rn"}, {"rzi", "rz"}, {"rmi", "rd"}, {"rpi", "ru"}};
    if (parts.size() < 3 || operands.size() != 2) return "";
    const Type* to = type_named(parts[parts.size() - 2]);
    const Type* from = type_named(parts.back());
    if (!to || !from) return "";
    std::string rounding;
    for (std::size_t i = 1; i + 2 < parts.size(); ++i) {
        if (roundings.count(parts[i]))
            rounding = roundings.at(parts[i]);
        else if (parts[i] != "ftz")
            return "";
    }
    const std::string value = value_of(operands[1], *from);
    if (value.empty()) return "";
    const bool exact = rounding.empty() || (to->letter == 'd' && from->letter == 'r');
    if (exact) return assignment(operands[0], *to, value);
    if (!*to->conversion || !*from->conversion || to == from) return "";
    return assignment(
        operands[0], *to,
        std::string("__") + from->conversion + "2" + to->conversion + "_" + rounding + "(" + value + ")");
}

/// Translates cvta, which converts between generic addresses and addresses of one memory space.
std::string address_conversion(const std::vector<std::string>& parts,
                               const std::vector<PtxOperand>& operands) {
    const bool to = parts.size() > 1 && parts[1] == "to";
    if (parts.size() != (to ? 4u : 3u) || operands.size() != 2) return "";
    const std::string& space = parts[to ? 2 : 1];
    const Type* type = type_named(parts.back());
    if (!type || (space != "shared" && space != "global" && space != "const" && space != "local")) return "";
    std::string value = "(size_t)(" + operands[1].text + ")";
    if (space == "shared")
        value = to ? "__cvta_generic_to_shared((const void*)(" + operands[1].text + "))"
                   : "(size_t)__cvta_shared_to_generic(" + value + ")";
    return operands[0].text + " = (" + type->name + ")(" + value + ")";
}

std::string barrier(const std::vector<std::string>& parts, const std::vector<PtxOperand>& operands) {
    const std::string& step = parts.back();
    for (std::size_t i = 1; i + 1 < parts.size(); ++i)
        if (parts[i] != "cta") return "";
    if ((step != "sync" && step != "arrive") || operands.empty() || operands.size() > 2) return "";
    if (operands.size() == 1) return step == "sync" ? "__syncthreads()" : "";
    return "::kit::cpu::named_barrier(" + operands[0].text + ", " + operands[1].text + ", " +
           (step == "sync" ? "true" : "false") + ", KIT_CPU_HERE)";
}

std::string wide_product(const std::vector<std::string>& parts, const std::vector<PtxOperand>& operands) {
    const bool add = parts[0] == "mad";
    if (parts.size() != 3 || operands.size() != (add ? 4u : 3u)) return "";
    const Type* from = type_named(parts[2]);
    const Type* to = type_named(parts[2] == "u32"   ? "u64"
                                : parts[2] == "s32" ? "s64"
                                : parts[2] == "u16" ? "u32"
                                                    : "s32");
    if (!from) return "";
    std::string text = cast(to->name, value_of(operands[1], *from)) + " * " + value_of(operands[2], *from);
    if (add) text += " + " + value_of(operands[3], *to);
    return assignment(operands[0], *to, text);
}

/// Translates comparisons and selections, such as setp.lt.s32 p, a, b and selp.s32 d, a, b, p.
std::string comparison(const std::vector<std::string>& parts, const std::vector<PtxOperand>& operands) {
    static const std::map<std::string_view, const char*> operators = {
        {"eq", "=="}, {"ne", "!="}, {"lt", "<"},  {"le", "<="}, {"gt", ">"},
        {"ge", ">="}, {"lo", "<"},  {"ls", "<="}, {"hi", ">"},  {"hs", ">="}};
    const Type* type = type_named(parts.back());
    if (!type) return "";
    if (parts[0] == "selp") {
        if (parts.size() != 2 || operands.size() != 4) return "";
        return assignment(
            operands[0], *type,
            operands[3].text + " ? " + value_of(operands[1], *type) + " : " + value_of(operands[2], *type));
    }
    if (parts.size() != 3 || operands.size() != 3 || !operators.count(parts[1])) return "";
    return operands[0].text + " = " + value_of(operands[1], *type) + " " + operators.at(parts[1]) + " " +
           value_of(operands[2], *type);
}

/// Translates mov.b64 {a, b}, c and mov.b64 c, {a, b}, and the same for the halves of 32 bits.
std::string move_pair(bool wide, const std::vector<PtxOperand>& operands) {
    const Type &half = types.at(wide ? "b32" : "b16"), &whole = types.at(wide ? "b64" : "b32");
    const std::string bits = wide ? "32" : "16";
    const bool divides = operands[0].list.size() == 2;
    const std::vector<PtxOperand>& pair = operands[divides ? 0 : 1].list;
    if (divides)
        return "[&](unsigned long long kit_pair) { " + assignment(pair[0], half, "kit_pair") + "; " +
               assignment(pair[1], half, "kit_pair >> " + bits) + "; }(" + value_of(operands[1], whole) + ")";
    return assignment(operands[0], whole,
                      cast(whole.name, value_of(pair[0], half)) + " | " +
                          cast(whole.name, value_of(pair[1], half)) + " << " + bits);
}

/// Translates shfl.sync.down.b32 a|p, b, distance, clamp, mask: p says whether the source lane is in the segment.
std::string shuffle_with_predicate(const std::string& opcode, std::vector<PtxOperand> operands) {
    const std::vector<std::string> parts = parts_of(opcode);
    if (parts.size() != 4 || operands.size() != 5 || operands[0].list.size() != 1) return "";
    const std::string predicate = operands[0].list[0].text + " = ::kit::cpu::ptx::in_segment('" +
                                  parts[2][0] + "', " + operands[2].text + ", " + operands[3].text + ")";
    operands[0].list.clear();
    const std::string text = from_table(opcode, operands);
    // The register may be the source of the shuffle, so the predicate is first.
    return text.empty() ? "" : predicate + ", " + text;
}

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

/// Translates mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}.
std::string tensor_product(std::vector<std::string> parts, const std::vector<PtxOperand>& operands) {
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
        const Type stored = {type.stored, *type.stored == 'f' ? 'f' : *type.stored == 'd' ? 'd' : 'r'};
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

/// Translates ldmatrix and stmatrix of 8 x 8 numbers of 16 bits, such as ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r}, [row].
std::string matrix_rows(const std::vector<std::string>& parts, const std::vector<PtxOperand>& operands) {
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
    Memory shared;
    shared.shared = true;
    const std::string row =
        pointer_of(address, shared, load ? "const void" : "void") + (transposed ? ", true" : ", false");
    const Type& type = types.at("b32");
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

}  // namespace

const char* ptx_type(std::string_view name, char& letter) {
    const Type* type = type_named(name);
    if (!type) return nullptr;
    letter = type->letter;
    return type->name;
}

std::string ptx_expression(const std::string& opcode, const std::vector<PtxOperand>& operands) {
    const std::vector<std::string> parts = parts_of(opcode);
    const std::string& base = parts[0];
    const bool wide = parts.size() > 1 && parts[1] == "wide";
    if (base == "ld" || base == "st") return load_or_store(parts, operands);
    if (base == "atom" || base == "red") return atomic(parts, operands);
    const bool copies = base == "cp" && parts.size() > 2 && (parts[2] == "ca" || parts[2] == "cg");
    if (copies && parts[1] == "async") return async_copy(parts, operands);
    if (base == "mma") return tensor_product(parts, operands);
    if (base == "ldmatrix" || base == "stmatrix") return matrix_rows(parts, operands);
    if (opcode == "movmatrix.sync.aligned.m8n8.trans.b16" && operands.size() == 2)
        return assignment(operands[0], types.at("b32"),
                          "::kit::cpu::ptx::transpose(" + value_of(operands[1], types.at("b32")) + ")");
    if (opcode == "cvt.rna.tf32.f32" && operands.size() == 2)
        return assignment(
            operands[0], types.at("b32"),
            "__float_as_uint(::kit::cpu::rounded_to_tf32(" + value_of(operands[1], types.at("f32")) + "))");
    if (base == "cvt") return conversion(parts, operands);
    if (base == "cvta") return address_conversion(parts, operands);
    if (base == "setp" || base == "selp") return comparison(parts, operands);
    if ((base == "mul" || base == "mad") && wide) return wide_product(parts, operands);
    const bool wide_move = opcode == "mov.b64";
    if ((wide_move || opcode == "mov.b32") && operands.size() == 2 &&
        operands[0].list.size() + operands[1].list.size() == 2)
        return move_pair(wide_move, operands);
    if (base == "shfl" && !operands.empty() && !operands[0].list.empty())
        return shuffle_with_predicate(opcode, operands);
    if (base == "barrier" || (base == "bar" && parts.size() == 2)) return barrier(parts, operands);
    return from_table(opcode, operands);
}

}  // namespace kit::translate
