// Translates inline PTX in device code: simple instructions and special registers become C++ (ptx.cpp). Other
// instructions are refused with their names. For example, the translator replaces
//
//   asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));      by
//   (void)((lane) = static_cast<unsigned>(::kit::cpu::lane_id()));
//
// Registers that the assembly text declares become variables. An unsupported instruction becomes a
// static_assert, so it is an error only if the compiler compiles it.
#include <algorithm>
#include <cctype>
#include <map>

#include "ptx.hpp"
#include "unit.hpp"

namespace kit::translate {
namespace {

/// An asm statement: its text, and its operands in the order of their numbers (%0, %1, ...).
struct Assembly {
    int close = -1;  ///< the closing parenthesis of the statement
    std::string text;
    std::vector<PtxOperand> operands;
    std::map<std::string, char> registers;  ///< registers that the text declares, with the letters of their
                                            ///< types
};

/// Returns the string literals from token `at` to `end`, joined and with escapes resolved, and moves `at` to
/// the token after them.
std::string joined_text(const Stream& stream, int& at, int end) {
    std::string text;
    for (; at < end; ++at) {
        if (stream.macro && stream.is(at, "#") &&
            at + 1 < end) {  // a hint for caches, such as "ld." #hint ".u32"
            ++at;
            continue;
        }
        if (stream[at].kind != Kind::string) break;
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

/// Returns the letter of an operand's constraint, such as r for "=r".
char letter_of(const Stream& stream, int constraint) {
    for (const char c : stream.text(constraint))
        if (std::isalpha(static_cast<unsigned char>(c))) return c;
    return 'i';
}

Assembly read_assembly(const Stream& stream, int index) {
    Assembly assembly;
    int open = index + 1;
    while (stream.is(open, "volatile") || stream.is(open, "__volatile__")) ++open;
    if (!stream.is(open, "(") || stream[open].match < open) return assembly;
    const int close = stream[open].match;
    int at = open + 1;
    assembly.text = joined_text(stream, at, close);
    if (at == open + 1) return assembly;  // the text comes from a macro and is unknown
    assembly.close = close;
    for (; at < close; at = after(stream, at)) {
        if (stream.is(at, "(") && stream[at].match > at)
            assembly.operands.push_back(
                {text_of(stream, at, stream[at].match + 1), letter_of(stream, at - 1), false, "", {}});
    }
    return assembly;
}

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return "";
    return std::string(text.substr(begin, text.find_last_not_of(" \t") + 1 - begin));
}

/// Splits a text at the separators that are not in brackets.
std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : separator;
        depth += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
        if (c != separator || (depth > 0 && i < text.size())) continue;
        parts.push_back(trimmed(text.substr(begin, i - begin)));
        begin = i + 1;
    }
    return parts;
}

bool is_number(std::string_view text) {
    const std::size_t first = !text.empty() && text[0] == '-';
    if (text.size() <= first || !std::isdigit(static_cast<unsigned char>(text[first]))) return false;
    for (std::size_t i = first; i < text.size(); ++i)
        if (!std::isalnum(static_cast<unsigned char>(text[i]))) return false;
    return true;
}

/// Returns an operand as C++. The text of the result is empty if the operand is unknown.
PtxOperand read_operand(std::string text, const Assembly& assembly) {
    PtxOperand operand;
    if (text.size() > 2 && text.front() == '{' && text.back() == '}') {
        for (const std::string& part : split(std::string_view(text).substr(1, text.size() - 2), ',')) {
            operand.list.push_back(read_operand(part, assembly));
            if (operand.list.back().text.empty()) return {};
        }
        operand.text = text;
        return operand;
    }
    if (const std::size_t bar = text.find('|'); bar != std::string::npos) {  // a result and a predicate
        operand = read_operand(trimmed(std::string_view(text).substr(0, bar)), assembly);
        operand.list.push_back(read_operand(trimmed(std::string_view(text).substr(bar + 1)), assembly));
        return operand.list[0].text.empty() ? PtxOperand{} : operand;
    }
    if (text.size() > 2 && text.front() == '[' && text.back() == ']') {
        text = trimmed(std::string_view(text).substr(1, text.size() - 2));
        const std::size_t plus = text.find('+');
        std::string offset;
        if (plus != std::string::npos) {
            offset = trimmed(std::string_view(text).substr(plus + 1));
            text = trimmed(std::string_view(text).substr(0, plus));
            if (!is_number(offset)) return {};
        }
        operand = read_operand(text, assembly);
        operand.address = true;
        operand.offset = offset;
        return operand;
    }
    if (text.substr(0, 2) == "%%") text.erase(0, 1);  // nvcc accepts %laneid as well as %%laneid
    if (const char* special = special_register(text)) return {special, 'i', false, "", {}};
    if (const auto own = assembly.registers.find(text); own != assembly.registers.end())
        return {"kit_register_" + text, own->second, false, "", {}};
    if (text.size() == 10 && (text.substr(0, 2) == "0f" || text.substr(0, 2) == "0F"))
        return {"0x" + text.substr(2) + "u", 'r', false, "", {}};
    if (text.size() == 18 && (text.substr(0, 2) == "0d" || text.substr(0, 2) == "0D"))
        return {"0x" + text.substr(2) + "ull", 'l', false, "", {}};
    if (is_number(text)) return {text, 'i', false, "", {}};
    if (text.size() < 2 || text[0] != '%' || !is_number(std::string_view(text).substr(1))) return {};
    const std::size_t number = std::stoul(text.substr(1, 4));
    return number < assembly.operands.size() ? assembly.operands[number] : PtxOperand{};
}

/// Translates a declaration of registers such as `.reg .u32 a, b`. Returns false for other instructions.
bool declare(const std::string& instruction, Assembly& assembly, std::string& declarations) {
    const std::size_t dot = instruction.find('.', 4);
    if (instruction.compare(0, 4, ".reg") != 0 || dot == std::string::npos) return false;
    const std::size_t blank = std::min(instruction.find_first_of(" \t", dot), instruction.size());
    char letter = 'i';
    const char* type = ptx_type(std::string_view(instruction).substr(dot + 1, blank - dot - 1), letter);
    if (!type) return false;
    for (const std::string& name : split(std::string_view(instruction).substr(blank), ',')) {
        const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
            return std::isalnum(c) || c == '_';
        });
        if (!plain) return false;
        assembly.registers[name] = letter;
        declarations += std::string(type) + " kit_register_" + name + "{}; ";
    }
    return true;
}

