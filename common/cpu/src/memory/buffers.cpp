// Names of buffers in device memory. The grader, and other code of the course, name their allocations.
#include "buffers.hpp"

#include <iterator>
#include <kit_cpu/executor.hpp>
#include <map>

#include "events.hpp"
#include "memory.hpp"
#include "source/memory_facts.hpp"

namespace kit::cpu {
namespace {

struct Named {
    std::size_t bytes;
    std::string name;
    LayoutOf element;
};

std::map<const char*, Named>& named() {
    static auto& all = *new std::map<const char*, Named>;
    return all;
}

}  // namespace

void name_buffer(const void* begin, std::size_t bytes, const char* name, LayoutOf element) {
    named()[static_cast<const char*>(begin)] = {bytes, name, element};
}

void forget_buffer(const void* begin) {
    named().erase(static_cast<const char*>(begin));
}

void forget_names(const char* begin, std::size_t bytes) {
    named().erase(named().lower_bound(begin), named().lower_bound(begin + bytes));
}

void mark_uninitialised(const void* begin, std::size_t bytes) {
    observer().allocated(static_cast<const char*>(begin), bytes);
}

MemoryPiece find_piece(const char* address) {
    const Allocation* allocation = find_allocation(address);
    if (!allocation || allocation->dormant) return {};
    const char* const end = allocation->begin + allocation->bytes;
    const auto first = named().lower_bound(allocation->begin);
    if (first == named().end() || first->first >= end)
        return {allocation->begin, end, allocation->device, allocation->stream_ordered};
    auto after = named().upper_bound(address);
    if (after == first) return {};
    const auto& [begin, buffer] = *std::prev(after);
    if (address >= begin + buffer.bytes) return {};
    return {begin, begin + buffer.bytes, allocation->device, allocation->stream_ordered};
}

LayoutPlace place_in_memory(const char* address) {
    const Allocation* const allocation = find_allocation(address);
    if (!allocation) return {};
    const auto after = named().upper_bound(address);
    if (after != named().begin()) {
        const auto& [begin, buffer] = *std::prev(after);
        if (begin >= allocation->begin) return {buffer.element, address - begin};
    }
    return {allocation->element, address - allocation->begin};
}

facts::Memory place_of_memory(const char* address, std::size_t width) {
    const Allocation* allocation = find_allocation(address);
    const auto after = named().upper_bound(address);
    const auto in_this = [&](const char* begin) {
        return allocation && begin >= allocation->begin && begin < allocation->begin + allocation->bytes;
    };
    const auto place = [&](const char* begin, const Named& buffer) {
        return place_in(named_buffer(buffer.name, buffer.bytes), {buffer.element, true}, address - begin,
                        width);
    };
    if (after != named().begin() && in_this(std::prev(after)->first))
        return place(std::prev(after)->first, std::prev(after)->second);
    if (after != named().end() && in_this(after->first)) return place(after->first, after->second);
    return place_near(address, width);
}

}  // namespace kit::cpu
