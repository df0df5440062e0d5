// Names of memory, and of places in it.
#include "memory_words.hpp"

#include <cstring>

#include "finding.hpp"
#include "phrases.hpp"
#include "source_lines.hpp"

namespace kit::cpu {
namespace {

/// A line is news where it is the student's, not where it is in the course's own headers.
bool is_of_the_course(Place place) {
    return place.line && std::strstr(look_up(place).file, "/common/");
}

/// " (tree.cu:41)"
std::string in_brackets(Place place) {
    if (!place.line || is_of_the_course(place)) return "";
    const char* const slash = std::strrchr(place.file, '/');
    return std::string(" (") + (slash ? slash + 1 : place.file) + ":" + std::to_string(place.line) + ")";
}

/// `d_in` of "cudaMalloc(&d_in, bytes)"; empty where the line does not say it like this.
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

NamedPiece in_words(const AllocationFacts& allocation) {
    const std::string whole = describe(allocation);
    const Place place = look_up(allocation.place);
    const bool is_named = !allocation.device_heap && !is_of_the_course(place);
    const std::string variable = is_named ? variable_in_call(source_text(place), allocation.made_by) : "";
    return {variable, whole, allocation.bytes, allocation.element, true, " of " + whole, whole};
}

}  // namespace

std::string describe(const AllocationFacts& allocation) {
    const std::string bytes = "the " + count_bytes(allocation.bytes);
    if (allocation.symbol) return bytes + " of a __device__ or __constant__ variable";
    return bytes + (allocation.registered ? " registered by " : " allocated by ") + allocation.made_by +
           (allocation.device_heap ? " in a kernel" : "") + " #" + std::to_string(allocation.number) +
           in_brackets(look_up(allocation.place));
}

std::string place_in(const AllocationFacts& allocation, std::ptrdiff_t offset, std::size_t width) {
    return place_in(in_words(allocation), offset, width);
}

std::string place_in_dormant(const AllocationFacts& allocation, std::ptrdiff_t offset, std::size_t width) {
    return place_in(allocation, offset, width) +
           ", whose allocation node has not run, or which have been freed";
}

std::string inside_freed(const AllocationFacts& allocation) {
    return "inside " + describe(allocation) + ", which have been freed";
}

std::string far_from_all() {
    return "far from every allocation";
}

std::string place_in_buffer(const std::string& name, std::size_t bytes, LayoutOf element,
                            std::ptrdiff_t offset, std::size_t width) {
    const std::string quoted = "`" + name + "`";
    return place_in({name, quoted, bytes, element, true, "", quoted + " (" + count_bytes(bytes) + ")"},
                    offset, width);
}

NamedPiece shared_piece(const std::string& name, std::size_t bytes, LayoutOf layout) {
    const std::string quoted = "`" + name + "`";
    return {name,
            quoted + " (shared)",
            bytes,
            layout,
            false,
            " (shared)",
            quoted + " (shared, " + std::to_string(bytes) + " bytes)"};
}

std::string no_shared_memory() {
    return "shared memory, of which this launch has none: its third argument is 0";
}

std::string before_first_shared() {
    return "shared memory, before its first variable";
}

std::string local_of_launcher() {
    return "a local variable of the thread that launches it";
}

std::string shared_of_launcher() {
    return "shared memory of the block that launches it";
}

std::string host_block_in_words(std::size_t bytes, const char* made_by, Place place) {
    return "the " + count_bytes(bytes) + " allocated by " + made_by + in_brackets(place);
}

std::string frame_in_words(const std::string& function) {
    return "the stack frame" + (function.empty() ? "" : " of `" + function + "`") +
           ", which holds the local variable";
}

}  // namespace kit::cpu
