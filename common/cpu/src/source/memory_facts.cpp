// Names an allocation in reports by the variable that the allocating line assigns, or otherwise by the call.
#include "memory_facts.hpp"

#include <cstring>

#include "findings.hpp"
#include "source_lines.hpp"

namespace kit::cpu {
namespace {

/// Returns whether the line is in a header of the course, which reports do not show.
bool is_of_the_course(Place place) {
    return place.line && std::strstr(look_up(place).file, "/common/");
}

/// Returns the variable in a call: `d_in` for "cudaMalloc(&d_in, bytes)"; empty if the line has a different
/// form.
std::string variable_in_call(const std::string& line, const std::string& function) {
    const std::size_t call = line.find(function);
    if (call == std::string::npos || line.find(function, call + 1) != std::string::npos) return {};
    const std::size_t comma = line.find(',', call);
    std::size_t begin = line.rfind('&', comma);
    if (comma == std::string::npos || begin == std::string::npos || begin < call) return {};
    const std::string allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.->[]:";
    const std::size_t end = line.find_first_not_of(allowed, ++begin);
    const std::string closing = line.substr(end, comma - end);
    return closing.find_first_not_of(" )") == std::string::npos ? line.substr(begin, end - begin) : "";
}

}  // namespace

facts::Memory memory_of_kind(facts::Memory::Kind kind) {
    facts::Memory memory;
    memory.kind = kind;
    return memory;
}

facts::Memory memory_of(const AllocationFacts& allocation) {
    facts::Memory memory = memory_of_kind(facts::Memory::Kind::allocation);
    Place place = look_up(allocation.place);
    if (!place.line) place = first_line(allocation.calls);  // a library has allocated the memory
    const bool of_course = is_of_the_course(place);
    memory.bytes = allocation.bytes;
    memory.made_by = allocation.made_by;
    memory.number = allocation.number;
    if (place.line && !of_course) memory.made_at = line_of(place);
    if (!allocation.device_heap && !of_course)
        memory.name = variable_in_call(memory.made_at.text, allocation.made_by);
    memory.registered = allocation.registered;
    memory.symbol = allocation.symbol;
    memory.device_heap = allocation.device_heap;
    return memory;
}

facts::Memory place_in(const AllocationFacts& allocation, std::ptrdiff_t offset, std::size_t width) {
    return place_in(memory_of(allocation), {allocation.element, true}, offset, width);
}

facts::Memory named_buffer(const std::string& name, std::size_t bytes) {
    facts::Memory memory = memory_of_kind(facts::Memory::Kind::buffer);
    memory.name = name;
    memory.bytes = bytes;
    return memory;
}

facts::Memory shared_piece(const std::string& name, std::size_t bytes) {
    facts::Memory memory = memory_of_kind(facts::Memory::Kind::shared);
    memory.name = name;
    memory.bytes = bytes;
    return memory;
}

facts::Memory host_block(std::size_t bytes, const char* made_by, Place place) {
    facts::Memory memory = memory_of_kind(facts::Memory::Kind::host_block);
    memory.bytes = bytes;
    memory.made_by = made_by;
    if (place.line && !is_of_the_course(place)) memory.made_at = line_of(place);
    return memory;
}

facts::Memory stack_frame(const std::string& function) {
    facts::Memory memory = memory_of_kind(facts::Memory::Kind::stack_frame);
    memory.name = function;
    return memory;
}

}  // namespace kit::cpu
