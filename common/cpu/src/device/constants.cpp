// The list of `__constant__` variables, which is filled when the program starts: the translator writes a
// declaration after each variable. The device's values are stored separately, because in CUDA host code that
// assigns to such a variable changes only the host's copy.
#include "constants.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <kit_cpu/launch.hpp>
#include <map>
#include <vector>

#include "source/findings.hpp"
#include "source/symbols.hpp"

namespace kit::cpu {
namespace {

/// Returns the values on the device, by the first address of each variable.
std::map<char*, std::vector<char>>& variables() {
    static auto& all = *new std::map<char*, std::vector<char>>;
    return all;
}

/// Returns the entry of the variable that contains the address; end() if there is none.
std::map<char*, std::vector<char>>::iterator find(const void* address) {
    char* const byte = static_cast<char*>(const_cast<void*>(address));
    const auto next = variables().upper_bound(byte);
    if (next == variables().begin()) return variables().end();
    const auto variable = std::prev(next);
    return byte < variable->first + variable->second.size() ? variable : variables().end();
}

}  // namespace

bool declare_constant(const void* variable, std::size_t bytes) {
    char* const begin = static_cast<char*>(const_cast<void*>(variable));
    variables()[begin].assign(begin, begin + bytes);
    return true;
}

bool is_constant(const void* address) {
    return find(address) != variables().end();
}

std::size_t constant_bytes() {
    std::size_t bytes = 0;
    for (const auto& [begin, device] : variables()) bytes += device.size();
    return bytes;
}

void keep_constants(const void* address, std::size_t bytes) {
    const auto variable = find(address);
    if (variable == variables().end()) return;
    auto& [begin, device] = *variable;
    const std::size_t first = static_cast<std::size_t>(static_cast<const char*>(address) - begin);
    std::copy_n(begin + first, std::min(bytes, device.size() - first),
                device.begin() + static_cast<std::ptrdiff_t>(first));
}

void restore_constants(const std::string& kernel, Place launch) {
    for (const auto& [begin, device] : variables()) {
        if (std::memcmp(begin, device.data(), device.size()) == 0) continue;
        const auto [byte, same] = std::mismatch(begin, begin + device.size(), device.begin());
        add_finding(finding(facts::Rule::constant_of_host, launch)
                        .in(kernel)
                        .on(variable_of(begin))
                        .with("written", variable_at(byte).element));
        std::copy(device.begin(), device.end(), begin);
    }
}

}  // namespace kit::cpu
