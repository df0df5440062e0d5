// cooperative_groups::memcpy_async(), wait() and wait_prior() on the CPU executor. Each thread starts its
// share of the copy, and commits it as a separate copy group. A wait first waits for the thread's copy
// groups, and then for all threads of the group.
#pragma once

#include <cooperative_groups.h>
#include <stddef.h>
#include <stdint.h>

#include <kit_cpu/aligned_size.hpp>
#include <kit_cpu/async_copy.hpp>
#include <type_traits>

namespace cooperative_groups {
namespace kit_details {

/// As CUDA does, copies pieces of the alignment that the type or the promise states. Only below 4 bytes, the addresses decide.
template <class Element, class Group>
void copy_in_group(const Group& group, const kit::cpu::AsyncCopy& call, size_t promise) {
    if (promise > 1) kit::cpu::check_copy_alignment(call, promise);
    size_t stated = promise;
    if constexpr (!std::is_void_v<Element>) stated = alignof(Element) > promise ? alignof(Element) : promise;
    const size_t widest = stated < 4 || stated > 16 ? 16 : stated;
    kit::cpu::copy_share(call, group.thread_rank(), group.num_threads(), widest, kit::cpu::copy_in_group);
    kit::cpu::commit_copies(false);
}

}  // namespace kit_details

/// Copies `bytes` bytes. The number is not in elements.
template <class Group, class Element, class Size>
void memcpy_async(const Group& group, Element* to, const Element* from, const Size& bytes,
                  kit::cpu::Place place = KIT_CPU_HERE) {
    kit_details::copy_in_group<Element>(
        group,
        kit::cpu::async_call("cooperative_groups::memcpy_async", to, from, static_cast<size_t>(bytes), place),
        kit::cpu::promised_alignment(bytes));
}

/// Copies as many elements as the smaller of the two layouts has. The numbers are not in bytes.
template <class Group, class Element, class ToLayout, class FromLayout>
void memcpy_async(const Group& group, Element* to, const ToLayout& to_count, const Element* from,
                  const FromLayout& from_count, kit::cpu::Place place = KIT_CPU_HERE) {
    const size_t to_elements = to_count, from_elements = from_count;
    auto call = kit::cpu::async_call(
        "cooperative_groups::memcpy_async", to, from,
        (to_elements < from_elements ? to_elements : from_elements) * sizeof(Element), place);
    call.element = 1;  // the size is not in bytes
    kit_details::copy_in_group<Element>(group, call, 1);
}

/// Waits for all copies that the group has started.
template <class Group>
void wait(const Group& group, Place place = KIT_CPU_HERE) {
    kit::cpu::wait_for_copies(0, false);
    group.sync(place);
}

/// Waits for all copies that the group has started, except the last `Stage` ones.
template <unsigned Stage, class Group>
void wait_prior(const Group& group, Place place = KIT_CPU_HERE) {
    kit::cpu::wait_for_copies(Stage, false);
    group.sync(place);
}

}  // namespace cooperative_groups
