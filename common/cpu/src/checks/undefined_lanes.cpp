// Recognizes values that were computed from an undefined value.
#include "undefined_lanes.hpp"

#include <cmath>
#include <cstring>
#include <kit_cpu/undefined.hpp>
#include <type_traits>

namespace kit::cpu {
namespace {

template <class T>
T as(std::uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T>
bool combines(std::uint64_t now_bits, std::uint64_t own_bits, std::uint64_t other_bits) {
    const T now = as<T>(now_bits), own = as<T>(own_bits), other = as<T>(other_bits);
    if constexpr (std::is_floating_point_v<T>) {
        return std::isnan(now) && (std::isnan(own) || std::isnan(other));
    } else {
        // An undefined value is a large number, and so are values computed from it. A smaller value was
        // computed in a different way.
        constexpr T small = 1 << 16;
        if (now < small || static_cast<T>(-now) < small) return false;
        return now == static_cast<T>(own + other) || now == static_cast<T>(own * other) ||
               now == static_cast<T>(own - other) || now == static_cast<T>(other - own) ||
               now == (own | other) || now == (own ^ other);
    }
}

bool combines(std::uint64_t now, std::uint64_t own, std::uint64_t other, std::size_t bytes) {
    if (bytes == 4) return combines<std::uint32_t>(now, own, other) || combines<float>(now, own, other);
    return combines<std::uint64_t>(now, own, other) || combines<double>(now, own, other);
}

}  // namespace

const UndefinedLane* UndefinedValues::origin(unsigned rank, const void* value, std::size_t bytes) const {
    const auto found = taken_.find(rank);
    if (found == taken_.end() || found->second.bytes != bytes) return nullptr;
    const Taken& taken = found->second;
    std::uint64_t now = 0;
    std::memcpy(&now, value, bytes);
    const UndefinedLane* const own = taken.own_origin.is ? &taken.own_origin : nullptr;
    const UndefinedLane* const other = taken.other_origin.is ? &taken.other_origin : nullptr;
    if (now == taken.own) return own;
    if (now == taken.other) return other;
    if (now == taken.extreme && now) return own ? own : other;
    return combines(now, taken.own, taken.other, bytes) ? (own ? own : other) : nullptr;
}

/// Replaces the result of a minimum or maximum with a signed integer that wins against all other values.
bool UndefinedValues::replace(unsigned rank, const void* operand, void* result, std::size_t bytes,
                              bool larger) {
    const auto found = taken_.find(rank);
    if (found == taken_.end() || found->second.bytes != bytes) return false;
    Taken& taken = found->second;
    std::uint64_t value = 0;
    std::memcpy(&value, operand, bytes);
    const bool undefined =
        (taken.own_origin.is && value == taken.own) || (taken.other_origin.is && value == taken.other);
    if (!undefined) return false;
    const std::uint64_t limit = bytes == 4 ? 0x7fc1dead : 0x7ff8deadffc1dead;
    taken.extreme = larger ? limit : bytes == 4 ? 0x803e2153 : ~limit;
    std::memcpy(result, &taken.extreme, bytes);
    return true;
}

void UndefinedValues::took(unsigned rank, const ShuffleInput& input, const void* taken) {
    Taken& now = taken_[rank] = {};
    now.bytes = input.size;
    std::memcpy(&now.own, input.value, input.size);
    std::memcpy(&now.other, taken, input.size);
    now.own_origin = input.brings;
    now.other_origin = input.takes;
}

const UndefinedLane* UndefinedValues::stored(unsigned rank, const Access& access, const void* before) const {
    const UndefinedLane* const lane = origin(rank, access.address, access.bytes);
    if (lane || !access.atomic) return lane;
    std::uint64_t was = 0, is = 0;
    std::memcpy(&was, before, access.bytes);
    std::memcpy(&is, access.address, access.bytes);
    const std::uint64_t added = is - was;
    return origin(rank, &added, access.bytes);
}

void StoredUndefined::add(const char* address, const UndefinedLane& lane) {
    constexpr std::size_t most = 1 << 14;  // maximum number of places; undefined values at more places are
                                           // only reported as not written
    if (words_.size() < most) words_[address] = lane;
}

void StoredUndefined::forget(const char* begin, std::size_t bytes) {
    if (words_.empty()) return;
    words_.erase(words_.lower_bound(begin), words_.lower_bound(begin + bytes));
}

const UndefinedLane* StoredUndefined::at(const char* address) const {
    constexpr std::ptrdiff_t widest = 8;
    const auto next = words_.upper_bound(address);
    if (next == words_.begin()) return nullptr;
    const auto& [begin, lane] = *std::prev(next);
    return address - begin < widest ? &lane : nullptr;
}

}  // namespace kit::cpu
