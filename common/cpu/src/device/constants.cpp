// Collected while the program starts: the translator writes a declaration behind each variable.
#include "constants.hpp"

#include <iterator>
#include <kit_cpu/launch.hpp>
#include <map>

namespace kit::cpu {
namespace {

/// End of each variable, by its begin.
std::map<const char*, const char*>& variables() {
    static auto& all = *new std::map<const char*, const char*>;
    return all;
}

}  // namespace

bool declare_constant(const void* variable, std::size_t bytes) {
    const char* const begin = static_cast<const char*>(variable);
    variables()[begin] = begin + bytes;
    return true;
}

bool is_constant(const void* address) {
    const char* const byte = static_cast<const char*>(address);
    const auto next = variables().upper_bound(byte);
    return next != variables().begin() && byte < std::prev(next)->second;
}

std::size_t constant_bytes() {
    std::size_t bytes = 0;
    for (const auto& [begin, end] : variables()) bytes += static_cast<std::size_t>(end - begin);
    return bytes;
}

}  // namespace kit::cpu
