// printf in kernels, which calls the C library's function. Before the call, two things are reported that a
// GPU does not support: a string in host memory, and a precision that is an argument ("%.*f").
#include <printf.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "caller.hpp"
#include "cluster.hpp"
#include "family.hpp"
#include "grid.hpp"
#include "memory/host_blocks.hpp"
#include "memory/memory.hpp"
#include "source/source_lines.hpp"

namespace kit::cpu {
namespace {

/// Returns the arguments of a call of printf that belong to %s.
std::vector<const char*> strings_of(const char* format, va_list arguments) {
    std::vector<int> types(parse_printf_format(format, 0, nullptr));
    parse_printf_format(format, types.size(), types.data());
    std::vector<const char*> strings;
    for (const int type : types) {
        const bool is_wide = (type & (PA_FLAG_LONG | PA_FLAG_LONG_LONG)) != 0;
        if (type & PA_FLAG_PTR) {
            va_arg(arguments, void*);
            continue;
        }
        switch (type & ~PA_FLAG_MASK) {
            case PA_STRING:
                strings.push_back(va_arg(arguments, const char*));
                break;
            case PA_POINTER:
            case PA_WSTRING:
                va_arg(arguments, void*);
                break;
            case PA_FLOAT:
            case PA_DOUBLE:
                if (type & PA_FLAG_LONG_DOUBLE)
                    va_arg(arguments, long double);
                else
                    va_arg(arguments, double);
                break;
            default:
                if (is_wide)
                    va_arg(arguments, long long);
                else
                    va_arg(arguments, int);
        }
    }
    return strings;
}

/// Returns whether this pointer is an argument of the kernel, or is part of an argument that is a structure.
bool has_word(const Argument& argument, const char* pointer) {
    const auto* const begin = static_cast<const char*>(argument.address);
    for (std::size_t at = 0; at + sizeof pointer <= argument.bytes; at += alignof(const char*))
        if (!std::memcmp(begin + at, &pointer, sizeof pointer)) return true;
    return false;
}

/// Returns whether the string is in host memory. A constant of the program may belong to device code, unless
/// the host has passed its address.
bool is_of_host(const char* string, Block& block) {
    if (!string || in_device_range(string) || find_allocation(string)) return false;
    const Cluster* const cluster = block.cluster_or_null();
    if (block.shared().holds(string) || (cluster && cluster->holder(string))) return false;
    bool was_passed = false;
    for (const Argument& argument : block.grid().launch.body->arguments) {
        const auto* const begin = static_cast<const char*>(argument.address);
        // The string is an array in a structure that was passed by value.
        if (string >= begin && string < begin + argument.bytes) return false;
        was_passed = was_passed || has_word(argument, string);
    }
    if (find_host_block(string).begin) return true;
    return was_passed && family_now() && !family_now()->running().parent;
}

/// Returns whether the format takes a precision from an argument, as in "%.*f". A GPU supports that only for
/// widths (guide, "Formatted Output").
bool takes_precision(const char* format) {
    while ((format = std::strchr(format, '%')) != nullptr) {
        ++format;
        format += std::strspn(format, "#0- +'*123456789");
        if (format[0] == '.' && format[1] == '*') return true;
        if (*format == '%') ++format;
    }
    return false;
}

int print(const char* format, va_list arguments, const void* returns_to) {
    const Caller block("printf");
    this_worker->call = returns_to;
    va_list again;
    va_copy(again, arguments);
    const std::vector<const char*> strings = strings_of(format, again);
    va_end(again);
    const auto refuse = [&](facts::Rule rule) {
        const Place place = source_line(static_cast<const char*>(returns_to) - 1);
        stop_kernel(cudaErrorIllegalAddress, finding(rule, running_spot(place), place).by(running_thread()));
    };
    if (observed() && takes_precision(format)) refuse(facts::Rule::printed_precision);
    for (const char* string : strings)
        if (observed() && is_of_host(string, *block)) refuse(facts::Rule::host_string);
    return std::vprintf(format, arguments);
}

}  // namespace
}  // namespace kit::cpu

/// printf in programs that are linked with the executor.
extern "C" int printf(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const bool checked = kit::cpu::in_kernel() && !kit::cpu::this_worker->in_executor;
    const int printed = checked ? kit::cpu::print(format, arguments, __builtin_return_address(0))
                                : std::vprintf(format, arguments);
    va_end(arguments);
    return printed;
}
