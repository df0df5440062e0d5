// Inline PTX in device code: simple instructions and special registers become C++, all else is refused by its name.
//
//   asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));      becomes
//   (void)((lane) = static_cast<unsigned>(::kit::cpu::lane_id()));
//
// What is refused becomes a static_assert, so that only code that is compiled is refused.
#include <cctype>
#include <map>

#include "unit.hpp"

namespace kit::translate {
namespace {

const std::map<std::string_view, const char*> registers = {
    {"%laneid", "::kit::cpu::lane_id()"},
    {"%warpid", "::kit::cpu::warp_id()"},
    {"%smid", "::kit::cpu::multiprocessor()"},
    {"%nsmid", "::kit::cpu::multiprocessors()"},
    {"%clock", "clock64()"},
    {"%clock64", "clock64()"},
    {"%globaltimer", "::kit::cpu::nanoseconds()"},
    {"%lanemask_eq", "(1u << ::kit::cpu::lane_id())"},
    {"%lanemask_lt", "((1u << ::kit::cpu::lane_id()) - 1)"},
    {"%lanemask_le", "((2u << ::kit::cpu::lane_id()) - 1)"},
    {"%lanemask_gt", "~((2u << ::kit::cpu::lane_id()) - 1)"},
    {"%lanemask_ge", "~((1u << ::kit::cpu::lane_id()) - 1)"},
    {"%tid.x", "threadIdx.x"},
    {"%tid.y", "threadIdx.y"},
    {"%tid.z", "threadIdx.z"},
    {"%ctaid.x", "blockIdx.x"},
    {"%ctaid.y", "blockIdx.y"},
    {"%ctaid.z", "blockIdx.z"},
    {"%ntid.x", "blockDim.x"},
    {"%ntid.y", "blockDim.y"},
    {"%ntid.z", "blockDim.z"},
    {"%nctaid.x", "gridDim.x"},
    {"%nctaid.y", "gridDim.y"},
    {"%nctaid.z", "gridDim.z"}};

const std::map<std::string_view, const char*> types = {{"u16", "unsigned short"},
                                                       {"s16", "short"},
                                                       {"b16", "unsigned short"},
                                                       {"u32", "unsigned"},
                                                       {"s32", "int"},
                                                       {"b32", "unsigned"},
                                                       {"u64", "unsigned long long"},
                                                       {"s64", "long long"},
                                                       {"b64", "unsigned long long"},
                                                       {"f32", "float"},
                                                       {"f64", "double"},
                                                       {"u8", "unsigned char"}};

/// $1, $2, $3 are the operands after the result, $T is the type. Without a result where `has_result` is false.
struct Meaning {
    const char* text;
    bool has_result = true;
};

/// Parts of an opcode that change nothing here: rounding as C++ rounds, and hints for caches.
const std::set<std::string_view> harmless = {"rn", "ftz", "global", "ca", "cg", "cs", "cv",
                                             "lu", "nc",  "wb",     "wt", "L1", "L2"};

/// By opcode; the longest beginning of the instruction's name counts.
const std::map<std::string, Meaning> meanings = {{"mov", {"$1"}},
                                                 {"add", {"$1 + $2"}},
                                                 {"sub", {"$1 - $2"}},
                                                 {"and", {"$1 & $2"}},
                                                 {"or", {"$1 | $2"}},
                                                 {"xor", {"$1 ^ $2"}},
                                                 {"not", {"~$1"}},
                                                 {"neg", {"-$1"}},
                                                 {"abs", {"$1 < 0 ? -$1 : $1"}},
                                                 {"min", {"$2 < $1 ? $2 : $1"}},
                                                 {"max", {"$1 < $2 ? $2 : $1"}},
                                                 {"shl", {"$2 < 8 * sizeof($T) ? $1 << $2 : 0"}},
                                                 {"shr.u32", {"$2 < 32 ? $1 >> $2 : 0"}},
                                                 {"shr.b32", {"$2 < 32 ? $1 >> $2 : 0"}},
                                                 {"shr.u64", {"$2 < 64 ? $1 >> $2 : 0"}},
                                                 {"shr.b64", {"$2 < 64 ? $1 >> $2 : 0"}},
                                                 {"shr.s32", {"$1 >> ($2 < 32 ? $2 : 31)"}},
                                                 {"mul.lo", {"$1 * $2"}},
                                                 {"mul.f32", {"$1 * $2"}},
                                                 {"mul.f64", {"$1 * $2"}},
                                                 {"mul.rn", {"$1 * $2"}},
                                                 {"mul.hi.u32", {"__umulhi($1, $2)"}},
                                                 {"mul.hi.s32", {"__mulhi($1, $2)"}},
                                                 {"mul.hi.u64", {"__umul64hi($1, $2)"}},
                                                 {"mad.lo", {"$1 * $2 + $3"}},
                                                 {"fma.rn", {"__builtin_fma($1, $2, $3)"}},
                                                 {"fma.rn.f32", {"__builtin_fmaf($1, $2, $3)"}},
                                                 {"popc.b32", {"__popc($1)"}},
                                                 {"popc.b64", {"__popcll($1)"}},
                                                 {"clz.b32", {"__clz($1)"}},
                                                 {"clz.b64", {"__clzll($1)"}},
                                                 {"brev.b32", {"__brev($1)"}},
                                                 {"brev.b64", {"__brevll($1)"}},
                                                 {"prmt.b32", {"__byte_perm($1, $2, $3)"}},
                                                 {"sqrt.approx.f32", {"__builtin_sqrtf($1)"}},
                                                 {"sqrt.rn.f32", {"__builtin_sqrtf($1)"}},
                                                 {"rsqrt.approx.f32", {"rsqrtf($1)"}},
                                                 {"rcp.approx.f32", {"1.0f / $1"}},
                                                 {"rcp.rn.f32", {"1.0f / $1"}},
                                                 {"ex2.approx.f32", {"__builtin_exp2f($1)"}},
                                                 {"lg2.approx.f32", {"__builtin_log2f($1)"}},
                                                 {"sin.approx.f32", {"__builtin_sinf($1)"}},
                                                 {"cos.approx.f32", {"__builtin_cosf($1)"}},
                                                 {"ld.global", {"*(const $T*)($1)"}},
                                                 {"ld.volatile", {"*(const volatile $T*)($1)"}},
                                                 {"st.global", {"*($T*)($0) = $1", false}},
                                                 {"st.volatile", {"*(volatile $T*)($0) = $1", false}},
                                                 {"bar.sync", {"__syncthreads()", false}},
                                                 {"bar.warp.sync", {"__syncwarp($0)", false}},
                                                 {"membar.cta", {"__threadfence_block()", false}},
                                                 {"membar.gl", {"__threadfence()", false}},
                                                 {"membar.sys", {"__threadfence_system()", false}},
                                                 {"nanosleep.u32", {"__nanosleep($0)", false}},
                                                 {"trap", {"__trap()", false}},
                                                 {"prefetch.global", {"0", false}}};

/// An asm statement: its text, and its operands in the order of their numbers.
struct Assembly {
    int close = -1;  ///< the parenthesis
    std::string text;
    std::vector<std::string> operands;
};

/// The string literals at [begin, end), joined, with the escapes that assembly needs.
std::string joined_text(const Stream& stream, int& at, int end) {
    std::string text;
    for (; at < end && stream[at].kind == Kind::string; ++at) {
        const std::string_view literal = stream.text(at);
        for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
            if (literal[i] == '\\' &&
                (literal[i + 1] == 'n' || literal[i + 1] == 't' || literal[i + 1] == 'r')) {
                text += ' ';
                ++i;
            } else {
                text += literal[i];
            }
        }
    }
    return text;
}

Assembly read_assembly(const Stream& stream, int index) {
    Assembly assembly;
    int open = index + 1;
    while (stream.is(open, "volatile") || stream.is(open, "__volatile__")) ++open;
    if (!stream.is(open, "(") || stream[open].match < open) return assembly;
    const int close = stream[open].match;
    int at = open + 1;
    assembly.text = joined_text(stream, at, close);
    if (at == open + 1) return assembly;  // its text is a macro's
    assembly.close = close;
    for (; at < close; at = after(stream, at)) {
        if (stream.is(at, "(") && stream[at].match > at)
            assembly.operands.push_back(text_of(stream, at, stream[at].match + 1));
    }
    return assembly;
}

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return "";
    return std::string(text.substr(begin, text.find_last_not_of(" \t") + 1 - begin));
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(trimmed(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return parts;
}

/// An operand as C++; empty when it is not known.
std::string operand_text(std::string operand, const Assembly& assembly) {
    if (operand.size() > 2 && operand.front() == '[' && operand.back() == ']')
        operand = trimmed(std::string_view(operand).substr(1, operand.size() - 2));
    if (operand.substr(0, 2) == "%%") {
        const auto found = registers.find(std::string_view(operand).substr(1));
        return found == registers.end() ? "" : found->second;
    }
    const std::size_t first = operand[0] == '%' || operand[0] == '-';
    for (std::size_t i = first; i < operand.size(); ++i)
        if (!std::isalnum(static_cast<unsigned char>(operand[i]))) return "";
    if (operand.size() <= first || !std::isdigit(static_cast<unsigned char>(operand[first]))) return "";
    if (operand[0] != '%') return operand.find_first_of("fFdD") == 1 ? "" : operand;  // 0f3F800000
    const std::size_t number = std::stoul(operand.substr(1, 4));
    return number < assembly.operands.size() ? assembly.operands[number] : "";
}

/// One instruction as a C++ expression; empty when it is not known.
std::string instruction_text(const std::string& instruction, const Assembly& assembly) {
    const std::size_t blank = std::min(instruction.find_first_of(" \t"), instruction.size());
    const std::string opcode = instruction.substr(0, blank);
    const Meaning* meaning = nullptr;
    std::size_t used = 0;
    for (const auto& [name, one] : meanings) {
        const bool fits = opcode.compare(0, name.size(), name) == 0;
        if (!fits || (opcode.size() > name.size() && opcode[name.size()] != '.') || name.size() < used)
            continue;
        meaning = &one;
        used = name.size();
    }
    if (!meaning) return "";
    for (const std::string& part : split(std::string_view(opcode).substr(used), '.'))
        if (!part.empty() && !types.count(part) && !harmless.count(part)) return "";
    const auto type = types.find(std::string_view(opcode).substr(opcode.rfind('.') + 1));
    std::vector<std::string> operands;
    if (blank < instruction.size()) {
        for (const std::string& part : split(std::string_view(instruction).substr(blank), ',')) {
            operands.push_back(part.empty() ? "" : operand_text(part, assembly));
            if (operands.back().empty()) return "";
        }
    }
    if (opcode.compare(0, 8, "bar.sync") == 0 && (operands.size() != 1 || operands[0] != "0")) return "";
    std::string text;
    const std::string_view pattern = meaning->text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '$') {
            text += pattern[i];
            continue;
        }
        const bool names_type = pattern[++i] == 'T';
        if (names_type ? type == types.end() : std::size_t(pattern[i] - '0') >= operands.size()) return "";
        if (names_type) {
            text += type->second;
        } else if (type == types.end() || (text.size() > 2 && text.substr(text.size() - 3) == "*)(")) {
            text += operands[pattern[i] - '0'];
        } else {
            text += std::string("static_cast<") + type->second + ">(" + operands[pattern[i] - '0'] + ")";
        }
    }
    if (!meaning->has_result) return text;
    if (operands.empty() || type == types.end()) return "";
    return operands[0] + " = static_cast<" + type->second + ">(" + text + ")";
}

