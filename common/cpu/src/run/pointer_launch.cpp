// Launches a kernel by its address. Both supported processors pass integers and pointers in one sequence of
// registers, floating-point numbers in a second sequence, and the rest on the stack in order. Therefore one
// function type fits every kernel.
#include "pointer_launch.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "device/error.hpp"
#include "device/kernel_facts.hpp"
#include "source/findings.hpp"

namespace kit::cpu {
namespace {

#if defined(__aarch64__)
constexpr std::size_t integer_registers = 8;
#else
constexpr std::size_t integer_registers = 6;
#endif
constexpr std::size_t float_registers = 8, stack_words = 8;

/// One parameter of a kernel in terms of the calling convention. `bytes` is 0 for a type that is not
/// supported.
struct Parameter {
    std::size_t bytes = 0;
    bool floating = false, is_signed = false;
};

Parameter parameter(std::string type) {
    if (!type.empty() && (type.back() == '*' || type.back() == '&')) return {8, false, false};
    struct Known {
        const char* name;
        Parameter parameter;
    };
    static const Known known[] = {
        {"bool", {1, false, false}},       {"char", {1, false, true}},
        {"signed char", {1, false, true}}, {"unsigned char", {1, false, false}},
        {"short", {2, false, true}},       {"unsigned short", {2, false, false}},
        {"int", {4, false, true}},         {"unsigned int", {4, false, false}},
        {"long", {8, false, true}},        {"unsigned long", {8, false, false}},
        {"long long", {8, false, true}},   {"unsigned long long", {8, false, false}},
        {"float", {4, true, false}},       {"double", {8, true, false}},
    };
    for (const Known& one : known)
        if (type == one.name) return one.parameter;
    return {};
}

/// Returns the parameter types in a demangled function name, which are the text in its last pair of outer
/// parentheses.
std::vector<std::string> parameter_types(const std::string& name) {
    std::vector<std::string> types;
    if (name.empty() || name.back() != ')') return types;
    std::size_t begin = name.size();
    for (int depth = 0; begin-- > 0;) {
        if (name[begin] == ')') ++depth;
        if (name[begin] == '(' && --depth == 0) break;
    }
    std::string type;
    int depth = 0;
    for (std::size_t i = begin + 1; i + 1 < name.size(); ++i) {
        const char c = name[i];
        if (c == '(' || c == '<') ++depth;
        if (c == ')' || c == '>') --depth;
        if (c == ',' && depth == 0) {
            types.push_back(type);
            type.clear();
            ++i;  // skips the space after the comma
        } else {
            type += c;
        }
    }
    if (!type.empty()) types.push_back(type);
    return types;
}

struct Registers {
    std::array<std::uint64_t, integer_registers> integers{};
    std::array<double, float_registers> floats{};
    std::array<std::uint64_t, stack_words> stack{};
};

template <std::size_t... I, std::size_t... F, std::size_t... S>
void call(const void* kernel, const Registers& r, std::index_sequence<I...>, std::index_sequence<F...>,
          std::index_sequence<S...>) {
    using Kernel = void (*)(std::decay_t<decltype(r.integers[I])>..., std::decay_t<decltype(r.floats[F])>...,
                            std::decay_t<decltype(r.stack[S])>...);
    reinterpret_cast<Kernel>(reinterpret_cast<std::uintptr_t>(kernel))(r.integers[I]..., r.floats[F]...,
                                                                       r.stack[S]...);
}

}  // namespace

namespace {

/// An argument as it is passed: in a register, or on the stack.
struct Word {
    std::uint64_t bits;
    std::size_t bytes;  ///< size of the argument's type
};

struct AddressCall final : KernelCall {
    AddressCall(const void* kernel, const Registers& registers, std::vector<Word> words)
        : kernel(kernel), registers(registers), words(std::move(words)) {
        for (Word& word : this->words) table.push_back({&word.bits, word.bytes, word.bytes, true, false});
        arguments = {table.data(), table.size()};
    }

    void run() const override {
        call(kernel, registers, std::make_index_sequence<integer_registers>(),
             std::make_index_sequence<float_registers>(), std::make_index_sequence<stack_words>());
    }

    std::shared_ptr<const KernelCall> with_arguments(void** others) const override {
        Launch launch;
        launch.function = kernel;
        return bind_by_address(launch, others) == cudaSuccess ? launch.body : nullptr;
    }

    const void* kernel;
    Registers registers;
    std::vector<Word> words;  ///< one word for each parameter
    std::vector<Argument> table;
};

}  // namespace

cudaError_t bind_by_address(Launch& launch, void** arguments) {
    const std::string name = launch.function ? kernel_facts(launch.function).name : "";
    if (name.empty()) return note_error(cudaErrorInvalidDeviceFunction);
    if (const BindByAddress binder = binder_of(launch.function)) {
        launch.body.reset(binder(arguments));
        return cudaSuccess;
    }
    Registers registers;
    std::vector<Word> words;
    std::size_t integers = 0, floats = 0, stacked = 0, index = 0;
    for (const std::string& type : parameter_types(name)) {
        const Parameter p = parameter(type);
        if (!p.bytes || stacked == stack_words) {
            add_finding(finding(facts::Rule::not_by_pointer, launch.place).in(name).with("parameter", type));
            return note_error(cudaErrorNotSupported);
        }
        std::uint64_t word = 0;
        std::memcpy(&word, arguments[index++], p.bytes);
        words.push_back({word, p.bytes});
        if (p.is_signed && p.bytes < 8 && (word >> (8 * p.bytes - 1)) & 1)
            word |= ~std::uint64_t(0) << 8 * p.bytes;
        if (p.floating && floats < float_registers)
            std::memcpy(&registers.floats[floats++], &word, 8);
        else if (!p.floating && integers < integer_registers)
            registers.integers[integers++] = word;
        else
            registers.stack[stacked++] = word;
    }
    launch.body = std::make_shared<AddressCall>(launch.function, registers, std::move(words));
    return cudaSuccess;
}

cudaError_t parameter_at(const void* kernel, std::size_t index, Place place, std::size_t* offset,
                         std::size_t* bytes) {
    const std::string name = kernel ? kernel_facts(kernel).name : "";
    if (name.empty()) return cudaErrorInvalidDeviceFunction;
    std::size_t end = 0;
    for (const std::string& type : parameter_types(name)) {
        const std::size_t size = parameter(type).bytes;
        if (!size) {
            add_finding(finding(facts::Rule::unknown_parameters, place).in(name).with("parameter", type));
            return cudaErrorNotSupported;
        }
        const std::size_t begin = (end + size - 1) / size * size;
        end = begin + size;
        if (index-- != 0) continue;
        if (offset) *offset = begin;
        if (bytes) *bytes = size;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

cudaError_t launch_by_address(Launch launch, void** arguments) {
    if (const cudaError_t error = bind_by_address(launch, arguments)) return error;
    return submit(std::move(launch));
}

}  // namespace kit::cpu