/// Returns one instruction as an expression; empty if the instruction is unknown.
std::string instruction_text(std::string instruction, const Assembly& assembly) {
    std::string condition;
    if (instruction[0] == '@') {
        const std::size_t blank = instruction.find_first_of(" \t");
        if (blank == std::string::npos) return "";
        const bool negated = instruction[1] == '!';
        condition = read_operand(instruction.substr(1 + negated, blank - 1 - negated), assembly).text;
        if (condition.empty()) return "";
        if (negated) condition = "!" + condition;
        instruction = trimmed(std::string_view(instruction).substr(blank));
    }
    const std::size_t blank = std::min(instruction.find_first_of(" \t"), instruction.size());
    std::vector<PtxOperand> operands;
    if (blank < instruction.size()) {
        for (const std::string& part : split(std::string_view(instruction).substr(blank), ',')) {
            operands.push_back(read_operand(part, assembly));
            if (operands.back().text.empty()) return "";
        }
    }
    const std::string text = ptx_expression(instruction.substr(0, blank), operands);
    if (condition.empty() || text.empty()) return text;
    return condition + " ? (void)(" + text + ") : (void)0";
}

/// Returns all instructions as one expression, and sets `unknown` to the first instruction that is unknown.
std::string expression_text(Assembly& assembly, std::string& unknown) {
    std::string_view all = assembly.text;
    const std::string whole = trimmed(all);
    if (whole.size() > 1 && whole.front() == '{' && whole.back() == '}')
        all = std::string_view(whole).substr(1, whole.size() - 2);
    std::string text;
    std::string declarations;
    for (const std::string& instruction : split(all, ';')) {
        if (instruction.empty() || declare(instruction, assembly, declarations)) continue;
        const std::string one = instruction_text(instruction, assembly);
        if (one.empty() && unknown.empty()) unknown = instruction;
        if (!text.empty()) text += ", ";
        text += "(void)(" + one + ")";
    }
    if (text.empty()) text = "(void)(0)";  // an empty text only stops the compiler from moving code
    return declarations.empty() ? text : "[&] { " + declarations + text + "; }()";
}

/// Returns whether the statement is an `exit` instruction. In the kernel itself, `exit` becomes a return
/// statement.
bool is_exit(const Assembly& assembly) {
    const std::string text = trimmed(assembly.text);
    return text == "exit;" || text == "ret;" || text == "exit";
}

void rewrite_statement(Unit& unit, const Stream& stream, int index, bool in_kernel) {
    Assembly assembly = read_assembly(stream, index);
    if (assembly.close < 0) return;
    std::string unknown;
    std::string text = expression_text(assembly, unknown);
    if (in_kernel && is_exit(assembly)) {
        text = "return";
    } else if (!unknown.empty() && unit.library) {
        text = "__trap()";  // the kernel ends only if it executes the unknown instruction
    } else if (!unknown.empty()) {
        text = "static_assert(false, " +
               in_quotes("the CPU executor does not know the PTX instruction '" + unknown +
                         "': write it in CUDA C++, or run this on a GPU") +
               ")";
    }
    unit.program.calls_ptx |= text.find("::kit::cpu::ptx::") != std::string::npos;
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
        for (int i = body.open; (body.device || unit.library) && i < body.close; ++i)
            if (is_assembly(unit.streams[0], i)) rewrite_statement(unit, unit.streams[0], i, body.kernel);
    for (const Stream& stream : unit.streams)
        for (int i = 0; stream.macro && i < stream.size(); ++i)
            if (is_assembly(stream, i)) rewrite_statement(unit, stream, i, false);
}

}  // namespace kit::translate
