// Returns words for lines, threads, memory and numbers.
#include <cmath>
#include <cstdio>
#include <words/names.hpp>

namespace kit::words {

using facts::Memory;
using facts::Who;

double number_in(const facts::Finding& finding, const std::string& name) {
    const facts::Value* const value = finding.value(name);
    return value ? value->number : 0;
}

std::string text_in(const facts::Finding& finding, const std::string& name) {
    const facts::Value* const value = finding.value(name);
    return value ? value->text : "";
}

std::string number_of(double number) {
    char text[64];
    std::snprintf(text, sizeof text, number == std::floor(number) ? "%.0f" : "%.2g", number);
    return text;
}

std::string count_of(double count, const std::string& unit) {
    // A negative number that was converted to std::size_t.
    if (count >= std::ldexp(1.0, 63)) return "a negative number of " + unit;
    return number_of(count) + " " + (count == 1 ? unit.substr(0, unit.size() - 1) : unit);
}

std::string mask_of(std::uint32_t lanes) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", lanes);
    return text;
}

std::string address_of(double address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    return text;
}

std::string text_of(const facts::Index& index) {
    return "(" + std::to_string(index.at[0]) + "," + std::to_string(index.at[1]) + "," +
           std::to_string(index.at[2]) + ")";
}

std::string without_folder(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

std::string text_of(const facts::Line& line) {
    if (!line.line) return "an unknown line";
    const std::string place = "line " + std::to_string(line.line) + " of " + without_folder(line.file);
    return line.text.empty() ? place : place + ": `" + line.text.substr(0, 80) + "`";
}

std::string text_of(const facts::Where& where) {
    return text_of(static_cast<const facts::Line&>(where)) +
           (where.caller.line ? ", called from " + text_of(where.caller) : "");
}

std::string text_of(const Who& who) {
    const std::string block = who.block.known ? "block " + text_of(who.block) : "one of the blocks";
    switch (who.kind) {
        case Who::Kind::nobody:
            return who.block.known || who.in_grid ? block : "";
        case Who::Kind::thread:
            return (who.thread.known ? "thread " + text_of(who.thread) : std::string("a thread")) +
                   (who.block.known || who.in_grid ? " of " + block : "") +
                   (who.name.empty() ? "" : " of `" + who.name + "`");
        case Who::Kind::other_thread:
            return "another thread";
        case Who::Kind::host:
            return "host code";
        case Who::Kind::host_function:
            return "a host function";
        case Who::Kind::call:
            return who.name;
        case Who::Kind::allocating_node:
            return "the node that allocates it";
        case Who::Kind::freeing_node:
            return "the node that frees it";
    }
    return "";
}

namespace {

std::string allocation_of(const Memory& memory) {
    const std::string bytes = "the " + count_of(static_cast<double>(memory.bytes), "bytes");
    if (memory.symbol) return bytes + " of a __device__ or __constant__ variable";
    const std::string line = memory.made_at.line ? " (" + without_folder(memory.made_at.file) + ":" +
                                                       std::to_string(memory.made_at.line) + ")"
                                                 : "";
    if (memory.kind == Memory::Kind::host_block) return bytes + " allocated by " + memory.made_by + line;
    return bytes + (memory.registered ? " registered by " : " allocated by ") + memory.made_by +
           (memory.device_heap ? " in a kernel" : "") + " #" + std::to_string(memory.number) + line;
}

/// Returns the name of a whole piece of memory, and its size if the name does not contain the size.
std::string piece_of(const Memory& memory, bool with_size) {
    const std::string name = "`" + memory.name + "`",
                      bytes = count_of(static_cast<double>(memory.bytes), "bytes");
    switch (memory.kind) {
        case Memory::Kind::unknown:
            return "far from every allocation";
        case Memory::Kind::shared:
            return name + (with_size ? " (shared, " + bytes + ")" : " (shared)");
        case Memory::Kind::buffer:
        case Memory::Kind::variable:
            return name + (with_size ? " (" + bytes + ")" : "");
        case Memory::Kind::allocation:
        case Memory::Kind::host_block:
            return allocation_of(memory);
        case Memory::Kind::stack_frame:
            return "the stack frame" + (memory.name.empty() ? "" : " of " + name) +
                   ", which holds the local variable";
        case Memory::Kind::no_shared:
            return "shared memory, of which this launch has none, because its third argument is 0";
        case Memory::Kind::before_shared:
            return "shared memory, before its first variable";
        case Memory::Kind::local_of_launcher:
            return "a local variable of the thread that launches it";
        case Memory::Kind::some_global:
            return "global memory";
        case Memory::Kind::some_shared:
            return "shared memory";
        case Memory::Kind::nearest:
            return with_size ? "the nearest allocation (" + bytes + ")" : "the nearest allocation";
        case Memory::Kind::shared_of_launcher:
            return "shared memory of the block that launches it";
    }
    return "";
}

std::string byte_of(std::uint64_t byte, const std::string& piece) {
    return "byte " + std::to_string(byte) + " of " + piece;
}

/// Returns an element, such as "`in[3]`", or "element [3] of `gradient of rank 0`" if the name has several words.
std::string element_of(const Memory& memory) {
    const std::size_t length = memory.name.size();
    if (memory.name.find(' ') == std::string::npos || memory.element.compare(0, length, memory.name) != 0)
        return "`" + memory.element + "`";
    return "element " + memory.element.substr(length) + " of `" + memory.name + "`";
}

std::string inside(const Memory& memory) {
    const std::string piece = piece_of(memory, false);
    if (memory.element.empty()) return byte_of(memory.byte, piece);
    if (memory.name.empty()) return "element " + memory.element + " of " + piece;
    const std::string element =
        element_of(memory) + (memory.kind == Memory::Kind::shared       ? " (shared)"
                              : memory.kind == Memory::Kind::allocation ? " of " + piece
                                                                        : "");
    return memory.byte ? byte_of(memory.byte, element) : element;
}

std::string outside(const Memory& memory) {
    std::string element = memory.element.empty() ? "" : element_of(memory);
    if (!element.empty() && memory.byte) element = byte_of(memory.byte, element);
    if (!element.empty()) element += ", ";
    const std::string distance = count_of(static_cast<double>(memory.distance), "bytes");
    if (memory.position == Memory::Position::before)
        return element + distance + " before the start of " + piece_of(memory, false);
    return element + (memory.distance ? distance : std::string("right")) + " after the end of " +
           piece_of(memory, true);
}

}  // namespace

std::string text_of(const Memory& memory) {
    std::string text = memory.freed                                  ? "inside " + piece_of(memory, false)
                       : memory.position == Memory::Position::whole  ? piece_of(memory, true)
                       : memory.position == Memory::Position::inside ? inside(memory)
                                                                     : outside(memory);
    if (memory.freed) text += ", which have been freed";
    if (memory.dormant) text += ", whose allocation node has not run, or which have been freed";
    if (memory.block.known) text += " of block " + text_of(memory.block);
    return text;
}

std::string text_of(const facts::Queued& work) {
    const std::string by = work.caller ? ", which line " + std::to_string(work.caller) + " calls," : "",
                      at = work.line ? " at line " + std::to_string(work.line) + by : "",
                      stream = work.stream < 0   ? "a graph"
                               : work.stream > 0 ? "stream " + std::to_string(work.stream)
                                                 : "the default stream";
    if (work.is_kernel) return "`" + work.what + "`, launched" + at + " into " + stream;
    return (work.what.empty() ? "a host function" : work.what) + ", queued" + at + " into " + stream;
}

}  // namespace kit::words
