// A lane's part of a matrix of tensor cores: where its elements are, and whether the program has set them.
#include "tensor_parts.hpp"

#include <algorithm>
#include <cstring>

#include "events.hpp"
#include "grid.hpp"
#include "worker.hpp"

namespace kit::cpu {
namespace {

constexpr std::uint32_t all_lanes = 0xffffffff;
constexpr std::uint64_t unset_register_bits = 0x7ff5dead;  // as a float: a NaN

/// Returns a number that depends on the elements. A fragment stores this number when an operation sets its
/// elements. The number is never 0.
unsigned long long digest(const TensorPart& part) {
    unsigned long long state = 0xcbf29ce484222325;
    for (unsigned i = 0; i < part.count; ++i) state = (state ^ element(part, i)) * 0x100000001b3;
    return state | 2;
}
constexpr unsigned long long filled_bit = 1;

/// Returns whether the program has set elements by itself since the last operation that set them.
bool is_changed(const TensorPart& part) {
    return part.made && (*part.made | filled_bit) != (digest(part) | filled_bit);
}

/// The bits that a new fragment has in each element: a NaN, or a number that hardly occurs.
std::uint64_t poison(unsigned bytes, unsigned i) {
    constexpr std::uint64_t bits = 0x7fd5dea17ff5dead;
    return bytes == 8   ? bits
           : bytes == 4 ? bits & 0xffffffff
           : bytes == 2 ? 0x7ff5u
                        : (0xa5u + 37 * i) & 0xff;
}

/// Returns whether nothing has set some register of a part of mma.sync. A register has 4 bytes, or the 8 of a double.
bool has_unset_register(const TensorPart& part) {
    if (part.is_fragment) return false;
    const unsigned bytes = bytes_of(part.type) == 8 ? 8 : 4;
    for (unsigned at = 0; at < part.count * bytes_of(part.type); at += bytes) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, static_cast<const char*>(part.data) + at, bytes);
        if (bits == (bytes == 8 ? unset_register_bits | unset_register_bits << 32 : unset_register_bits))
            return true;
    }
    return false;
}

/// Returns whether nothing has set the elements of a fragment. For elements of one byte, which can have any
/// value, all elements must have the pattern.
bool is_poisoned(const TensorPart& part) {
    if (!part.made || *part.made) return false;
    const unsigned bytes = bytes_of(part.type);
    unsigned poisoned = 0;
    for (unsigned i = 0; i < part.count; ++i) poisoned += element(part, i) == poison(bytes, i);
    return bytes == 1 ? poisoned == part.count : poisoned > 0;
}

const char* name_of(TensorRole role) {
    return role == TensorRole::a ? "A" : role == TensorRole::b ? "B" : "sums";
}

}  // namespace

unsigned bytes_of(TensorType type) {
    switch (type) {
        case TensorType::f16:
        case TensorType::bf16:
            return 2;
        case TensorType::f64:
            return 8;
        case TensorType::s8:
        case TensorType::u8:
            return 1;
        default:
            return 4;
    }
}

unsigned rows_of(TensorShape shape, TensorRole role) {
    return role == TensorRole::b ? shape.k : shape.m;
}
unsigned columns_of(TensorShape shape, TensorRole role) {
    return role == TensorRole::a ? shape.k : shape.n;
}

TensorPosition position_of(TensorShape shape, const TensorPart& part, unsigned lane, unsigned i) {
    const unsigned rows = rows_of(shape, part.role), columns = columns_of(shape, part.role);
    if (part.is_fragment) {
        const unsigned kind = static_cast<unsigned>(part.type) * 3 + static_cast<unsigned>(part.role);
        const unsigned slot = ((lane * part.count + i) * (37 + 8 * kind) + 11) % (32 * part.count);
        const unsigned element = slot % (rows * columns);
        return {element / columns, element % columns};
    }
    const unsigned group = lane / 4, member = lane % 4;
    if (part.role == TensorRole::accumulator) return {group + i / 2 * 8, member * 2 + i % 2};
    const unsigned width = std::max(4 / bytes_of(part.type), 1u);  // elements of a register
    const unsigned number = i / width, within = member * width + i % width;
    if (part.role == TensorRole::b) return {within + number * 4 * width, group};
    const unsigned above = rows == 16 ? 2 : 1;  // registers of one piece of 4 * width columns
    return {group + number % above * 8, within + number / above * 4 * width};
}

