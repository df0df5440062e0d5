// Translates PTX instructions to C++. Arithmetic instructions are in a table (ptx_table.cpp), and those of tensor cores in ptx_tensor.cpp.
// Other instructions with many forms (memory, atomics, conversions, barriers) are translated here.
#include "ptx.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace kit::translate {
namespace {

const std::map<std::string_view, PtxType> types = {{"pred", {"bool", 'p'}},
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

const PtxType* type_named(std::string_view name) {
    const auto found = types.find(name);
    return found == types.end() ? nullptr : &found->second;
}

std::string cast(const std::string& type, const std::string& value) {
    return "static_cast<" + type + ">(" + value + ")";
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
    const PtxType* type = type_named(parts_of(opcode).back());
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
    const PtxType* type = nullptr;
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
        } else if (const PtxType* type = type_named(part)) {
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
    const std::string bytes = "(" + operands[2].text + ")";
    return "::kit::cpu::ptx::copy_async(" + shared_pointer(operands[0], "void") + ", " +
           pointer_of(operands[1], Memory{}, "const void") + ", " + bytes +
           (operands.size() == 4 ? ", " + bytes + " - (" + operands[3].text + ")" : "") + ")";
}

std::string conversion(const std::vector<std::string>& parts, const std::vector<PtxOperand>& operands) {
    static const std::map<std::string_view, const char*> roundings = {
        {"rn", "rn"},  {"rz", "rz"},  {"rm", "rd"},  {"rp", "ru"},
        {"rni", "rn"}, {"rzi", "rz"}, {"rmi", "rd"}, {"rpi", "ru"}};
    if (parts.size() < 3 || operands.size() != 2) return "";
    const PtxType* to = type_named(parts[parts.size() - 2]);
    const PtxType* from = type_named(parts.back());
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
    const PtxType* type = type_named(parts.back());
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
    const PtxType* from = type_named(parts[2]);
    const PtxType* to = type_named(parts[2] == "u32"   ? "u64"
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
    const PtxType* type = type_named(parts.back());
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
    const PtxType &half = types.at(wide ? "b32" : "b16"), &whole = types.at(wide ? "b64" : "b32");
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

}  // namespace

std::string value_of(const PtxOperand& operand, const PtxType& type) {
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

std::string assignment(const PtxOperand& to, const PtxType& type, const std::string& value) {
    std::string converted = cast(type.name, value);
    if (to.letter == 'f' && type.letter == 'r')
        converted = "__uint_as_float(" + cast("unsigned", value) + ")";
    if (to.letter == 'd' && type.letter == 'l')
        converted = "__longlong_as_double(" + cast("long long", value) + ")";
    if (to.letter == 'r' && type.letter == 'f') converted = "__float_as_uint(" + value + ")";
    if (to.letter == 'l' && type.letter == 'd') converted = "__double_as_longlong(" + value + ")";
    return to.text + " = " + converted;
}

const char* ptx_type(std::string_view name, char& letter) {
    const PtxType* type = type_named(name);
    if (!type) return nullptr;
    letter = type->letter;
    return type->name;
}

std::string shared_pointer(const PtxOperand& operand, const std::string& type) {
    Memory shared;
    shared.shared = true;
    return pointer_of(operand, shared, type);
}

std::string ptx_expression(const std::string& opcode, const std::vector<PtxOperand>& operands) {
    const std::vector<std::string> parts = parts_of(opcode);
    const std::string& base = parts[0];
    const bool wide = parts.size() > 1 && parts[1] == "wide";
    if (base == "ld" || base == "st") return load_or_store(parts, operands);
    if (base == "atom" || base == "red") return atomic(parts, operands);
    const bool copies = base == "cp" && parts.size() > 2 && (parts[2] == "ca" || parts[2] == "cg");
    if (copies && parts[1] == "async") return async_copy(parts, operands);
    if (base == "mma") return ptx_tensor_product(parts, operands);
    if (base == "ldmatrix" || base == "stmatrix") return ptx_matrix_rows(parts, operands);
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