/// All instructions as one expression. `unknown` is set to the one that is not known.
std::string expression_text(const Assembly& assembly, std::string& unknown) {
    std::string text;
    for (const std::string& instruction : split(assembly.text, ';')) {
        if (instruction.empty()) continue;
        const std::string one = instruction_text(instruction, assembly);
        if (one.empty()) unknown = instruction;
        if (!text.empty()) text += ", ";
        text += one;
    }
    return "(void)(" + (text.empty() ? "0" : text) +
           ")";  // an empty text only stops the compiler from moving code
}

void rewrite_statement(Unit& unit, const Stream& stream, int index) {
    const Assembly assembly = read_assembly(stream, index);
    if (assembly.close < 0) return;
    std::string unknown;
    std::string text = expression_text(assembly, unknown);
    if (!unknown.empty())
        text = "static_assert(false, " +
               in_quotes("the CPU executor does not know the PTX instruction '" + unknown +
                         "': write it in CUDA C++, or run this on a GPU") +
               ")";
    for (int i = index; i <= assembly.close; ++i) unit.remove(stream[i]);
    unit.edits.insert(stream[index].offset, text);
}

bool is_assembly(const Stream& stream, int index) {
    return stream.is_identifier(index) &&
           (stream.is(index, "asm") || stream.is(index, "__asm__") || stream.is(index, "__asm"));
}

}  // namespace

void rewrite_assembly(Unit& unit) {
    for (const Body& body : function_bodies(unit))
        for (int i = body.open; body.device && i < body.close; ++i)
            if (is_assembly(unit.streams[0], i)) rewrite_statement(unit, unit.streams[0], i);
    for (const Stream& stream : unit.streams)
        for (int i = 0; stream.macro && i < stream.size(); ++i)
            if (is_assembly(stream, i)) rewrite_statement(unit, stream, i);
}

}  // namespace kit::translate