std::uint64_t element(const TensorPart& part, unsigned i) {
    std::uint64_t bits = 0;
    const unsigned size = bytes_of(part.type);
    std::memcpy(&bits, static_cast<const char*>(part.data) + i * size, size);
    return bits;
}

void set_made(const TensorPart& part, unsigned lane, bool filled) {
    if (!part.made) return;
    *part.made = (digest(part) & ~filled_bit) | (filled ? filled_bit : 0);
    Block& block = *this_worker->block;
    const unsigned size = bytes_of(part.type);
    observer().fragment_set(block, block.rank() / 32 * 32 + lane, static_cast<const char*>(part.data),
                            part.count * size, size);
}
std::uint32_t kind_bit(const TensorPart& part) {
    return 1u << (static_cast<unsigned>(part.type) * 3 + static_cast<unsigned>(part.role));
}

Finding TensorMeeting::finding(facts::Rule rule, unsigned lane) const {
    const Block& block = *this_worker->block;
    return kit::cpu::finding(rule, running_spot(place), place)
        .by(block.who(block.rank() / 32 * 32 + lane))
        .with("function", what);
}

void check_operand(const TensorMeeting& meeting, TensorShape shape, const TensorParts& parts) {
    const auto first_part =
        std::find_if(parts.begin(), parts.end(), [](const TensorPart* part) { return part; });
    if (!observed()) return;
    const auto report = [&](facts::Rule rule, unsigned lane) {
        add_finding(meeting.finding(rule, lane).with("operand", name_of(parts[lane]->role)));
    };
    bool changed = false;
    for (unsigned lane = 0; lane < parts.size(); ++lane) {
        if (!parts[lane]) continue;
        changed |= parts[lane]->is_fragment && is_changed(*parts[lane]);
        if (has_unset_register(*parts[lane])) return report(facts::Rule::tensor_register_unset, lane);
        if (is_poisoned(*parts[lane])) return report(facts::Rule::tensor_unset, lane);
    }
    if (!changed) return;
    const std::uint32_t known = this_worker->block->warp().fragments;
    std::array<bool, 32 * 16> seen{};
    std::array<std::uint64_t, 32 * 16> values{};
    const std::uint64_t first = element(**first_part, 0);
    for (unsigned lane = 0; lane < parts.size(); ++lane) {
        if (!parts[lane]) continue;
        const TensorPart& own = *parts[lane];
        const bool by_program = (!*own.made || *own.made & filled_bit) && !(known & kind_bit(own));
        for (unsigned i = 0; i < own.count; ++i) {
            const TensorPosition at = position_of(shape, own, lane, i);
            const unsigned place = at.row * columns_of(shape, own.role) + at.column;
            const std::uint64_t bits = element(own, i);
            if ((seen[place] && values[place] != bits) || (by_program && bits != first))
                return report(facts::Rule::tensor_by_index, lane);
            seen[place] = true;
            values[place] = bits;
        }
    }
}

void meet_whole_warp(const Caller& block, const TensorMeeting& meeting, const void* in, WarpCombine combine,
                     const void* frame) {
    Worker& worker = *this_worker;
    worker.met_at = static_cast<const char*>(worker.call) - 1;
    worker.met_frame = frame;
    const std::uint32_t exists = block->warp().exists;
    if (exists != all_lanes)
        stop_kernel(cudaErrorLaunchFailure,
                    finding(facts::Rule::warp_not_full, running_spot(meeting.place), meeting.place)
                        .by(running_thread())
                        .with("function", meeting.what)
                        .with("threads", __builtin_popcount(exists)));
    block->meet(meeting.what, all_lanes, in, nullptr, combine, meeting.place, Returned::are_missed);
}

void poison_fragment(void* elements, unsigned element_bytes, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        const std::uint64_t bits = poison(element_bytes, i);
        std::memcpy(static_cast<char*>(elements) + i * element_bytes, &bits, element_bytes);
    }
}

void poison_registers(void* registers, unsigned long bytes) {
    for (unsigned long at = 0; at < bytes; at += sizeof(std::uint32_t)) {
        const std::uint32_t bits = unset_register_bits;
        std::memcpy(static_cast<char*>(registers) + at, &bits, sizeof bits);
    }
}

void forget_fragment(const void* elements) {
    if (!in_kernel()) return;
    const Caller block("fragment");
    observer().fragment_gone(*block, static_cast<const char*>(elements));
}

}  // namespace kit::cpu
