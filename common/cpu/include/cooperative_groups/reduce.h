// cooperative_groups::reduce() on the CPU executor, and its operations, which scans also use. Values are
// combined in the order of the ranks.
#pragma once

#include <cooperative_groups.h>

namespace cooperative_groups {

// clang-format off
template <class T> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { T operator()(T a, T b) const { return a ^ b; } };
// clang-format on

namespace kit_details {

/// The value and the operation that a thread passes to a reduction or a scan.
template <class T, class Op>
struct FoldInput {
    T value;
    Op* op;
};

enum class Fold { reduce, inclusive, exclusive };

template <Fold fold, class T, class Op>
KIT_CPU_UNCHECKED void combine_fold(unsigned mask, const void* const in[32], void* const out[32]) {
    T sum{};
    bool first = true;
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const auto& input = *static_cast<const FoldInput<T, Op>*>(in[lane]);
        if constexpr (fold == Fold::exclusive) *static_cast<T*>(out[lane]) = sum;
        sum = first ? input.value : static_cast<T>((*input.op)(sum, input.value));
        first = false;
        if constexpr (fold == Fold::inclusive) *static_cast<T*>(out[lane]) = sum;
    }
    if constexpr (fold == Fold::reduce) {
        for (unsigned rest = mask; rest; rest &= rest - 1) *static_cast<T*>(out[__builtin_ctz(rest)]) = sum;
    }
}

/// Combines the values of a tile of several warps.
template <Fold fold, class T, class Op>
KIT_CPU_UNCHECKED void combine_wide_fold(unsigned size, const void* const* in, void* const* out) {
    T sum{};
    for (unsigned i = 0; i < size; ++i) {
        const auto& input = *static_cast<const FoldInput<T, Op>*>(in[i]);
        if constexpr (fold == Fold::exclusive) *static_cast<T*>(out[i]) = sum;
        sum = i == 0 ? input.value : static_cast<T>((*input.op)(sum, input.value));
        if constexpr (fold == Fold::inclusive) *static_cast<T*>(out[i]) = sum;
    }
    if constexpr (fold == Fold::reduce)
        for (unsigned i = 0; i < size; ++i) *static_cast<T*>(out[i]) = sum;
}

template <Fold fold, class T, class Op, class Group>
KIT_CPU_UNCHECKED T folded(const char* what, const Group& group, const T& value, Op& op, Place place) {
    const FoldInput<T, Op> input{value, &op};
    if constexpr (is_wide<Group>) {
        return group.template meet<T>(what, input, combine_wide_fold<fold, T, Op>, place);
    } else {
        T result{};
        kit::cpu::warp_meet(what, group.lanes(), &input, &result, combine_fold<fold, T, Op>, place,
                            KIT_CPU_CALL_SITE, kit::cpu::Returned::are_missed);
        return result;
    }
}

template <class Value, class Op>
using FoldResult =
    kit::cpu::Plain<decltype(std::declval<Op&>()(std::declval<Value&>(), std::declval<Value&>()))>;

}  // namespace kit_details

/// Combines the values of all threads of a tile or coalesced group, and returns the result to each of them.
template <class Group, class Value, class Op>
auto reduce(const Group& group, Value&& value, Op&& op, Place place = KIT_CPU_HERE)
    -> kit_details::FoldResult<Value, Op> {
    using T = kit_details::FoldResult<Value, Op>;
    return kit_details::folded<kit_details::Fold::reduce, T>("reduce() of a group", group,
                                                             static_cast<T>(value), op, place);
}

}  // namespace cooperative_groups
