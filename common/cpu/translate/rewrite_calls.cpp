// Removes the casts in cudaLaunchKernel((void*)kernel, ...), so that the call knows the types of the kernel's
// parameters. Replaces names that the executor does not support by names that make the compiler print an
// explanation.
#include "unit.hpp"

namespace kit::translate {
namespace {

/// Returns whether [begin, end) is `void*`, with or without const.
bool is_void_pointer(const Stream& stream, int begin, int end) {
    bool is_void = false;
    bool is_pointer = false;
    for (int i = begin; i < end; ++i) {
        is_void |= stream.is(i, "void");
        is_pointer |= stream.is(i, "*");
        if (!stream.is(i, "void") && !stream.is(i, "*") && !stream.is(i, "const")) return false;
    }
    return is_void && is_pointer;
}

void remove(Unit& unit, const Stream& stream, int begin, int end) {
    for (int i = begin; i < end; ++i) unit.remove(stream[i]);
}

/// Removes the casts of an argument. Casts can be nested, as in (void*)(const void*)kernel.
void drop_casts(Unit& unit, const Stream& stream, int argument) {
    for (int i = argument; i < stream.size();) {
        if (stream.is(i, "(") && stream[i].match > i && is_void_pointer(stream, i + 1, stream[i].match)) {
            remove(unit, stream, i, stream[i].match + 1);
            i = stream[i].match + 1;
        } else if (stream.is(i, "reinterpret_cast") || stream.is(i, "static_cast") ||
                   stream.is(i, "const_cast")) {
            const int close = close_angle(stream, i + 1);
            if (close < 0 || !is_void_pointer(stream, i + 2, close)) return;
            remove(unit, stream, i, close + 1);
            i = close + 2;
        } else if (stream.is(i, "(")) {
            ++i;
        } else {
            return;
        }
    }
}

}  // namespace

void rewrite_launch_calls(Unit& unit) {
    for (const Stream& stream : unit.streams) {
        for (int i = 0; i + 1 < stream.size(); ++i) {
            const bool first =
                stream.is(i, "cudaLaunchKernel") || stream.is(i, "cudaLaunchCooperativeKernel");
            const bool second = stream.is(i, "cudaLaunchKernelExC");
            if ((!first && !second) || !stream.is(i + 1, "(") || stream[i + 1].match < 0) continue;
            int argument = i + 2;
            if (second) {
                while (argument < stream[i + 1].match && !stream.is(argument, ","))
                    argument = after(stream, argument);
                ++argument;
            }
            drop_casts(unit, stream, argument);
        }
    }
}

}  // namespace kit::translate
