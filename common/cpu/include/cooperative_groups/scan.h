// cooperative_groups::inclusive_scan() and exclusive_scan() on the CPU executor.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

/// Returns the combined values of the threads from rank 0 to the caller's rank.
template <class Group, class Value, class Op>
auto inclusive_scan(const Group& group, Value&& value, Op&& op, Place place = KIT_CPU_HERE)
    -> kit_details::FoldResult<Value, Op> {
    using T = kit_details::FoldResult<Value, Op>;
    return kit_details::folded<kit_details::Fold::inclusive, T>("inclusive_scan()", group,
                                                                static_cast<T>(value), op, place);
}
template <class Group, class Value>
auto inclusive_scan(const Group& group, Value&& value, Place place = KIT_CPU_HERE) {
    return inclusive_scan(group, value, plus<kit::cpu::Plain<Value>>(), place);
}

/// Returns the combined values of the threads whose ranks are below the caller's; T{} for rank 0.
template <class Group, class Value, class Op>
auto exclusive_scan(const Group& group, Value&& value, Op&& op, Place place = KIT_CPU_HERE)
    -> kit_details::FoldResult<Value, Op> {
    using T = kit_details::FoldResult<Value, Op>;
    return kit_details::folded<kit_details::Fold::exclusive, T>("exclusive_scan()", group,
                                                                static_cast<T>(value), op, place);
}
template <class Group, class Value>
auto exclusive_scan(const Group& group, Value&& value, Place place = KIT_CPU_HERE) {
    return exclusive_scan(group, value, plus<kit::cpu::Plain<Value>>(), place);
}

}  // namespace cooperative_groups
